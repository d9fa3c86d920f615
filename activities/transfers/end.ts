import type { Actor } from "../../src/platform/actor.js";
import { bool, int, text } from "../../src/platform/db/columns.js";
import { systemActor } from "../../src/platform/system-actor.js";
import { NotCancellable, NotDeletable, PartiallyApproved } from "../../src/transfers/problems.js";
import type { TransferCancelled } from "../../src/transfers/shapes.js";
import type { OperatorCancellation, WithState } from "../../src/transfers/steps.js";
import { command, type Tx } from "../command.js";
import { endBatch } from "../picking/end-batch.js";
import { type LockedTransfer, lockWithWalk } from "../stock/transfer-lock.js";
import { checkMove } from "../stock/transfer-status.js";
import { releaseHeld } from "./release.js";
import { rejectApprovals } from "./review.js";
import { transferState } from "./state.js";

type Walk = Awaited<ReturnType<typeof lockWithWalk>>["walk"];

/**
 * Cancels a transfer order of which nothing is approved and no approval is pending (docs/interface.md, Transfer
 * orders): its walk ends, and the units that it holds are free again at the source. Audit TO_CANCELLED.
 *
 * Refusals: 409 `invalid_status_for_cancel`, `to_already_partially_approved`.
 */
export function cancelTransfer(toId: number, by: Actor): Promise<WithState<TransferCancelled>> {
  return command("transfers.cancel", by, { toId }, async (tx) => {
    const { transfer, walk } = await lockWithWalk(tx, toId, "source", by);
    const { status } = transfer;
    // Once everything that was submitted is rejected, there is no approval left to decide.
    const isRejected = status === "AWAITING_APPROVAL" && (await pendingOf(tx, toId)).length === 0;
    if (status !== "OPEN" && status !== "PARTIALLY_PICKED" && !isRejected) {
      const detail = `A transfer order that is ${status} cannot be cancelled`;
      throw NotCancellable({}, { current_status: status, detail });
    }
    const approved = await approvedOf(tx, toId);
    if (approved > 0) throw PartiallyApproved({}, { non_pending_approvals: approved });
    await cancel(tx, transfer, walk, null, by);
    return { to_id: toId, status: "CANCELLED", state: await transferState(tx, toId) };
  });
}

/**
 * Cancels a transfer order as the system user, because the cancellation of its workflow was requested in the Temporal
 * UI: also one with a pending approval. One of which units are approved already is not touched (`refused`): those units
 * have arrived, and a person short-closes the rest.
 * @public Called by `transferOrder`, which knows activities by their types alone.
 */
export function cancelTransferByOperator(toId: number, commandId: string): Promise<OperatorCancellation> {
  const by = systemActor(commandId);
  return command("transfers.cancelByOperator", by, { toId }, async (tx) => {
    const { transfer, walk } = await lockWithWalk(tx, toId, "source", by);
    const ended = transfer.status === "CLOSED" || transfer.status === "CANCELLED";
    const approved = ended ? 0 : await approvedOf(tx, toId);
    if (!ended && approved === 0) await cancel(tx, transfer, walk, "cancelled in the Temporal UI", by);
    const refused = approved > 0 ? "some of it is approved and has arrived: short-close the lines that are left" : null;
    return { refused, state: await transferState(tx, toId) };
  });
}

async function approvedOf(tx: Tx, toId: number): Promise<number> {
  const found = await tx.row(
    { approved: int },
    "select count(*) as approved from transfer_order_approvals where to_id = $1 and status = 'APPROVED'",
    [toId],
  );
  return found?.approved ?? 0;
}

const pendingOf = (tx: Tx, toId: number) =>
  tx.rows(
    { to_approval_id: int, submitted_by: text },
    "select to_approval_id, submitted_by from transfer_order_approvals where to_id = $1 and status = 'PENDING'",
    [toId],
  );

async function cancel(tx: Tx, transfer: LockedTransfer, walk: Walk, reason: string | null, by: Actor): Promise<void> {
  const { to_id, to_number, source_warehouse_id, status } = transfer;
  checkMove(transfer, "CANCELLED");
  const pending = await pendingOf(tx, to_id);
  if (pending.length > 0) await rejectApprovals(tx, transfer, pending, "the transfer order was cancelled", by);
  if (walk) await endBatch(tx, { ...walk, warehouse_id: source_warehouse_id }, "transfer order cancelled");
  const released_qty = await releaseHeld(tx, to_id);
  await tx.run("update transfer_orders set status = 'CANCELLED', updated_at = now() where to_id = $1", [to_id]);
  tx.audit({
    action: "TO_CANCELLED",
    entity: "TO",
    entityId: to_id,
    warehouseId: source_warehouse_id,
    details: { to_number, from_status: status, released_qty, ...(reason && { reason }) },
  });
}

/**
 * Deletes a transfer order that is OPEN or CANCELLED, without picks or approvals, with its batches; the units that it
 * holds are free again. Audit TO_DELETED.
 *
 * Refusals: 409 `to_not_deletable`.
 */
export function deleteTransfer(toId: number, by: Actor): Promise<{ to_id: number }> {
  return command("transfers.delete", by, { toId }, async (tx) => {
    const { transfer } = await lockWithWalk(tx, toId, "source", by);
    const { to_number, status, source_warehouse_id } = transfer;
    const history = await tx.row(
      { any_picks: bool, any_approvals: bool },
      `select exists (select from transfer_order_lines where to_id = $1 and picked_qty > 0) as any_picks,
              exists (select from transfer_order_approvals where to_id = $1) as any_approvals`,
      [toId],
    );
    const { any_picks = false, any_approvals = false } = history ?? {};
    if ((status !== "OPEN" && status !== "CANCELLED") || any_picks || any_approvals) {
      const deleted = "Only a transfer order that is OPEN or CANCELLED, without picks or approvals, is deleted";
      const detail = `${deleted}; it is ${status}`;
      throw NotDeletable({}, { any_picks, any_approvals, detail });
    }
    const released_qty = await releaseHeld(tx, toId);
    await tx.run("delete from transfer_orders where to_id = $1", [toId]);
    tx.audit({
      action: "TO_DELETED",
      entity: "TO",
      entityId: toId,
      warehouseId: source_warehouse_id,
      details: { to_number, status, released_qty },
    });
    return { to_id: toId };
  });
}
