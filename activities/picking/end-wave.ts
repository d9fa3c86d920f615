import { TasksPending, UnknownBatch } from "../../src/picking/problems.js";
import type { CompletedBatch } from "../../src/picking/shapes.js";
import { refuseShortfalls, silentShortfalls } from "../../src/picking/shortfall.js";
import { type Actor, checkWarehouse } from "../../src/platform/actor.js";
import { int, text } from "../../src/platform/db/columns.js";
import { systemActor } from "../../src/platform/system-actor.js";
import { idleMs } from "../../src/system/settings/queries.js";
import { command, type Tx } from "../command.js";
import { lockTransfersOf } from "../stock/transfer-lock.js";
import { emitPickConfirmed } from "./confirm-picked.js";
import { endBatch } from "./end-batch.js";
import { isActive, lockBatch, lockOwnBatch, refuseEnded } from "./lock-batch.js";
import { submitPicked } from "./submit-transfer-picks.js";

/**
 * Completes a batch (docs/interface.md, Picking); all its tasks must be done and all shortfalls reported. The batch
 * becomes COMPLETED and its orders PICKED, with a `pick.confirmed` event for each. The batch of a transfer order
 * submits what was picked; units that are missing can still be picked, or the line is short-closed.
 */
export function completeWave(batchId: number, by: Actor): Promise<CompletedBatch> {
  return command("picking.completeWave", by, { batchId }, async (tx) => {
    const batch = await lockBatch(tx, batchId);
    if (!batch) throw UnknownBatch({ batch_id: batchId });
    checkWarehouse(by, batch.warehouse_id);
    refuseEnded(batch);
    const tasks = await tx.row(
      { pending: int, picked: int, shorts: int },
      `select (count(*) filter (where status = 'PENDING'))::int as pending,
              coalesce(sum(quantity_picked) filter (where status in ('PICKED', 'SHORT')), 0) as picked,
              (count(*) filter (where status = 'SHORT' and (to_line_id is not null or exists (
                select from wave_pick_breakdown w join sales_order_lines l using (so_line_id)
                where w.pick_task_id = t.pick_task_id and w.short_quantity > 0
                  and l.quantity_picked < l.quantity_ordered))))::int as shorts
       from pick_tasks t where batch_id = $1`,
      [batchId],
    );
    if (tasks && tasks.pending > 0) throw TasksPending({ count: tasks.pending });
    const transfer = batch.to_id === null ? undefined : await submitWalk(tx, batch.to_id, by);
    const orders = await tx.rows(
      { so_id: int, so_number: text, external_id: text, warehouse_id: int },
      `select so_id, so_number, external_id, warehouse_id from sales_orders
       where so_id in (select so_id from pick_batch_orders where batch_id = $1) order by so_id for update`,
      [batchId],
    );
    const soIds = orders.map((order) => order.so_id);
    refuseShortfalls(await silentShortfalls(tx, soIds));
    tx.later.run(
      `with orders as (
         update sales_orders set status = 'PICKED', picked_at = now(), updated_at = clock_timestamp()
         where so_id = any($2)
       ), links as (
         update pick_batch_orders set active = false where batch_id = $1
       ), lines as (
         update sales_order_lines set status = 'PICKED' where so_id = any($2)
       )
       update pick_batches set status = 'COMPLETED', completed_at = now() where batch_id = $1`,
      [batchId, soIds],
    );
    tx.audit({
      action: "UPDATE",
      entity: "PICK_BATCH",
      entityId: batchId,
      warehouseId: batch.warehouse_id,
      details: { batch_number: batch.batch_number, status: "COMPLETED", so_ids: soIds, ...transfer },
    });
    await emitPickConfirmed(tx, orders, by);
    return {
      message: "Batch completed",
      batch_id: batchId,
      batch_number: batch.batch_number,
      summary: {
        total_orders: transfer ? 1 : orders.length,
        total_items_picked: tasks?.picked ?? 0,
        total_shorts: tasks?.shorts ?? 0,
        orders: orders.map(({ so_number }) => ({ so_number, status: "PICKED" })),
      },
      ...(transfer && { transfer }),
    };
  });
}

/** Submits what a walk for a transfer order has picked, if anything. */
async function submitWalk(tx: Tx, toId: number, by: Actor): Promise<CompletedBatch["transfer"]> {
  const [order] = await lockTransfersOf(tx, [], toId);
  if (!order) return undefined;
  const submitted = await submitPicked(tx, order, by);
  const { to_id, to_number, status } = order;
  return { to_id, to_number, to_status: status, to_approval_id: submitted?.to_approval_id ?? null };
}

/** Cancels a batch: its picks and allocations are released and the orders stay OPEN (docs/interface.md, Picking). */
export function cancelWave(batchId: number, by: Actor): Promise<{ message: string }> {
  return command("picking.cancelWave", by, { batchId }, async (tx) => {
    const batch = await lockOwnBatch(tx, batchId, by);
    refuseEnded(batch);
    await endBatch(tx, batch, "cancelled");
    return { message: "Batch cancelled" };
  });
}

/**
 * Whether a wave has ended; otherwise when to check it again (null: the idle release is off, and may be turned on
 * later).
 */
export interface IdleCheck {
  ended?: "completed" | "cancelled" | "idle";
  again_ms: number | null;
}

/**
 * Releases a wave, as the system user, when nobody scanned for the hours of setting `batch_idle_release_hours`. The
 * rows decide, not the workflow's signals: a scan whose signal was lost counts.
 */
export function releaseIfIdle(batchId: number, commandId: string): Promise<IdleCheck> {
  const by = systemActor(commandId);
  return command("picking.releaseIfIdle", by, { batchId }, async (tx) => {
    const batch = await lockBatch(tx, batchId);
    if (!batch || !isActive(batch)) {
      return { ended: batch?.status === "COMPLETED" ? "completed" : "cancelled", again_ms: null };
    }
    const idle_ms = await idleMs(tx);
    if (idle_ms === null) return { again_ms: null };
    const since = await tx.row(
      { ms: int },
      `select (extract(epoch from clock_timestamp() - greatest(p.started_at, max(t.picked_at))) * 1000)::int8 as ms
       from pick_batches p left join pick_tasks t using (batch_id) where p.batch_id = $1 group by p.batch_id`,
      [batchId],
    );
    const left = idle_ms - (since?.ms ?? 0);
    if (left > 0) return { again_ms: left };
    await endBatch(tx, batch, "idle");
    return { ended: "idle", again_ms: null };
  });
}

/**
 * Cancels a wave as the system user, because the cancellation of its workflow was requested in the Temporal UI. Where
 * it had ended before, returns how.
 * @public Called by `pickWave`, which knows activities by their types alone.
 */
export function cancelByOperator(batchId: number, commandId: string): Promise<{ ended: "completed" | "cancelled" }> {
  const by = systemActor(commandId);
  return command("picking.cancelByOperator", by, { batchId }, async (tx) => {
    const batch = await lockBatch(tx, batchId);
    if (batch && isActive(batch)) await endBatch(tx, batch, "cancelled in the Temporal UI");
    return { ended: batch?.status === "COMPLETED" ? "completed" : "cancelled" };
  });
}
