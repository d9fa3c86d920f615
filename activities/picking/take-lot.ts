import type { ItemRow } from "../../src/master-data/items/shapes.js";
import { mayChangeLot, refusalOfLot } from "../../src/picking/other-lot.js";
import { WrongLot } from "../../src/picking/problems.js";
import { type AskedDays, freshFor } from "../../src/stock/sellable.js";
import type { Tx } from "../command.js";
import { noIncrease } from "../stock/backorders.js";
import { splitTask } from "../stock/moves.js";
import { changeCounters, lockSellableOf } from "../stock/stock.js";

/** A pending task of a locked batch, with the lot of its stock row, and how strictly its item's lots are picked. */
interface LotTask extends AskedDays {
  pick_task_id: number;
  item_id: number;
  bin_id: number;
  inventory_id: number;
  quantity_to_pick: number;
  to_id: number | null;
  lot_number: string | null;
  lot_picking: ItemRow["lot_picking"];
}

/** What a task becomes whose units are taken from another lot. */
interface InLot {
  inventory_id: number;
  lot_number: string | null;
  quantity_to_pick: number;
  /** The lot that was planned, where it is another one. */
  planned_lot?: string | null;
}

/**
 * The task for units of the lot that the picker named (docs/lots.md, Which lot is picked). Where the item's policy
 * allows another lot of the bin, the task takes its units from there, as far as they are free; what is not picked now
 * is left to a task of the planned lot. Otherwise the lot is refused. A transfer order gets the lots that it reserved.
 */
export async function takeLot<Task extends LotTask>(
  tx: Tx,
  task: Task,
  lot: string | null,
  quantity: number,
): Promise<Task & InLot> {
  const { lot_number: planned, lot_picking } = task;
  if (lot === null || lot === planned) return task;
  if (task.to_id !== null || !mayChangeLot(lot_picking)) {
    // Where the house knows of no lot, a label that names one says nothing wrong.
    if (planned === null) return task;
    throw WrongLot({ expected: planned, scanned: lot });
  }
  const rows = await lockSellableOf(tx, "select $1::int, $2::int", [task.item_id, task.bin_id]);
  const from = rows.find(({ inventory_id }) => inventory_id === task.inventory_id);
  const other = rows.find(({ lot_number }) => lot_number === lot);
  if (!from || !other) throw WrongLot({ expected: planned ?? "units without lot", scanned: lot });
  const [fresh] = freshFor([other], task);
  const refusal = refusalOfLot({ lot, quantity, lot_picking }, from, fresh ?? { ...other, available: 0 });
  if (refusal) throw refusal;
  await changeCounters(tx, noIncrease(tx), [
    { inventoryId: from.inventory_id, onHand: 0, allocated: -quantity },
    { inventoryId: other.inventory_id, onHand: 0, allocated: quantity },
  ]);
  const rest = task.quantity_to_pick - quantity;
  if (rest > 0) await splitTask(tx, task.pick_task_id, rest, from);
  await tx.run("update pick_tasks set inventory_id = $2 where pick_task_id = $1", [
    ...[task.pick_task_id, other.inventory_id],
  ]);
  const { inventory_id, lot_number } = other;
  return { ...task, inventory_id, lot_number, quantity_to_pick: quantity, planned_lot: planned };
}
