/** What people put units in. */
export const heldConditions = ["HOLD", "QUARANTINE", "DAMAGED"] as const;
export const lotConditions = ["AVAILABLE", ...heldConditions];
/** And what the service finds by their last day. */
export const stockConditions = [...lotConditions, "EXPIRED"];
