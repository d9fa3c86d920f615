import type { NewReturn, ReturnReceived } from "./shapes.js";

/** The messages of the workflow `rma` that no route has. Types and pure functions only, for the workflow. */

export interface ReturnRequest extends NewReturn {
  /** The order whose goods come back. */
  original_so_id: number;
}

export interface UnitsOf {
  sku: string;
  units: number;
}

/** The units that have not come yet. */
export interface Expected {
  units: number;
  /** By SKU, the first of them. */
  first: UnitsOf[];
}

/** How many SKUs the Temporal UI names. */
export const SHOWN_SKUS = 10;

/** A return whose rows exist, as its workflow needs it. */
export interface ReturnStarted {
  so_id: number;
  so_number: string;
  original_so_number: string;
  made_by: string;
  warehouse_id: number;
  warehouse_code: string;
  /** Units that have come. */
  received: number;
  expected: Expected;
  /** The ending by its rows, when it has ended. */
  ended?: ReturnOutcome;
}

export type ReturnOutcome = "received" | "voided";

/** The answer to a receipt, and what is still expected after it. */
export interface ReceivedUnits extends ReturnReceived {
  came: UnitsOf;
  expected: Expected;
}

/** The result of a requested cancellation: the return has ended, or stays for a reason. */
export type OperatorVoid = { ended: ReturnOutcome; by_operator: boolean } | { ended: null; because: string };

/** How a return ended after so many days, as setting `returns_expire_days` says; null where it is not due any more. */
export type Expired = { ended: ReturnOutcome; days: number } | { ended: null };

export const returnWorkflowId = (soId: number) => `rma-${soId}`;
