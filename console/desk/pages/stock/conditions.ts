import { dayAgo } from "../../../shared/format.js";

/** What people put units in. */
export const heldConditions = ["HOLD", "QUARANTINE", "DAMAGED"] as const;
export const lotConditions = ["AVAILABLE", ...heldConditions];
/** And what the service finds by their last day. */
export const stockConditions = [...lotConditions, "EXPIRED"];

/** Why none of a lot is sold: what people put it in, or its last day. */
export const conditionOf = ({ condition, expiry_date }: { condition: string; expiry_date: string | null }) =>
  condition === "AVAILABLE" && expiry_date && expiry_date < dayAgo(0) ? "EXPIRED" : condition;
