import { int } from "../../src/platform/db/columns.js";
import type { Tx } from "../command.js";
import { insertCounts } from "../counting/insert.js";
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
  const { pick_task_id, warehouse_id, bin_id, inventory_id } = task;
  if ((await doubtRow(tx, inventory_id)) === 0) return null;
  const next = await tx.row(
    { count_id: int },
    `select nextval(pg_get_serial_sequence('cycle_counts', 'count_id')) as count_id
     where not exists (select from cycle_counts where bin_id = $1 and status in ('PENDING', 'IN_PROGRESS'))`,
    [bin_id],
  );
  if (!next) return null;
  await insertCounts(tx, {
    ...{ warehouseId: warehouse_id, binIds: [bin_id], countIds: [next.count_id], assignedTo: null },
    because: { reason: "short pick", pick_task_id },
  });
  return next.count_id;
}
