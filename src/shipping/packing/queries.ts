import { z } from "zod";
import { db } from "../../platform/db/db.js";
import { asUuid } from "../../platform/values.js";
import { HoldReason } from "../../sales-orders/holds.js";
import { IS_SHORT } from "../../sales-orders/open-work.js";
import { ORDER_JSON, WHERE_SCANNED } from "../../sales-orders/scan-sql.js";
import { OrderType } from "../../sales-orders/shapes.js";
import { SERIALS_OF_LINE } from "../../serials/queries.js";
import { OrderToPack } from "./shapes.js";

/** Type and hold are not part of the answer: they are read to refuse returns and orders on hold. */
const OrderToPackRow = z.strictObject({
  ...OrderToPack.shape,
  order_type: OrderType,
  hold_reason: HoldReason.nullable(),
});
type OrderToPackRow = z.infer<typeof OrderToPackRow>;

/** A scanned sales order as packing needs it (docs/interface.md, Packing). One round trip. */
export function orderToPack(barcode: string, warehouses: number[] | null): Promise<OrderToPackRow | undefined> {
  return db.row(
    OrderToPackRow,
    `select ${ORDER_JSON} as sales_order, so.order_type, so.hold_reason, ${IS_SHORT} as is_short, l.*
     from sales_orders so cross join lateral (
       select
         coalesce(json_agg(jsonb_build_object(
           'so_line_id', l.so_line_id, 'line_number', l.line_number, 'item_id', i.item_id, 'sku', i.sku,
           'item_name', i.item_name, 'upc', i.upc, 'weight_lbs', coalesce(i.weight_lbs, 0),
           'quantity_ordered', l.quantity_ordered, 'quantity_picked', l.quantity_picked,
           'quantity_packed', l.quantity_packed, 'pack_verified', l.quantity_packed >= l.quantity_picked,
           'properties', l.properties) || case i.serial_policy when 'none' then '{}' else jsonb_build_object(
             'serial_policy', i.serial_policy, 'serial_numbers', ${SERIALS_OF_LINE}) end
           order by l.line_number, l.so_line_id), '[]') as lines,
         to_json(round(coalesce(sum(i.weight_lbs * l.quantity_picked), 0), 2)) as calculated_weight_lbs,
         coalesce(sum(l.quantity_picked), 0) as total_items,
         coalesce(sum(l.quantity_packed), 0) as items_verified
       from sales_order_lines l join items i using (item_id) where l.so_id = so.so_id) l
     ${WHERE_SCANNED}`,
    [barcode, warehouses, asUuid(barcode)],
  );
}
