import { z } from "zod";
import { BatchNotActive, BatchNotFound, NotTransferBatch } from "../../src/picking/problems.js";
import type { TakenBatch } from "../../src/picking/shapes.js";
import { type Actor, checkWarehouse } from "../../src/platform/actor.js";
import { int, text } from "../../src/platform/db/columns.js";
import { command } from "../command.js";

const Batch = z.strictObject({
  batch_number: text,
  warehouse_id: int,
  status: text,
  to_id: int.nullable(),
  assigned_to: text.nullable(),
  assigned_user_id: int.nullable(),
});

/**
 * Gives the active batch of a transfer order to the caller, whoever began it; its picks stay as they are. If it is the
 * caller's already, nothing changes. Audit UPDATE of the batch.
 *
 * Refusals: 404 `batch_not_found`, 409 `batch_not_active`, 409 `not_a_transfer_batch`.
 */
export function takeBatch(batchId: number, by: Actor): Promise<TakenBatch> {
  return command("picking.takeBatch", by, { batchId }, async (tx) => {
    const batch = await tx.row(
      Batch,
      `select batch_number, warehouse_id, status, to_id, assigned_to, assigned_user_id
       from pick_batches where batch_id = $1 for update`,
      [batchId],
    );
    if (!batch) throw BatchNotFound();
    const { batch_number, warehouse_id, status, to_id, assigned_to, assigned_user_id } = batch;
    checkWarehouse(by, warehouse_id);
    if (to_id === null) throw NotTransferBatch({ batch_number });
    if (status !== "OPEN" && status !== "IN_PROGRESS") throw BatchNotActive({}, { status });
    const taken = { batch_id: batchId, batch_number, assigned_to: by.username };
    if (assigned_user_id === by.userId) return taken;
    tx.later.run("update pick_batches set assigned_to = $2, assigned_user_id = $3 where batch_id = $1", [
      batchId,
      by.username,
      by.userId,
    ]);
    tx.audit({
      action: "UPDATE",
      entity: "PICK_BATCH",
      entityId: batchId,
      warehouseId: warehouse_id,
      details: { batch_number, to_id, assigned_to: { old: assigned_to, new: by.username } },
    });
    return taken;
  });
}
