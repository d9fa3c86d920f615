import { z } from "zod";
import { codeOf } from "../../platform/db/list.js";
import * as field from "../../platform/fields/index.js";

/** Purchase orders that still bring units of an item. */

const Coming = z.strictObject({
  po_id: field.PoId,
  po_number: field.PoNumber,
  expected_date: field.ExpectedDate.nullable(),
  quantity_remaining: field.QuantityRemaining,
});

export const ComingOrder = Coming.meta({
  id: "ComingOrder",
  description: "A purchase order that brings units of an item.",
})
  .nullable()
  .describe("The purchase order of the warehouse that is expected first and still has units of the item to come.");

export const ComingUnits = Coming.extend({ warehouse_code: field.WarehouseCode }).meta({
  id: "ComingUnits",
  description: "A purchase order that still brings units of an item.",
});

/** SQL of those of an item, the one that is expected first at first; `within` is a condition on the order `p`. */
const coming = (itemId: string, within: string, columns = "") => `
  select po_id, po_number, expected_date, sum(quantity_ordered - quantity_received) as quantity_remaining${columns}
  from purchase_order_lines l join purchase_orders p using (po_id)
  where l.item_id = ${itemId} and ${within} and p.status in ('OPEN', 'PARTIAL')
    and quantity_ordered > quantity_received
  group by po_id, po_number, expected_date, p.warehouse_id
  order by expected_date nulls last, po_id`;

/** SQL: the one of a warehouse that is expected first, or no row. */
export const comingOrder = (itemId: string, warehouseId: string) =>
  `${coming(itemId, `p.warehouse_id = ${warehouseId}`)} limit 1`;

/** SQL: the first twenty of some warehouses, with the codes of these. */
export const comingOrders = (itemId: string, within: string) =>
  `${coming(itemId, within, `, ${codeOf("p.warehouse_id")}`)} limit 20`;
