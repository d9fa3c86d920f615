import type { Actor } from "../../src/platform/actor.js";
import { int } from "../../src/platform/db/columns.js";
import { ConcurrentChange, type Tx } from "../command.js";
import { withdrawTask } from "../picking/scan.js";
import { noIncrease } from "../stock/backorders.js";
import { batchesOfRows } from "../stock/moves.js";
import { changeRows, lockItem, reservedUnits } from "../stock/stock.js";
import { lockTransfersOfRows } from "../stock/transfer-cuts.js";

/** Stock rows `v` of one item, by SQL, and the condition that they get. */
interface Withdrawal {
  itemId: number;
  which: string;
  values: unknown[];
  condition: string;
  /** Why, for the records of the pick tasks that end. */
  reason: string;
}

/**
 * Takes stock rows out of sale: what orders and transfer orders had reserved of them is released, and pick tasks end
 * short. All of them get other units, as far as there are any. What was picked stays picked. Locks what it changes, in
 * the lock order. Returns the units of each row.
 */
export async function withdraw(
  tx: Tx,
  { itemId, which, values, condition, reason }: Withdrawal,
  by: Actor,
): Promise<number[]> {
  const batches = await batchesOfRows(tx, which, values, "for update");
  const transfers = await lockTransfersOfRows(tx, which, values);
  const stock = await lockItem(tx, itemId);
  const rows = await tx.rows(
    { inventory_id: int, quantity_on_hand: int },
    `update inventory v set condition = $${values.length + 1} where ${which} returning inventory_id, quantity_on_hand`,
    [...values, condition],
  );
  const ids = rows.map((row) => row.inventory_id);
  const tasks = await tx.rows(
    { pick_task_id: int, batch_id: int },
    `select pick_task_id, batch_id from pick_tasks where inventory_id = any($1) and status = 'PENDING'
     order by pick_task_id`,
    [ids],
  );
  if (tasks.some(({ batch_id }) => !batches.includes(batch_id)))
    throw new ConcurrentChange("a batch has begun to pick there");
  for (const { pick_task_id } of tasks) await withdrawTask(tx, pick_task_id, stock, reason, by);
  const reserved = await reservedUnits(tx, transfers, ids);
  const changes = [...reserved].map(([inventoryId, released]) => ({ inventoryId, onHand: 0, released }));
  await changeRows(tx, transfers, noIncrease(tx), changes);
  return rows.map((row) => row.quantity_on_hand);
}
