import { randomUUID } from "node:crypto";
import { z } from "zod";
import { int, text } from "../../src/platform/db/columns.js";
import { todayAt } from "../../src/platform/db/days.js";
import { systemActor } from "../../src/platform/system-actor.js";
import { command } from "../command.js";

/** How many days before its last day it is told of a stock row. */
const DAYS_BEFORE = [30, 7, 1];
/** How many rows one transaction tells of. */
const AT_ONCE = 200;

const Expiring = z.strictObject({
  inventory_id: int,
  item_external_id: text,
  sku: text,
  warehouse_id: int,
  bin_code: text,
  bin_external_id: text,
  lot_number: text.nullable(),
  expiry_date: text,
  quantity_on_hand: int,
  days_left: int,
});

/** Stock rows with units that expire within some days, by the clock of their warehouse, of which was not told yet. */
const EXPIRING = `
  with expiring as materialized (
    select v.*, expiry_date - ${todayAt("v.warehouse_id")} as days_left
    from inventory v
    where condition = 'AVAILABLE' and stock_expiry <= current_date + 1 + $2::int
  ), due as (
    select e.*, (select min(d) from unnest($1::int[]) d where d >= days_left) as days
    from expiring e where days_left between 0 and $2
  ), told as (
    insert into expiry_notices (inventory_id, expiry_date, days)
    select inventory_id, expiry_date, days from due
    where not exists (
      select from expiry_notices n
      where n.inventory_id = due.inventory_id and n.expiry_date = due.expiry_date and n.days = due.days)
    order by expiry_date, inventory_id limit ${AT_ONCE}
    on conflict do nothing returning inventory_id
  )
  select inventory_id, i.external_id as item_external_id, sku, v.warehouse_id, bin_code,
         b.external_id as bin_external_id, lot_number, expiry_date, quantity_on_hand, days_left
  from told join due v using (inventory_id) join items i using (item_id) join bins b using (bin_id)
  order by expiry_date, inventory_id`;

/**
 * Tells of units 30 days, 7 days and one day before their last day (docs/lots.md), once for each stock row and last
 * day; those that come later are told of the next of these. Returns how many stock rows it told of.
 */
export async function tellExpiring(): Promise<number> {
  let told = 0;
  for (;;) {
    const some = await tellSome();
    told += some;
    if (some < AT_ONCE) return told;
  }
}

const tellSome = () =>
  command("stock.expiring", systemActor(randomUUID()), {}, async (tx) => {
    const rows = await tx.rows(Expiring, EXPIRING, [DAYS_BEFORE, Math.max(...DAYS_BEFORE)]);
    for (const { inventory_id, warehouse_id, ...data } of rows)
      tx.emit({
        type: "stock.expiring",
        aggregateId: data.item_external_id,
        entity: "inventory",
        entityId: inventory_id,
        warehouseId: warehouse_id,
        data: { ...data, told_at: tx.now },
      });
    return rows.length;
  });
