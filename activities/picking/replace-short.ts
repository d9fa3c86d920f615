import { type Allocation, PickedLine, planStops } from "../../src/picking/plan.js";
import type { RecordedShortPick } from "../../src/picking/shapes.js";
import { int } from "../../src/platform/db/columns.js";
import { freshFor, takeFrom } from "../../src/stock/sellable.js";
import type { Tx } from "../command.js";
import type { SellableRow } from "../stock/stock.js";
import { insertTasks, pickableStock } from "./tasks.js";

interface ShortTask {
  pick_task_id: number;
  batch_id: number;
  /** Set for a per-order batch, whose tasks are each for one line. */
  so_line_id: number | null;
  tote_number: string | null;
}

/**
 * Creates tasks in the same batch for units that a task did not find, from other bins; not from a stock row where this
 * batch was short before. All stock rows of the item are locked.
 */
export async function replaceShort(
  tx: Tx,
  { pick_task_id, batch_id, so_line_id, tote_number }: ShortTask,
  locked: SellableRow[],
): Promise<RecordedShortPick["replacements"]> {
  const [missing, stock, searched, place] = await Promise.all([
    tx.rows(
      { ...PickedLine.shape, units: int },
      `select w.so_id, so_line_id, quantity - quantity_picked as units, min_days_at_shipping
       from wave_pick_breakdown w join sales_orders so on so.so_id = w.so_id
       where pick_task_id = $1 and quantity > quantity_picked order by w.so_id, so_line_id`,
      [pick_task_id],
    ),
    pickableStock(tx, locked),
    tx.rows(
      { inventory_id: int },
      "select distinct inventory_id from pick_tasks where batch_id = $1 and status = 'SHORT'",
      [batch_id],
    ),
    tx.row(
      { pick_sequence: int },
      `select pick_sequence from pick_tasks join pick_batches using (batch_id)
       where pick_task_id = $1 and walk_metres is not null`,
      [pick_task_id],
    ),
  ]);
  const elsewhere = stock.filter((row) => !searched.some(({ inventory_id }) => inventory_id === row.inventory_id));
  const allocations: Allocation[] = [];
  for (const { units, ...line } of missing)
    takeFrom(freshFor(elsewhere, line), units, (row, quantity) => {
      allocations.push({ line, stock: row, quantity });
    });
  if (allocations.length === 0) return [];
  const stops = planStops(allocations, so_line_id === null);
  const ids = await insertTasks(
    tx,
    batch_id,
    stops.map((stop) => ({
      ...stop,
      // A walk by layout goes there next.
      stock: { ...stop.stock, ...place },
      line: so_line_id === null ? undefined : stop.portions[0]?.line,
      tote: tote_number,
    })),
  );
  return stops.map(({ stock: { bin_code }, quantity }, i) => ({
    ...{ pick_task_id: ids[i] as number, bin_code, quantity_to_pick: quantity },
  }));
}
