import type { Actor } from "../actor.js";
import type { TransferOrderStatus, transferApprovalStates, transferLineStates } from "../states.js";
import type { NewTransfer, TransferState, WithState } from "./steps.js";

interface PickingStarted {
  batch_id: number;
  batch_number: string;
  tasks_created: number;
  /** The caller's earlier batches, which this one replaces. */
  superseded: number[];
}

interface Decided {
  to_approval_id: number;
  status: keyof typeof transferApprovalStates;
}

interface Decision {
  to_id: number;
  to_approval_id: number;
}

/** The activities that the workflow of a transfer order calls: each is one step, and tells where it stands after it. */
export type TransferActivities = {
  beginTransfer(request: NewTransfer, by: Actor): Promise<TransferState>;
  resumeTransfer(toId: number): Promise<TransferState>;
  startTransferPicking(toId: number, by: Actor): Promise<WithState<PickingStarted>>;
  submitTransfer(
    toId: number,
    by: Actor,
  ): Promise<WithState<Decided & { to_status: TransferOrderStatus; line_count: number }>>;
  approveTransfer(
    decision: Decision,
    by: Actor,
  ): Promise<WithState<Decided & { to_closed: boolean; line_count: number }>>;
  rejectTransfer(decision: Decision & { rejection_reason: string | null }, by: Actor): Promise<WithState<Decided>>;
  shortCloseLine(
    line: { to_id: number; to_line_id: number },
    by: Actor,
  ): Promise<WithState<{ to_line_id: number; status: keyof typeof transferLineStates; released_qty: number }>>;
  cancelTransfer(toId: number, by: Actor): Promise<WithState<{ to_id: number; status: TransferOrderStatus }>>;
  deleteTransfer(toId: number, by: Actor): Promise<{ to_id: number }>;
  /** `refused` says why it could not be cancelled. */
  cancelTransferByOperator(toId: number, commandId: string): Promise<WithState<{ refused: string | null }>>;
  /** `reminded` is how many approvals are overdue. */
  remindOfApproval(toId: number, commandId: string): Promise<WithState<{ reminded: number }>>;
};
