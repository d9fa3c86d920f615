import { Switch, Text } from "@mantine/core";
import { useEffect, useRef, useState } from "react";
import { useLocation, useNavigate } from "react-router";
import { number } from "../../../../shared/format.js";
import { t } from "../../../../texts/inbox.js";
import { useKeptFor } from "../../../components/use-kept.js";
import { useInboxTotal } from "./use-inbox.js";

const WANTED = "inbox-alerts";
const isPossible = () => "Notification" in window;

/** Tells by the browser, wherever its user is, that more waits in the inbox; who looks at the inbox sees it there. */
export function InboxAlerts() {
  const [isWanted] = useKeptFor(WANTED, false);
  return isWanted && isPossible() ? <Alerts /> : null;
}

function Alerts() {
  // The count in the menu reads it again and again.
  const total = useInboxTotal();
  const { pathname } = useLocation();
  const navigate = useNavigate();
  const known = useRef<number>(undefined);
  // biome-ignore lint/correctness/useExhaustiveDependencies: once for each figure
  useEffect(() => {
    const before = known.current;
    known.current = total;
    if (before === undefined || total === undefined || total <= before || pathname === "/inbox") return;
    if (Notification.permission !== "granted") return;
    // One takes the place of the one before.
    const alert = new Notification(t("inbox"), { body: t("waitingCount", { count: number(total) }), tag: WANTED });
    alert.onclick = () => {
      window.focus();
      void navigate("/inbox");
    };
  }, [total]);
  return null;
}

/** Whether the user wants that; the browser asks, and may refuse. */
export function AlertsSwitch() {
  const [isWanted, want] = useKeptFor(WANTED, false);
  const [isRefused, refuse] = useState(false);
  if (!isPossible()) return null;
  const change = async (isOn: boolean) => {
    const isAllowed = isOn && (await Notification.requestPermission()) === "granted";
    want(isAllowed);
    refuse(isOn && !isAllowed);
  };
  return (
    <>
      <Switch
        label={t("alerts")}
        checked={isWanted}
        onChange={({ currentTarget }) => void change(currentTarget.checked)}
      />
      {isRefused && (
        <Text size="sm" role="alert">
          {t("alertsRefused")}
        </Text>
      )}
    </>
  );
}
