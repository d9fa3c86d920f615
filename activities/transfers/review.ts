import { z } from "zod";
import type { Actor } from "../../src/platform/actor.js";
import { int, text } from "../../src/platform/db/columns.js";
import { setting } from "../../src/system/settings/queries.js";
import { ApprovalNotFound, ApprovalNotPending, SelfApproval } from "../../src/transfers/problems.js";
import type { TransferRejected } from "../../src/transfers/shapes.js";
import type { WithState } from "../../src/transfers/steps.js";
import { command, type Tx } from "../command.js";
import { type LockedTransfer, lockTransfer } from "../stock/transfer-lock.js";
import { settle } from "../stock/transfer-status.js";
import { transferState } from "./state.js";

/** An approval of an order. */
export interface ApprovalChoice {
  to_id: number;
  to_approval_id: number;
  /** Only these of its lines; all if it is not given. */
  to_line_ids?: number[];
}

export const PendingApproval = z.strictObject({ to_approval_id: int, external_id: text, submitted_by: text });
export type PendingApproval = z.infer<typeof PendingApproval>;

const LockApprovalRow = { ...PendingApproval.shape, status: text, approved_by: text.nullable() };

/** Locks an order for a decision on one of its approvals: 404 for none, 409 when it is decided already. */
export async function lockApproval(tx: Tx, { to_id, to_approval_id }: ApprovalChoice, by: Actor) {
  const transfer = await lockTransfer(tx, to_id, "destination", by);
  const approval = await tx.row(
    LockApprovalRow,
    `select to_approval_id, external_id, submitted_by, status, approved_by from transfer_order_approvals
     where to_approval_id = $1 and to_id = $2`,
    [to_approval_id, to_id],
  );
  if (!approval) throw ApprovalNotFound();
  const { status, approved_by } = approval;
  if (status !== "PENDING") throw ApprovalNotPending({}, { current_status: status, approved_by });
  return { transfer, approval: approval as PendingApproval };
}

/**
 * Whether the caller decides about a submission of the same user; with setting `transfer_order_block_self_approval`
 * that is 403 `self_approval_blocked`.
 */
export async function isSelfApproval(tx: Tx, { submitted_by }: PendingApproval, by: Actor): Promise<boolean> {
  if (submitted_by !== by.username) return false;
  if ((await setting(tx, "transfer_order_block_self_approval")) === "true")
    throw SelfApproval({}, { submitted_by, detail: "Somebody other than who submitted the picks approves them" });
  return true;
}

/**
 * Rejects submitted picks: stock, lines and order stay as they are, and the picks can be submitted again. (If
 * short-closing had emptied the approval, the order is now CLOSED: only the approval kept it open.) Audit TO_REJECTED.
 */
export function rejectTransfer(
  input: ApprovalChoice & { rejection_reason: string | null },
  by: Actor,
): Promise<WithState<TransferRejected>> {
  return command("transfers.reject", by, input, async (tx) => {
    const { transfer, approval } = await lockApproval(tx, input, by);
    const reason = input.rejection_reason?.slice(0, 1000) || null;
    await rejectApprovals(tx, transfer, [approval], reason, by);
    await settle(tx, transfer);
    const { to_approval_id } = approval;
    return { to_approval_id, status: "REJECTED", state: await transferState(tx, transfer.to_id) };
  });
}

/** Sets approvals of a locked order to REJECTED. */
export async function rejectApprovals(
  tx: Tx,
  { to_id, to_number, destination_warehouse_id }: LockedTransfer,
  approvals: Pick<PendingApproval, "to_approval_id" | "submitted_by">[],
  reason: string | null,
  by: Actor,
): Promise<void> {
  await tx.run(
    `update transfer_order_approvals
     set status = 'REJECTED', rejected_by = $2, rejected_at = now(), rejection_reason = $3
     where to_approval_id = any($1)`,
    [approvals.map((approval) => approval.to_approval_id), by.username, reason],
  );
  for (const { to_approval_id, submitted_by } of approvals)
    tx.audit({
      action: "TO_REJECTED",
      entity: "TO_APPROVAL",
      entityId: to_approval_id,
      warehouseId: destination_warehouse_id,
      details: { to_id, to_number, submitted_by, reason },
    });
}
