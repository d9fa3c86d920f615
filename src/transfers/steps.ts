import type { TransferOrderStatus } from "../platform/states.js";
import type { NewTransferOrder, TransferCreated, TransferImport } from "./shapes.js";

/** What the activities of a transfer order take and give. Types only, for the workflow. */

export type NewTransfer = { to_id: number } & (
  | ({ kind: "create" } & NewTransferOrder)
  | ({ kind: "import" } & TransferImport)
);

/** An approval that waits for a decision. */
export interface OpenApproval {
  to_approval_id: number;
  submitted_by: string;
  submitted_at: string;
  units: number;
}

/** Where a transfer order stands, for what its workflow shows and waits for. */
export interface TransferState {
  to_id: number;
  to_number: string;
  status: TransferOrderStatus;
  source_warehouse_id: number;
  source_warehouse_code: string;
  destination_warehouse_id: number;
  destination_warehouse_code: string;
  created_by: string | null;
  /** When it was made. */
  started_at: string;
  lines_total: number;
  /** Lines that are APPROVED or SHORT_CLOSED. */
  lines_done: number;
  units_committed: number;
  units_picked: number;
  units_approved: number;
  /** The walk in progress. */
  picking: { batch_id: number; batch_number: string; assigned_to: string } | null;
  /** Oldest first. */
  approvals: OpenApproval[];
  /** When to ask for a decision again; null = never. */
  reminder_ms: number | null;
  /** When it was read, by the database's clock, in a text of which the later one is the greater. */
  as_of: string;
  /** Search attributes that the workflow must not set. */
  missing_attributes: string[];
}

/** The answer of a step, and where the order stands after it. */
export type WithState<T> = T & { state: TransferState };

export interface TransferStarted extends TransferCreated {
  state: TransferState;
}

/** What a cancellation in the Temporal UI did; `refused` says why it could not be. */
export type OperatorCancellation = WithState<{ refused: string | null }>;

/** How many approvals somebody was reminded of just now. */
export type Reminder = WithState<{ reminded: number }>;

export interface PickingStarted {
  batch_id: number;
  batch_number: string;
  tasks_created: number;
  /** The caller's earlier batches, which this one replaces. */
  superseded: number[];
  state: TransferState;
}
