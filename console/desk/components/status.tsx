import { Badge } from "@mantine/core";
import { statusText } from "../../texts/statuses.js";

/** The shade of grey can be seen on dark and on light. */
const colors: Record<string, string> = {
  CANCELLED: "gray.6",
  CLOSED: "gray.6",
  VOIDED: "gray.6",
  FRAUD_REVIEW: "red",
  WAITING_STOCK: "orange",
  SHIPPED: "green",
  RECEIVED: "green",
  APPROVED: "green",
  OPEN: "blue",
  active: "green",
  applied: "green",
  dlq: "red",
  error: "red",
  failed: "red",
  idle: "gray.6",
  lookup_miss: "red",
  none: "gray.6",
  overdue: "red",
  paused: "orange",
  pushed: "green",
  recommended: "orange",
  rejected: "red",
  revoked: "gray.6",
  running: "blue",
  skipped: "gray.6",
  stale_version: "gray.6",
  stopped: "gray.6",
  superseded: "gray.6",
};

/** A status as people call it. */
export const Status = ({ of }: { of: string }) => (
  <Badge color={colors[of] ?? "indigo"} variant="dot" miw="max-content">
    {statusText(of)}
  </Badge>
);
