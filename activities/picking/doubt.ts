import type { Tx } from "../command.js";
import { countBin } from "../counting/insert.js";
import { doubtRow } from "../stock/doubts.js";

interface SearchedPlace {
  pick_task_id: number;
  warehouse_id: number;
  bin_id: number;
  inventory_id: number;
}

/**
 * A picker found no more units in a bin: the units that the books still have in this stock row are in doubt, and a
 * count of the bin is created unless one is open. Returns the new count. The bin and all stock rows of the item are
 * locked.
 */
export async function doubt(tx: Tx, task: SearchedPlace): Promise<number | null> {
  if ((await doubtRow(tx, task.inventory_id)) === 0) return null;
  const count = await countBin(tx, task, { reason: "short pick", pick_task_id: task.pick_task_id });
  return count?.count_id ?? null;
}
