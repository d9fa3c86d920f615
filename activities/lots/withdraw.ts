import type { Actor } from "../../src/platform/actor.js";
import { int } from "../../src/platform/db/columns.js";
import { ConcurrentChange, type Tx } from "../command.js";
import { withdrawTask } from "../picking/scan.js";
import { noIncrease } from "../stock/backorders.js";
import { batchesOfRows, splitTask } from "../stock/moves.js";
import { changeRows, free, lockItem, lockItems, reservedUnits, type SellableRow } from "../stock/stock.js";
import { lockTransfersOfRows, type TransfersHere } from "../stock/transfer-cuts.js";

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
  for (const { pick_task_id } of await pendingTasks(tx, ids, batches))
    await withdrawTask(tx, pick_task_id, stock, reason, by);
  const reserved = await reservedUnits(tx, transfers, ids);
  const changes = [...reserved].map(([inventoryId, released]) => ({ inventoryId, onHand: 0, released }));
  await changeRows(tx, transfers, noIncrease(tx), changes);
  return rows.map((row) => row.quantity_on_hand);
}

/** The pending tasks that take from locked stock rows, the youngest first; their batches must be locked. */
async function pendingTasks(tx: Tx, inventoryIds: number[], batches: number[]) {
  const tasks = await tx.rows(
    { pick_task_id: int, batch_id: int, quantity_to_pick: int },
    `select pick_task_id, batch_id, quantity_to_pick from pick_tasks
     where inventory_id = any($1) and status = 'PENDING' order by pick_task_id desc`,
    [inventoryIds],
  );
  if (tasks.some(({ batch_id }) => !batches.includes(batch_id)))
    throw new ConcurrentChange("a batch has begun to pick there");
  return tasks;
}

/** One stock row, locked after all that may claim its units, with the other rows of its item in its warehouse. */
export interface ClaimedRow {
  batches: number[];
  transfers: TransfersHere;
  stock: SellableRow[];
  row: SellableRow;
}

/** Locks a stock row and all that may claim its units, in the lock order. */
export async function lockClaims(
  tx: Tx,
  place: { inventory_id: number; item_id: number; warehouse_id: number },
): Promise<ClaimedRow> {
  const { inventory_id, item_id, warehouse_id } = place;
  const [which, values] = ["v.inventory_id = $1", [inventory_id]];
  const batches = await batchesOfRows(tx, which, values, "for update");
  const transfers = await lockTransfersOfRows(tx, which, values);
  const stock = await lockItems(tx, warehouse_id, [item_id]);
  const row = stock.find((one) => one.inventory_id === inventory_id);
  if (!row) throw new ConcurrentChange("the stock row is gone");
  return { batches, transfers, stock, row };
}

/**
 * Frees so many units of a locked row: after the free ones those that are reserved, then those of pick tasks, the
 * youngest first, which end short, the last one in part. Orders get other units, as far as there are any. It must have
 * as many that are not on hold and not picked.
 */
export async function freeUnits(tx: Tx, claimed: ClaimedRow, units: number, reason: string, by: Actor): Promise<void> {
  const { batches, transfers, stock, row } = claimed;
  const { inventory_id } = row;
  const reserved = (await reservedUnits(tx, transfers, [inventory_id])).get(inventory_id) ?? 0;
  let inTasks = units - free(row) - reserved;
  if (inTasks > 0)
    for (const { pick_task_id, quantity_to_pick } of await pendingTasks(tx, [inventory_id], batches)) {
      if (inTasks <= 0) break;
      const ends = inTasks < quantity_to_pick ? await splitTask(tx, pick_task_id, inTasks, row) : pick_task_id;
      await withdrawTask(tx, ends, stock, reason, by);
      inTasks -= quantity_to_pick;
    }
  const now = await tx.row(
    { quantity_on_hand: int, quantity_allocated: int },
    "select quantity_on_hand, quantity_allocated from inventory where inventory_id = $1",
    [inventory_id],
  );
  const released = Math.max(0, units - free(now ?? row));
  await changeRows(tx, transfers, noIncrease(tx), [{ inventoryId: inventory_id, onHand: 0, released }]);
}
