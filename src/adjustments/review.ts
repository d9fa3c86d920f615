/** What a reviewer decides of one adjustment. */
export interface Decision {
  adjustment_id: number;
  action: "approve" | "reject";
}

/** How many adjustments a review decided on. */
export interface Decided {
  approved: number;
  rejected: number;
}
