import { type LineToPick, PickableStock, type PickedLine, type Stop } from "../../src/picking/plan.js";
import { int } from "../../src/platform/db/columns.js";
import { FREE, MAY_BE_SELLABLE, SELLABLE_STOCK } from "../../src/stock/sellable.js";
import type { Tx } from "../command.js";
import { allocateLines } from "../stock/line-counters.js";
import { changeCounters, type StockRow } from "../stock/stock.js";

const pickable = (inventoryIds: string): string => `
  select inventory_id, item_id, bin_id, pick_sequence, bin_code, available, days_left
  from ${SELLABLE_STOCK} s where inventory_id = any(${inventoryIds}) and is_picked_from
  order by expiry_date, pick_sequence, updated_at, inventory_id`;

const idsOf = (rows: Pick<StockRow, "inventory_id">[]) => rows.map((row) => row.inventory_id);

/**
 * The locked stock that can be picked, in the order of use: what expires first, then by pick sequence, then oldest
 * first.
 */
export const pickableStock = (tx: Tx, locked: Pick<StockRow, "inventory_id">[]): Promise<PickableStock[]> =>
  tx.rows(PickableStock, pickable("$1"), [idsOf(locked)]);

/**
 * The same, of each item only the days of expiry until there are as many units as the lines need, if all of them can be
 * picked: of an item with many lots few are used.
 */
export const firstPickable = (
  tx: Tx,
  locked: Pick<StockRow, "inventory_id">[],
  lines: Pick<LineToPick, "item_id" | "needed">[],
): Promise<PickableStock[]> =>
  tx.rows(PickableStock, pickable(FIRST_TO_EXPIRE), [
    idsOf(locked),
    lines.map((line) => line.item_id),
    lines.map((line) => line.needed),
  ]);

const FIRST_TO_EXPIRE = `array(
  select inventory_id from (
    select inventory_id, needed,
           sum(${FREE}) over (partition by item_id order by expiry_date
                              groups between unbounded preceding and 1 preceding) as earlier
    from inventory v join (
        select item_id, min_days_at_shipping, sum(units) as needed
        from unnest($2::int[], $3::int[]) as line(item_id, units) join items using (item_id)
        group by item_id, min_days_at_shipping) i using (item_id)
    where inventory_id = any($1) and ${MAY_BE_SELLABLE}) by_day
  where coalesce(earlier, 0) < needed)`;

/** A stop that becomes a task, of one order line, or (undefined) of several lines of a wave. */
export interface TaskStop extends Stop {
  line: PickedLine | undefined;
  tote: string | null;
}

/**
 * Inserts the tasks of a batch in order, the portion of each order line in them, and the allocations of stock and
 * lines. Returns the ids of the tasks. The stock rows are locked.
 */
export async function insertTasks(tx: Tx, batchId: number, stops: TaskStop[]): Promise<number[]> {
  const tasks = await tx.rows(
    { pick_task_id: int },
    `insert into pick_tasks
       (batch_id, so_id, so_line_id, inventory_id, item_id, bin_id, quantity_to_pick, pick_sequence, tote_number)
     select :batchId, so_id, so_line_id, inventory_id, item_id, bin_id, quantity, pick_sequence, tote
     from unnest(:so_ids::int[], :so_line_ids::int[], :inventory_ids::int[], :item_ids::int[], :bin_ids::int[],
                 :quantities::int[], :pick_sequences::int[], :totes::text[])
       with ordinality as t(so_id, so_line_id, inventory_id, item_id, bin_id, quantity, pick_sequence, tote, place)
     order by place returning pick_task_id`,
    {
      batchId,
      so_ids: stops.map((stop) => stop.line?.so_id ?? null),
      so_line_ids: stops.map((stop) => stop.line?.so_line_id ?? null),
      inventory_ids: stops.map((stop) => stop.stock.inventory_id),
      item_ids: stops.map((stop) => stop.stock.item_id),
      bin_ids: stops.map((stop) => stop.stock.bin_id),
      quantities: stops.map((stop) => stop.quantity),
      pick_sequences: stops.map((stop) => stop.stock.pick_sequence),
      totes: stops.map((stop) => stop.tote),
    },
  );
  const ids = tasks.map((task) => task.pick_task_id);
  const portions = stops.flatMap((stop, i) => stop.portions.map((portion) => ({ task: ids[i], ...portion })));
  const claimed = changeCounters(
    tx,
    undefined,
    stops.map(({ stock, quantity }) => ({ inventoryId: stock.inventory_id, onHand: 0, allocated: quantity })),
  );
  const shared = tx.run(
    `with portions as (
       insert into wave_pick_breakdown (pick_task_id, so_id, so_line_id, quantity)
       select * from unnest($1::int[], $2::int[], $3::int[], $4::int[])
       returning so_line_id, quantity as units
     )
     ${allocateLines("portions")}`,
    [
      portions.map((portion) => portion.task),
      portions.map((portion) => portion.line.so_id),
      portions.map((portion) => portion.line.so_line_id),
      portions.map((portion) => portion.quantity),
    ],
  );
  await Promise.all([claimed, shared]);
  return ids;
}
