import { z } from "zod";
import { arrayOf, int, text, time } from "../platform/db/columns.js";
import { TransferStatus } from "../platform/statuses.js";
import type { NewTransferOrder, TransferCreated, TransferImport } from "./shapes.js";

/** Arguments and results of the activities of a transfer order. Types only, for the workflow. */

export type NewTransfer = { to_id: number } & (
  | ({ kind: "create" } & NewTransferOrder)
  | ({ kind: "import" } & TransferImport)
);

/** An approval that waits for a decision. */
export const OpenApproval = z.strictObject({ to_approval_id: int, submitted_by: text, submitted_at: time, units: int });
export type OpenApproval = z.infer<typeof OpenApproval>;

/** The state of a transfer order, for what its workflow shows and waits for. */
export const TransferState = z.strictObject({
  to_id: int,
  to_number: text,
  status: TransferStatus,
  source_warehouse_id: int,
  source_warehouse_code: text,
  destination_warehouse_id: int,
  destination_warehouse_code: text,
  created_by: text.nullable(),
  /** The time of its creation. */
  started_at: time,
  lines_total: int,
  /** Lines that are APPROVED or SHORT_CLOSED. */
  lines_done: int,
  units_committed: int,
  units_picked: int,
  units_approved: int,
  /** The walk in progress. */
  picking: z.strictObject({ batch_id: int, batch_number: text, assigned_to: text }).nullable(),
  /** Oldest first. */
  approvals: arrayOf(OpenApproval),
  /** When to ask for a decision again; null = never. */
  reminder_ms: int.nullable(),
  /** The time at which it was read, by the database's clock, as a text that sorts by time. */
  as_of: text,
});
export type TransferState = z.infer<typeof TransferState>;

/** The answer of a step, and the state of the order after it. */
export type WithState<T> = T & { state: TransferState };

export interface TransferStarted extends TransferCreated {
  state: TransferState;
}

/** The result of a cancellation in the Temporal UI; `refused` is the reason where it was not possible. */
export type OperatorCancellation = WithState<{ refused: string | null }>;

/** How many approvals people were reminded of just now. */
export type Reminder = WithState<{ reminded: number }>;

export interface PickingStarted {
  batch_id: number;
  batch_number: string;
  tasks_created: number;
  /** The caller's earlier batches, which this one replaces. */
  superseded: number[];
  state: TransferState;
}
