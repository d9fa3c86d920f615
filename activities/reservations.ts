import type { Sql } from "../src/db.js";
import { lockItems, type StockRow } from "./stock.js";

/**
 * Standing reservations: what order lines hold of stock rows until a pick task takes it over. The sums that must agree
 * stand in the comment on table stock_reservations; the lock order in stock.ts.
 */
export interface LineToReserve {
  so_line_id: number;
  item_id: number;
  quantity: number;
}

/**
 * Reserves stock for freshly made lines, in their order: of each item, the rows with most available first, whatever the
 * type of their bin (reference 03 §4). A line gets as much as there is.
 */
export async function reserveLines(
  tx: Sql,
  warehouseId: number,
  lines: LineToReserve[],
): Promise<void> {
  const items = [...new Set(lines.map((line) => line.item_id))];
  const stock = await lockItems(tx, warehouseId, items);
  const taken: { line: number; row: number; units: number }[] = [];
  for (const { so_line_id, item_id, quantity } of lines) {
    let missing = quantity;
    for (const row of stock
      .filter((row) => row.item_id === item_id)
      .sort((a, b) => available(b) - available(a))) {
      const units = Math.min(missing, available(row));
      if (units === 0) break;
      taken.push({ line: so_line_id, row: row.inventory_id, units });
      row.quantity_allocated += units;
      missing -= units;
    }
  }
  if (taken.length === 0) return;
  await tx.run(
    `with taken as (
       select * from unnest($1::int[], $2::int[], $3::int[]) as t(so_line_id, inventory_id, units)
     ), reserved as (
       insert into stock_reservations (so_line_id, inventory_id, quantity) select * from taken
     ), of_rows as (
       update inventory i set quantity_allocated = i.quantity_allocated + t.units
       from (select inventory_id, sum(units) as units from taken group by inventory_id) t
       where i.inventory_id = t.inventory_id
     )
     update sales_order_lines l set quantity_allocated = l.quantity_allocated + t.units
     from (select so_line_id, sum(units) as units from taken group by so_line_id) t
     where l.so_line_id = t.so_line_id`,
    [
      taken.map((t) => t.line),
      taken.map((t) => t.row),
      taken.map((t) => t.units),
    ],
  );
}

const available = (row: StockRow) =>
  row.quantity_on_hand - row.quantity_allocated;

/** Ends all standing reservations of these lines, whose orders the caller has locked. What pick tasks took over stays. */
export async function releaseReservations(
  tx: Sql,
  soLineIds: number[],
): Promise<void> {
  const locked = tx.run(
    `select from inventory
     where inventory_id in (select inventory_id from stock_reservations where so_line_id = any($1))
     order by item_id, bin_id, lot_number for update`,
    [soLineIds],
  );
  const released = tx.run(
    `with released as (
       delete from stock_reservations where so_line_id = any($1) returning so_line_id, inventory_id, quantity
     ), of_rows as (
       update inventory i set quantity_allocated = i.quantity_allocated - r.units
       from (select inventory_id, sum(quantity) as units from released group by inventory_id) r
       where i.inventory_id = r.inventory_id
     )
     update sales_order_lines l set quantity_allocated = l.quantity_allocated - r.units
     from (select so_line_id, sum(quantity) as units from released group by so_line_id) r
     where l.so_line_id = r.so_line_id`,
    [soLineIds],
  );
  await Promise.all([locked, released]);
}
