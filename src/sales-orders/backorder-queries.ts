import { comingOrder } from "../master-data/items/coming.js";
import { db } from "../platform/db/db.js";
import { codeOf } from "../platform/db/list.js";
import { Backorder, type BackorderTab } from "./backorder-shapes.js";

/** The time since which an order waits for stock, or did. */
const SINCE = "coalesce(backorder_opened_at, created_at)";

/** The condition of a tab; its partial index repeats it. */
const TABS: Record<BackorderTab, string> = {
  waiting: "status = 'WAITING_STOCK'",
  "ready-to-ship": "backorder_opened_at is not null and status in ('OPEN', 'PICKED', 'PACKED')",
};

/**
 * Orders that wait for stock, or may be shipped since it came, oldest first (docs/interface.md, Backorders). Each item
 * has the warehouse's purchase order that is expected first and still has units of it to come.
 */
export function backorders(
  tab: BackorderTab,
  warehouseId: number | null,
  warehouses: number[] | null,
): Promise<Backorder[]> {
  return db.rows(
    Backorder,
    `with listed as (
       select so_id, external_id, so_number, parent_so_id, warehouse_id, status, customer_name,
              backorder_fulfillable_at, ${SINCE} as since
       from sales_orders
       where ${TABS[tab]} and ($1::int is null or warehouse_id = $1)
         and ($2::int[] is null or warehouse_id = any($2))
     ), wanted as materialized (
       select distinct warehouse_id, item_id from listed join sales_order_lines using (so_id)
     ), coming as materialized (
       select w.warehouse_id, w.item_id, po.*
       from wanted w cross join lateral (${comingOrder("w.item_id", "w.warehouse_id")}) po
     ), items as (
       select so_id, json_agg(json_build_object('sku', sku, 'item_name', item_name, 'qty', quantity_ordered,
           'open_po', case when c.item_id is not null then json_build_object('po_id', c.po_id,
             'po_number', c.po_number, 'expected_date', c.expected_date,
             'quantity_remaining', c.quantity_remaining) end)
         order by line_number, so_line_id) as items
       from listed join sales_order_lines l using (so_id) join items i using (item_id)
         left join coming c using (warehouse_id, item_id)
       group by so_id
     )
     select listed.so_id, listed.external_id, listed.so_number, listed.parent_so_id,
            p.so_number as parent_so_number, listed.warehouse_id, listed.status, listed.customer_name,
            coalesce(items.items, '[]') as items, extract(day from now() - since)::int as days_waiting,
            since as backorder_opened_at, listed.backorder_fulfillable_at as fulfillable_since,
            ${codeOf("listed.warehouse_id")}
     from listed left join items using (so_id) left join sales_orders p on p.so_id = listed.parent_so_id
     order by since, listed.so_id`,
    [warehouseId, warehouses],
  );
}
