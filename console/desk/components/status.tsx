import { Badge } from "@mantine/core";
import { statusText } from "../../texts/statuses.js";

const colors: Record<string, string> = {
  CANCELLED: "gray",
  CLOSED: "gray",
  VOIDED: "gray",
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
  idle: "gray",
  lookup_miss: "red",
  none: "gray",
  overdue: "red",
  paused: "orange",
  pushed: "green",
  recommended: "orange",
  rejected: "red",
  revoked: "gray",
  running: "blue",
  skipped: "gray",
  stale_version: "gray",
  stopped: "gray",
  superseded: "gray",
};

/** A status as people call it. */
export const Status = ({ of }: { of: string }) => (
  <Badge color={colors[of] ?? "indigo"} variant="dot" miw="max-content">
    {statusText(of)}
  </Badge>
);
