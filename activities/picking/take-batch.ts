import { NotTransferBatch } from "../../src/picking/problems.js";
import type { TakenBatch } from "../../src/picking/shapes.js";
import type { Actor } from "../../src/platform/actor.js";
import { command } from "../command.js";
import { lockOwnBatch, refuseEnded } from "./lock-batch.js";

/**
 * Gives the active batch of a transfer order to the caller, whoever began it; its picks stay as they are. If it is the
 * caller's already, nothing changes. Audit UPDATE of the batch.
 *
 * Refusals: 404 `batch_not_found`, 409 `batch_not_active`, 409 `not_a_transfer_batch`.
 */
export function takeBatch(batchId: number, by: Actor): Promise<TakenBatch> {
  return command("picking.takeBatch", by, { batchId }, async (tx) => {
    const batch = await lockOwnBatch(tx, batchId, by);
    const { batch_number, warehouse_id, to_id, assigned_to, assigned_user_id } = batch;
    if (to_id === null) throw NotTransferBatch({ batch_number });
    refuseEnded(batch);
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
