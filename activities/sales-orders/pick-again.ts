import { int } from "../../src/platform/db/columns.js";
import type { Tx } from "../command.js";
import { allocateLines } from "../stock/line-counters.js";
import { changeCounters } from "../stock/stock.js";
import type { Portion } from "./orders-with-picks.js";

/**
 * Picks that were released while their batch is active are picked again: the batch gets a new task for them, at the bin
 * and with the lot that they were returned to, and with allocations of stock and line. So the batch still picks
 * everything that its orders ask for.
 */
export async function pickAgain(tx: Tx, soId: number, released: Portion[]): Promise<void> {
  if (released.length === 0) return;
  const claimed = await tx.rows(
    { inventory_id: int, units: int },
    `with again as (
       select t.batch_id, r.so_line_id, r.units, t.pick_sequence, t.tote_number, v.inventory_id, v.item_id, v.bin_id,
              nextval(pg_get_serial_sequence('pick_tasks', 'pick_task_id')) as new_id
       from unnest($2::int[], $3::int[], $4::int[]) as r(pick_task_id, so_line_id, units)
       join pick_tasks t using (pick_task_id)
       join pick_batches p on p.batch_id = t.batch_id and p.status in ('OPEN', 'IN_PROGRESS')
       join inventory o on o.inventory_id = t.inventory_id
       join inventory v on v.item_id = t.item_id and v.bin_id = t.bin_id
         and v.lot_number is not distinct from o.lot_number
       where r.units > 0
     ), tasks as (
       insert into pick_tasks
         (pick_task_id, batch_id, so_id, so_line_id, inventory_id, item_id, bin_id, quantity_to_pick, pick_sequence,
          tote_number)
       select new_id, batch_id, $1, so_line_id, inventory_id, item_id, bin_id, units, pick_sequence, tote_number
       from again
     ), portions as (
       insert into wave_pick_breakdown (pick_task_id, so_id, so_line_id, quantity)
       select new_id, $1, so_line_id, units from again
     ), lines as (
       ${allocateLines("again")}
     )
     select inventory_id, units from again`,
    [
      soId,
      released.map((portion) => portion.pick_task_id),
      released.map((portion) => portion.so_line_id),
      released.map((portion) => portion.quantity_picked),
    ],
  );
  await changeCounters(
    tx.later,
    undefined,
    claimed.map(({ inventory_id, units }) => ({ inventoryId: inventory_id, onHand: 0, allocated: units })),
  );
}
