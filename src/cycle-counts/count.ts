/** The messages and shapes that a count's routes, workflow and activities share. Types and pure functions only. */

export interface CountRequest {
  warehouseId: number;
  binIds: number[];
  /** The ids that the counts of these bins get, in their order. */
  countIds: number[];
}

export interface Count {
  count_id: number;
  bin_id: number;
  bin_code: string;
  status: string;
  /** How many items are expected in the bin. */
  lines: number;
  assigned_to: string | null;
}

/** What a count's process needs to know of counts whose rows are there. */
export interface CountsMade {
  warehouse_id: number;
  counts: Count[];
}

/** What the counter found of one item: of a line of the count, or of an item that no line expects. */
export interface CountedLine {
  count_line_id?: number | null | undefined;
  counted_quantity: number;
  unexpected: boolean;
  item_id?: number | null | undefined;
}

/** A line that differs, and the adjustment that waits for an admin. */
export interface Variance {
  sku: string;
  expected: number;
  counted: number;
  variance: number;
  adjustment_id: number;
  unexpected?: true;
}

export interface CountSubmitted {
  message: string;
  count_id: number;
  bin_code: string;
  status: "COMPLETED" | "VARIANCE";
  summary: {
    total_lines: number;
    lines_with_variance: number;
    lines_matched: number;
    adjustments: Variance[];
  };
}

/** What an admin's decision did, and what is still to be decided of the count. */
export interface CountReviewed {
  /** How many adjustments this decision resolved. */
  resolved: number;
  pending: number;
  /** How many of the count's adjustments have been approved so far. */
  approved: number;
}

export const countWorkflowId = (countId: number) => `cycle-count-${countId}`;
