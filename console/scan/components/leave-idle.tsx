import { useEffect } from "react";
import { api, useRead } from "../../shared/api.js";
import { useMe } from "../../shared/session.js";
import { leaveDevice } from "../leave.js";

const MINUTE_MS = 60_000;
const LOOK_EVERY_MS = 5_000;

/** Signs out whoever has not touched the device for the minutes of the setting, so that the next one can sign in. */
export function LeaveIdle() {
  const { external_id } = useMe();
  const minutes = useRead("/api/auth/ways").data?.idle_minutes;
  useEffect(() => {
    if (!minutes) return;
    let touched = Date.now();
    let isLeaving = false;
    const leaveIfIdle = async () => {
      if (isLeaving || Date.now() - touched < minutes * MINUTE_MS) return;
      isLeaving = true;
      try {
        // Without the net nobody could sign in: then it counts anew, and what is being sent goes on.
        await api.get("/api/auth/ways", { giveUpAfterMs: 0 });
        await leaveDevice(external_id);
      } catch {
        touched = Date.now();
        isLeaving = false;
      }
    };
    // A device that slept wakes by a touch, which is too late.
    const touch = () => {
      void leaveIfIdle();
      if (!isLeaving) touched = Date.now();
    };
    const timer = setInterval(() => void leaveIfIdle(), LOOK_EVERY_MS);
    for (const event of ["pointerdown", "keydown"]) document.addEventListener(event, touch, true);
    return () => {
      clearInterval(timer);
      for (const event of ["pointerdown", "keydown"]) document.removeEventListener(event, touch, true);
    };
  }, [minutes, external_id]);
  return null;
}
