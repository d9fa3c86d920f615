import { db } from "../platform/db/db.js";
import { RelatedOrder } from "./shapes.js";

/**
 * An order and those it is related to (docs/interface.md, Sales orders): up to its first ancestor and from there down,
 * at most 32 steps above and below the order itself. Empty when there is no such order.
 */
export function relatedOrders(soId: number): Promise<RelatedOrder[]> {
  return db.rows(
    RelatedOrder,
    `with recursive up as (
       select so_id, parent_so_id, 0 as steps from sales_orders where so_id = $1
       union all
       select p.so_id, p.parent_so_id, steps + 1
       from up join sales_orders p on p.so_id = up.parent_so_id where steps < 32
     ), first as (
       select so_id, steps from up order by steps desc limit 1
     ), down as (
       select so_id, 0 as depth, steps + 32 as deepest from first
       union all
       select c.so_id, depth + 1, deepest from down join sales_orders c on c.parent_so_id = down.so_id
         where depth < deepest
     )
     select so_id, external_id, so_number, order_type, status, warehouse_id, customer_name, parent_so_id, depth,
       so_id = $1 as is_current, voided_at is not null as is_voided, voided_at, cancellation_reason, created_at,
       (select coalesce(json_agg(json_build_object(
           'so_line_id', so_line_id, 'line_number', line_number, 'sku', sku, 'item_name', item_name,
           'quantity_ordered', quantity_ordered, 'quantity_shipped', quantity_shipped,
           'quantity_received', quantity_received) order by line_number, so_line_id), '[]')
        from sales_order_lines l join items using (item_id) where l.so_id = so.so_id) as lines
     from down join sales_orders so using (so_id) order by depth, so_id`,
    [soId],
  );
}
