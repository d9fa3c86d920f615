import { useMutation } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { useRead } from "../../shared/api.js";
import { useMe } from "../../shared/session.js";
import { errorText } from "../../texts/problems.js";
import { t } from "../../texts/scan.js";
import { leaveDevice } from "../leave.js";

/** A badge has forty digits, which nobody is to see; scanners may say before them that they are Code 128. */
export const isBadge = (scanned: string) => /^(\]C\d)?\d{40}$/.test(scanned);

/** The badge of whoever takes the place of the one who was signed in, until that one is gone. */
let next = "";
export const badgeOfNext = () => next;
export const forgetNext = () => {
  next = "";
};

interface OtherBadgeProps {
  badge: string;
  stay: () => void;
  /** What is said in a house without badges. */
  otherwise: ReactNode;
}

/** Somebody scanned a badge though one is signed in: it may be meant. What is not sent yet stays that person's. */
export function OtherBadge({ badge, stay, otherwise }: OtherBadgeProps) {
  const { external_id } = useMe();
  const change = useMutation({ networkMode: "always", mutationFn: () => leaveDevice(external_id) });
  const hasBadges = useRead("/api/auth/ways").data?.badge ?? false;
  if (!hasBadges) return otherwise;
  const changeUser = () => {
    next = badge;
    change.mutate();
  };
  return (
    <>
      <p className="notice" role="alert">
        {change.error ? errorText(change.error) : t("badgeScanned")}
      </p>
      <button type="button" disabled={change.isPending} onClick={changeUser}>
        {t("changeUser")}
      </button>
      <button type="button" onClick={stay}>
        {t("stay")}
      </button>
    </>
  );
}
