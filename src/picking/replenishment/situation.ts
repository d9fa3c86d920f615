import { z } from "zod";
import { arrayOf, bool, int, text } from "../../platform/db/columns.js";
import type { Sql } from "../../platform/db/db.js";
import { IN_WAVE } from "../../sales-orders/open-work.js";
import {
  FREE,
  IS_ON_SHELF,
  IS_PICKED_FROM,
  IS_SELLABLE,
  IS_SOLD_FROM,
  SELLABLE_JOINS,
  SELLABLE_STOCK,
} from "../../stock/sellable.js";
import { UNFINISHED } from "./queries.js";

/** What is read of a warehouse to know which pick faces are to be filled up, and from where. */

const Face = z.strictObject({
  ...{ item_id: int, bin_id: int, priority: int, min_units: int, max_units: int, case_units: int },
  /** Units in it, besides those in doubt. */
  units: int,
});

const ReserveRow = z.strictObject({
  ...{ inventory_id: int, item_id: int, bin_id: int, lot_number: text.nullable(), expiry_date: text.nullable() },
  /** Units of it that orders which are to be picked have reserved. */
  reserved: int,
  /** Units that no task takes, reserved ones included, which move with their reservations. */
  available: int,
});
export type ReserveRow = z.infer<typeof ReserveRow>;

const UnfinishedTask = z.strictObject({
  ...{ replenishment_id: int, item_id: int, lot_number: text.nullable(), from_bin_id: int, to_bin_id: int },
  ...{ units: int, is_urgent: bool, is_taken: bool },
  /** Units that its stock row has for all tasks. */
  stock: int,
  /** Whether its destination is a pick face still. */
  is_face: bool,
});
export type UnfinishedTask = z.infer<typeof UnfinishedTask>;

/** Units of an item that orders need, and that no bin has that is picked from. */
const Demand = z.strictObject({ item_id: int, units: int });

const Situation = z.strictObject({
  faces: arrayOf(Face),
  rows: arrayOf(ReserveRow),
  tasks: arrayOf(UnfinishedTask),
  demands: arrayOf(Demand),
});
export type Situation = z.infer<typeof Situation>;

const RESERVED = "(select coalesce(sum(quantity), 0) from stock_reservations r where r.inventory_id = v.inventory_id)";
const TO_PICK = "so.status = 'OPEN' and so.hold_reason is null";

/** All of it in one statement, so that a unit which is being carried is either in a task or on its face. */
export const situation = async (sql: Sql, warehouseId: number): Promise<Situation> =>
  (await sql.row(Situation, SITUATION, [warehouseId])) as Situation;

const SITUATION = `
  with faces as materialized (
    select p.item_id, p.bin_id, p.priority, p.min_units, p.max_units, p.case_units,
           (select coalesce(sum(v.quantity_on_hand - v.quantity_doubted), 0) from inventory v
            where v.item_id = p.item_id and v.bin_id = p.bin_id) as units
    from preferred_bins p join bins b using (bin_id) join zones z using (zone_id)
      join warehouses w on w.warehouse_id = b.warehouse_id join items i on i.item_id = p.item_id
    where b.warehouse_id = $1 and p.min_units is not null and ${IS_PICKED_FROM} and ${IS_SOLD_FROM}
  ), carried as materialized (
    select replenishment_id, item_id, lot_number, from_bin_id, to_bin_id, quantity - quantity_done as units, is_urgent,
           status = 'TAKEN' as is_taken
    from replenishments where warehouse_id = $1 and ${UNFINISHED}
  ), stock as materialized (
    select v.inventory_id, v.item_id, v.bin_id, v.lot_number, v.expiry_date, ${FREE} + ${RESERVED} as units
    from inventory v ${SELLABLE_JOINS}
    where v.warehouse_id = $1 and b.is_reserve and ${IS_ON_SHELF} and ${IS_SELLABLE} and v.quantity_on_hand > 0
      and v.item_id in (select item_id from faces union select item_id from carried)
  ), needed as materialized (
    select s.item_id, s.inventory_id, sum(r.quantity) as units
    from stock s join stock_reservations r using (inventory_id) join sales_order_lines l using (so_line_id)
      join sales_orders so using (so_id)
    where ${TO_PICK} group by s.item_id, s.inventory_id
  ), unreserved as materialized (
    select l.item_id, sum(l.quantity_ordered - greatest(l.quantity_allocated, l.quantity_picked)) as units
    from sales_order_lines l join sales_orders so using (so_id)
    where so_id in (select unnest(so_ids) from waves_waiting where warehouse_id = $1) and ${TO_PICK} and not ${IN_WAVE}
      and l.quantity_ordered > greatest(l.quantity_allocated, l.quantity_picked)
    group by l.item_id
  )
  select
    (select coalesce(json_agg(faces), '[]') from faces) as faces,
    (select coalesce(json_agg(r), '[]') from (
       select s.inventory_id, s.item_id, s.bin_id, s.lot_number, s.expiry_date, coalesce(n.units, 0) as reserved,
              s.units - coalesce((
                select sum(c.units) from carried c
                where c.item_id = s.item_id and c.from_bin_id = s.bin_id
                  and c.lot_number is not distinct from s.lot_number), 0) as available
       from stock s left join needed n using (inventory_id)) r) as rows,
    (select coalesce(json_agg(t), '[]') from (
       select c.*, coalesce(s.units, 0) as stock,
              exists (select from faces f where f.item_id = c.item_id and f.bin_id = c.to_bin_id) as is_face
       from carried c left join stock s on s.item_id = c.item_id and s.bin_id = c.from_bin_id
         and s.lot_number is not distinct from c.lot_number) t) as tasks,
    (select coalesce(json_agg(d), '[]') from (
       select item_id, units from (
         select item_id, sum(n.units) - (
             select coalesce(sum(available), 0) from ${SELLABLE_STOCK} a
             where a.warehouse_id = $1 and a.item_id = n.item_id and a.is_picked_from) as units
         from (select item_id, units from needed union all select item_id, units from unreserved) n
         group by item_id) lacking
       where units > 0) d) as demands`;
