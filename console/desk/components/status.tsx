import { Badge } from "@mantine/core";
import { statusText } from "../../texts/statuses.js";

/** The shade of grey can be seen on dark and on light. */
const colors: Record<string, string> = {
  APPROVED: "green",
  ARCHIVED: "gray.6",
  AVAILABLE: "green",
  CANCELLED: "gray.6",
  CLOSED: "gray.6",
  COMPLETED: "green",
  DAMAGED: "red",
  DONE: "green",
  EXPIRED: "red",
  FAILED: "red",
  FRAUD_REVIEW: "red",
  GONE: "gray.6",
  HOLD: "orange",
  OPEN: "blue",
  QUARANTINE: "orange",
  RECEIVED: "green",
  REFUNDED: "green",
  REJECTED: "red",
  SHIPPED: "green",
  SHORT: "orange",
  SHORT_CLOSED: "orange",
  SKIPPED: "gray.6",
  VARIANCE: "orange",
  VOIDED: "gray.6",
  WAITING: "orange",
  WAITING_STOCK: "orange",
  active: "green",
  applied: "green",
  cancelled: "gray.6",
  completed: "green",
  dlq: "red",
  ended: "red",
  error: "red",
  failed: "red",
  idle: "gray.6",
  label_bought: "green",
  label_cancelled: "gray.6",
  label_failed: "red",
  label_pending: "blue",
  label_void_failed: "red",
  label_voided: "gray.6",
  label_voiding: "blue",
  label_written_off: "gray.6",
  lookup_miss: "red",
  none: "gray.6",
  overdue: "red",
  paused: "orange",
  printed: "green",
  pushed: "green",
  recommended: "orange",
  rejected: "red",
  revoked: "gray.6",
  running: "blue",
  skipped: "gray.6",
  stale_version: "gray.6",
  stopped: "gray.6",
  succeeded: "green",
  superseded: "gray.6",
};

/** A word with a dot of a colour before it. */
export const Mark = ({ color, text }: { color: string; text: string }) => (
  <Badge color={color} variant="dot" miw="max-content">
    {text}
  </Badge>
);

/** Whether something is in use, as its area calls that. */
export const Active = ({ is, text }: { is: boolean; text: string }) => (
  <Mark color={is ? "green" : "gray.6"} text={text} />
);

/** A column of that, in the words of an area. */
export const activeColumn = (t: (key: "status" | "active" | "inactive") => string) => ({
  field: "is_active",
  title: t("status"),
  show: ({ is_active }: { is_active: boolean }) => (
    <Active is={is_active} text={t(is_active ? "active" : "inactive")} />
  ),
});

/** A status as people call it. */
export const Status = ({ of }: { of: string }) => <Mark color={colors[of] ?? "indigo"} text={statusText(of)} />;
