import { db } from "../db.js";
import {
  ORDER_JSON,
  SCANNED,
  type ScannedOrder,
} from "../sales-orders/scanned.js";

export interface OrderToPack {
  sales_order: ScannedOrder;
  lines: {
    so_line_id: number;
    line_number: number;
    item_id: number;
    sku: string;
    item_name: string;
    upc: string | null;
    weight_lbs: number;
    quantity_ordered: number;
    quantity_picked: number;
    quantity_packed: number;
    pack_verified: boolean;
  }[];
  calculated_weight_lbs: number;
  total_items: number;
  items_verified: number;
}

/** The sales order of a scan as the packing desk sees it (reference 02 §6). One round trip. */
export function orderToPack(
  barcode: string,
  warehouses: number[] | null,
): Promise<OrderToPack | undefined> {
  return db.row<OrderToPack>(
    `select ${ORDER_JSON} as sales_order, l.*
     from sales_orders so cross join lateral (
       select
         coalesce(json_agg(json_build_object(
           'so_line_id', l.so_line_id, 'line_number', l.line_number, 'item_id', i.item_id, 'sku', i.sku,
           'item_name', i.item_name, 'upc', i.upc, 'weight_lbs', coalesce(i.weight_lbs, 0),
           'quantity_ordered', l.quantity_ordered, 'quantity_picked', l.quantity_picked,
           'quantity_packed', l.quantity_packed, 'pack_verified', l.quantity_packed >= l.quantity_picked)
           order by l.line_number, l.so_line_id), '[]') as lines,
         to_json(round(coalesce(sum(i.weight_lbs * l.quantity_picked), 0), 2)) as calculated_weight_lbs,
         coalesce(sum(l.quantity_picked), 0)::int as total_items,
         coalesce(sum(l.quantity_packed), 0)::int as items_verified
       from sales_order_lines l join items i using (item_id) where l.so_id = so.so_id) l
     ${SCANNED}`,
    [barcode, warehouses],
  );
}
