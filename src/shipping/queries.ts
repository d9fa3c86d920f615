import { db } from "../db.js";
import {
  ORDER_JSON,
  SCANNED,
  type ScannedOrder,
} from "../sales-orders/scanned.js";

export interface OrderToShip {
  sales_order: ScannedOrder;
  lines: {
    so_line_id: number;
    line_number: number;
    item_id: number;
    sku: string;
    item_name: string;
    quantity_ordered: number;
    quantity_picked: number;
  }[];
  total_items: number;
  total_lines: number;
}

/** The sales order of a scan as the shipping desk sees it (reference 02 §7). One round trip. */
export function orderToShip(
  barcode: string,
  warehouses: number[] | null,
): Promise<OrderToShip | undefined> {
  return db.row<OrderToShip>(
    `select ${ORDER_JSON} as sales_order, l.*
     from sales_orders so cross join lateral (
       select
         coalesce(json_agg(json_build_object(
           'so_line_id', l.so_line_id, 'line_number', l.line_number, 'item_id', i.item_id, 'sku', i.sku,
           'item_name', i.item_name, 'quantity_ordered', l.quantity_ordered, 'quantity_picked', l.quantity_picked)
           order by l.line_number, l.so_line_id), '[]') as lines,
         coalesce(sum(l.quantity_picked), 0)::int as total_items,
         count(*)::int as total_lines
       from sales_order_lines l join items i using (item_id) where l.so_id = so.so_id) l
     ${SCANNED}`,
    [barcode, warehouses],
  );
}
