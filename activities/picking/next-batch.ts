import { BatchHasPicks, BatchWaits, NoBatchWaits, TransferBatch } from "../../src/picking/problems.js";
import { type ActiveBatchRow, activeBatchOf } from "../../src/picking/queries.js";
import type { NextBatchRequest } from "../../src/picking/waves/shapes.js";
import type { Actor } from "../../src/platform/actor.js";
import { int, text } from "../../src/platform/db/columns.js";
import { BinNotFound } from "../../src/stock/problems.js";
import { command, type Tx } from "../command.js";
import { letWait } from "./let-wait.js";
import { lockOwnBatch, refuseEnded } from "./lock-batch.js";
import { lockActiveBatches } from "./release.js";

/**
 * Gives the caller the batch that waits for a picker and is due first; of equal ones that with the highest priority,
 * then the one whose first stop is nearest, then the oldest. Who picks a batch in the warehouse gets that one again.
 * Audit UPDATE of the batch.
 *
 * Refusals: 404 `no_batch_waits`, 404 `bin_not_found`.
 */
export function nextBatch(asked: NextBatchRequest, by: Actor): Promise<ActiveBatchRow> {
  return command("picking.nextBatch", by, asked, async (tx) => {
    const near = asked.near_bin_id === undefined ? null : await sequenceOf(tx, asked.near_bin_id, asked.warehouse_id);
    const own = await lockActiveBatches(tx, by.userId, asked.warehouse_id);
    const batchId = own.at(-1) ?? (await takeFirst(tx, asked.warehouse_id, near, by));
    return (await activeBatchOf(tx, batchId)) as ActiveBatchRow;
  });
}

async function sequenceOf(tx: Tx, bin_id: number, warehouseId: number): Promise<number> {
  const bin = await tx.row(
    { pick_sequence: int },
    "select pick_sequence from bins where bin_id = $1 and warehouse_id = $2",
    [bin_id, warehouseId],
  );
  if (!bin) throw BinNotFound({ bin_id });
  return bin.pick_sequence;
}

async function takeFirst(tx: Tx, warehouseId: number, near: number | null, by: Actor): Promise<number> {
  const batch = await tx.row(
    { batch_id: int, batch_number: text },
    `select batch_id, batch_number from pick_batches
     where warehouse_id = $1 and status = 'OPEN' and assigned_to is null
     order by ship_by_date, priority desc, abs(first_sequence - $2::int), batch_id limit 1 for update skip locked`,
    [warehouseId, near],
  );
  if (!batch) throw NoBatchWaits();
  const { batch_id, batch_number } = batch;
  takeFor(tx, batch_id, by);
  tx.audit(assigned(batch_id, warehouseId, { batch_number, assigned_to: { old: null, new: by.username } }));
  return batch_id;
}

/** Makes a batch that waited somebody's. */
export function takeFor(tx: Tx, batchId: number, { username, userId }: Pick<Actor, "username" | "userId">): void {
  tx.later.run(
    "update pick_batches set assigned_to = $2, assigned_user_id = $3, started_at = now() where batch_id = $1",
    [batchId, username, userId],
  );
}

/**
 * Gives a batch back that nobody has picked from: it is nobody's again, and waits for another picker. Audit UPDATE.
 *
 * Refusals: 404 `batch_not_found`, 409 `batch_not_active`, `transfer_batch`, `batch_waits`, `batch_has_picks`.
 */
export function giveBack(batchId: number, by: Actor): Promise<{ message: string }> {
  return command("picking.giveBack", by, { batchId }, async (tx) => {
    const batch = await lockOwnBatch(tx, batchId, by);
    refuseEnded(batch);
    const { batch_number, warehouse_id, to_id, assigned_to } = batch;
    if (to_id !== null) throw TransferBatch({ batch_number });
    if (assigned_to === null) throw BatchWaits({ batch_number });
    const done = await tx.row(
      { tasks: int },
      "select count(*) as tasks from pick_tasks where batch_id = $1 and status in ('PICKED', 'SHORT')",
      [batchId],
    );
    if (done && done.tasks > 0) throw BatchHasPicks({ batch_number });
    await letWait(tx, batchId);
    tx.audit(assigned(batchId, warehouse_id, { batch_number, assigned_to: { old: assigned_to, new: null } }));
    return { message: "Batch given back" };
  });
}

export const assigned = (entityId: number, warehouseId: number, details: Record<string, unknown>) => ({
  ...{ action: "UPDATE", entity: "PICK_BATCH", entityId, warehouseId, details },
});
