import { Badge } from "@mantine/core";
import { statusText } from "../../texts/statuses.js";

const colors: Record<string, string> = {
  CANCELLED: "gray",
  CLOSED: "gray",
  FRAUD_REVIEW: "red",
  WAITING_STOCK: "orange",
  SHIPPED: "green",
  RECEIVED: "green",
  APPROVED: "green",
  OPEN: "blue",
};

/** A status as people call it. */
export const Status = ({ of }: { of: string }) => (
  <Badge color={colors[of] ?? "indigo"} variant="dot">
    {statusText(of)}
  </Badge>
);
