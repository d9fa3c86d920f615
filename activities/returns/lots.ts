import { z } from "zod";
import { int, text } from "../../src/platform/db/columns.js";
import type { Sql } from "../../src/platform/db/db.js";

/** Units of one lot and expiry that left with an order. */
export const ShippedLot = z.strictObject({ item_id: int, lot_number: text.nullable(), expiry_date: text.nullable() });
export type ShippedLot = z.infer<typeof ShippedLot>;

/**
 * SQL for the bins and lots that the units of an order came from, a row for each item, bin, lot and expiry: those of a
 * counter sale first, then those of pick tasks. Bins have their present codes.
 * @param order SQL of its id.
 */
export const shippedFrom = (order: string): string => `
  select item_id, warehouse_code as warehouse_id, bin_code as bin_id, lot_number, expiry_date::text as expiry_date,
    units as quantity
  from (
    select u.item_id, coalesce(h.warehouse_code, u.warehouse_code) as warehouse_code,
      coalesce(b.bin_code, u.bin_code) as bin_code, lot_number, expiry_date, quantity as units, 1 as source, place
    from counter_sale_units u left join bins b using (bin_id) left join warehouses h on h.warehouse_id = b.warehouse_id
    where so_id = ${order}
    union all
    select l.item_id, warehouse_code, bin_code, v.lot_number, v.expiry_date, sum(w.quantity_picked), 2,
      min(t.pick_task_id)
    from sales_order_lines l join wave_pick_breakdown w using (so_line_id) join pick_tasks t using (pick_task_id)
    join inventory v using (inventory_id)
    join bins b on b.bin_id = t.bin_id join warehouses h on h.warehouse_id = b.warehouse_id
    where l.so_id = ${order} and t.status in ('PICKED', 'SHORT') and w.quantity_picked > 0
    group by l.item_id, warehouse_code, bin_code, v.lot_number, v.expiry_date
  ) as places order by source, place`;

/**
 * The lot and expiry of returned units whose lot was not given: those of the shipped units, if all of the item have the
 * same.
 */
export async function onlyLot(sql: Sql, soId: number | null, itemId: number): Promise<ShippedLot | undefined> {
  const lots = await sql.rows(
    ShippedLot,
    `select distinct item_id, lot_number, expiry_date from (${shippedFrom("$1")}) shipped where item_id = $2 limit 2`,
    [soId, itemId],
  );
  return lots.length === 1 ? lots[0] : undefined;
}
