import { db } from "../../platform/db/db.js";
import { IS_ON_SHELF, IS_PICKED_FROM, SELLABLE_JOINS, WHY_NOT_SELLABLE } from "../../stock/sellable.js";
import { LackingOfPlan } from "./shapes.js";

/**
 * Of the items that these orders of a plan lack: which units lie in the warehouse and are not free to be picked, and
 * why. What is reserved for the orders themselves stands in nobody's way.
 */
export const lackingItems = (warehouseId: number, skus: string[], soIds: number[]): Promise<LackingOfPlan[]> =>
  db.rows(
    LackingOfPlan,
    `select sku, json_agg(json_build_object('reason', reason, 'units', units) order by units desc, reason) as unusable
     from (
       select i.sku, claim.reason, sum(claim.units) as units
       from inventory v ${SELLABLE_JOINS}
       cross join lateral (
         select coalesce(${WHY_NOT_SELLABLE}, case when not ${IS_ON_SHELF} then 'not_pickable'
           when not ${IS_PICKED_FROM} then 'in_reserve' end) as reason) whole
       cross join lateral (
         select coalesce(sum(quantity_held), 0) as units from stock_holds h
         where h.inventory_id = v.inventory_id and quantity_held > 0) holds
       cross join lateral (
         select coalesce(sum(r.quantity), 0) as units
         from stock_reservations r join sales_order_lines using (so_line_id)
         where r.inventory_id = v.inventory_id and so_id = any($3)) own
       cross join lateral (values
         (whole.reason, v.quantity_on_hand, whole.reason is not null),
         ('reserved', v.quantity_allocated - holds.units - own.units, whole.reason is null),
         ('held', holds.units, whole.reason is null),
         ('in_doubt', v.quantity_doubted, whole.reason is null)) claim(reason, units, is_one)
       where v.warehouse_id = $1 and v.quantity_on_hand > 0 and i.sku = any($2) and claim.is_one and claim.units > 0
       group by i.sku, claim.reason
     ) by_reason group by sku order by sku`,
    [warehouseId, skus, soIds],
  );
