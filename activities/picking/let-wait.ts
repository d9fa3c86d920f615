import { int } from "../../src/platform/db/columns.js";
import type { Tx } from "../command.js";
import { isActive, lockBatch } from "./lock-batch.js";

/** Makes a batch nobody's: it waits for a picker, who gets the most urgent one, and of equal ones the nearest. */
export const letWait = (tx: Tx, batchId: number): Promise<number> =>
  tx.run(
    `update pick_batches p
     set assigned_to = null, assigned_user_id = null, started_at = null,
         ship_by_date = o.ship_by_date, priority = o.priority,
         first_sequence = (select min(b.pick_sequence) from pick_tasks join bins b using (bin_id)
                           where batch_id = $1 and status = 'PENDING')
     from (select min(ship_by_date) as ship_by_date, max(priority) as priority
           from pick_batch_orders join sales_orders using (so_id) where batch_id = $1) o
     where p.batch_id = $1`,
    [batchId],
  );

const BatchOfOrder = { batch_id: int };

/** Locks the batch of an order where it waits for a picker, as everybody does: before the order. */
export async function lockWaitingBatch(tx: Tx, soId: number): Promise<number | undefined> {
  const of = await tx.row(BatchOfOrder, "select batch_id from pick_batch_orders where so_id = $1 and active", [soId]);
  const batch = of && (await lockBatch(tx, of.batch_id));
  return batch && isActive(batch) && batch.assigned_to === null ? batch.batch_id : undefined;
}
