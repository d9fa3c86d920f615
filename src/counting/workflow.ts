import type { CountCreated } from "./shapes.js";

/** The messages of the workflow `cycleCount` that no route has. Types and pure functions only, for the workflow. */

export interface RequestedCounts {
  warehouseId: number;
  binIds: number[];
  /** The ids of the counts to be created, in the order of the bins. */
  countIds: number[];
}

/** Counts whose rows exist, as their workflows need them. */
export interface CountsOfWarehouse {
  warehouse_id: number;
  warehouse_code: string;
  counts: CountCreated[];
}

/** The serials that units of adjustments have, by the adjustment's id. */
export type NamedSerials = Record<number, string[]>;
/** The lots that found units are of, by the adjustment's id. */
export type NamedLots = Record<number, string>;

/** The result of an admin's decision, and how many adjustments of the count are still pending. */
export interface CountReviewed {
  /** How many adjustments this decision resolved. */
  resolved: number;
  pending: number;
  /** How many of the count's adjustments have been approved so far. */
  approved: number;
}

export const countWorkflowId = (countId: number) => `cycle-count-${countId}`;
