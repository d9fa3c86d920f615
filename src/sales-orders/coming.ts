import { z } from "zod";
import * as field from "../platform/fields/index.js";

/** The purchase order that brings an item first. */
export const ComingOrder = z
  .strictObject({
    po_id: field.PoId,
    po_number: field.PoNumber,
    expected_date: field.ExpectedDate.nullable(),
    quantity_remaining: field.QuantityRemaining,
  })
  .meta({ id: "ComingOrder", description: "A purchase order that brings units of an item." })
  .nullable()
  .describe("The purchase order of the warehouse that is expected first and still has units of the item to come.");

/** SQL: that purchase order of an item in a warehouse, or no row. */
export const comingOrder = (itemId: string, warehouseId: string) => `
  select po_id, po_number, expected_date, sum(quantity_ordered - quantity_received) as quantity_remaining
  from purchase_order_lines l join purchase_orders p using (po_id)
  where l.item_id = ${itemId} and p.warehouse_id = ${warehouseId} and p.status in ('OPEN', 'PARTIAL')
    and quantity_ordered > quantity_received
  group by po_id, po_number, expected_date
  order by expected_date nulls last, po_id limit 1`;
