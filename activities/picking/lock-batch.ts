import { z } from "zod";
import { BatchNotActive, BatchNotFound } from "../../src/picking/problems.js";
import { type Actor, checkWarehouse } from "../../src/platform/actor.js";
import { int, text } from "../../src/platform/db/columns.js";
import type { Tx } from "../command.js";

const Batch = z.strictObject({
  batch_id: int,
  batch_number: text,
  warehouse_id: int,
  status: text,
  /** The transfer order that the batch picks. */
  to_id: int.nullable(),
  /** The picker's name, which stays when the user is gone; null where the batch waits for a picker. */
  assigned_to: text.nullable(),
  assigned_user_id: int.nullable(),
});
type Batch = z.infer<typeof Batch>;

export const isActive = ({ status }: Pick<Batch, "status">) => status === "OPEN" || status === "IN_PROGRESS";

/** Refuses a batch that has ended: 409 `batch_not_active`. */
export function refuseEnded(batch: Pick<Batch, "status">): void {
  if (!isActive(batch)) throw BatchNotActive({}, { status: batch.status });
}

/** Locks a batch, if there is one. */
export const lockBatch = (tx: Tx, batchId: number): Promise<Batch | undefined> =>
  tx.row(
    Batch,
    `select batch_id, batch_number, warehouse_id, status, to_id, assigned_to, assigned_user_id
     from pick_batches where batch_id = $1 for update`,
    [batchId],
  );

/** Locks a batch of the caller's warehouses; 404 `batch_not_found`, 403 `warehouse_denied`. */
export async function lockOwnBatch(tx: Tx, batchId: number, by: Actor): Promise<Batch> {
  const batch = await lockBatch(tx, batchId);
  if (!batch) throw BatchNotFound();
  checkWarehouse(by, batch.warehouse_id);
  return batch;
}
