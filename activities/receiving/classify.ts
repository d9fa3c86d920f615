import { int } from "../../src/platform/db/columns.js";
import { db } from "../../src/platform/db/db.js";

/** Of which days the picks count. */
const DAYS = 90;
/** The share of the picks that the items of class A make, and those of A and B together. */
const SHARES = { a: 0.8, b: 0.95 };

/**
 * Classes the items of each warehouse by how often they were picked (docs/put-away.md). Only rows that change are
 * written. Gives how many.
 */
export async function classifyItems(): Promise<number> {
  const warehouses = await db.rows(
    { warehouse_id: int },
    "select warehouse_id from warehouses where not is_sandbox order by warehouse_id",
  );
  let changed = 0;
  for (const { warehouse_id } of warehouses) changed += await classifyIn(warehouse_id);
  return changed;
}

async function classifyIn(warehouse_id: number): Promise<number> {
  const counted = await db.row(
    { changed: int },
    `with picked as (
       select t.item_id, count(*) as picks
       from pick_batches b join pick_tasks t using (batch_id)
       where b.warehouse_id = :warehouse_id and b.created_at > now() - make_interval(days => :days)
         and t.quantity_picked > 0
       group by t.item_id
     ), ranked as (
       select item_id, picks,
              (sum(picks) over (order by picks desc, item_id) - picks) / sum(picks) over () as before
       from picked
     ), classed as (
       select item_id, picks, case when before < :a then 'A' when before < :b then 'B' else 'C' end as item_class
       from ranked
     ), gone as (
       delete from item_classes c
       where warehouse_id = :warehouse_id and not exists (select from classed n where n.item_id = c.item_id)
       returning item_id
     ), written as (
       insert into item_classes as c (warehouse_id, item_id, item_class, picks)
       select :warehouse_id, item_id, item_class, picks from classed order by item_id
       on conflict (warehouse_id, item_id) do update set item_class = excluded.item_class, picks = excluded.picks
         where (c.item_class, c.picks) <> (excluded.item_class, excluded.picks)
       returning item_id
     )
     select (select count(*) from gone) + (select count(*) from written) as changed`,
    { warehouse_id, days: DAYS, ...SHARES },
  );
  return counted?.changed ?? 0;
}
