import { int } from "../src/platform/db/columns.js";
import { db, transaction } from "../src/platform/db/db.js";

/** Orders for bench/retention.ts, with all that hangs on them once they are shipped. */

const ITEMS = 2_000;
const BINS = 200;

/** Where they are picked: each item lies in one bin. */
export async function openWarehouse(): Promise<void> {
  await db.run("insert into warehouses (warehouse_id, warehouse_code, warehouse_name) values (1, 'W', 'W')");
  await db.run(
    "insert into zones (zone_id, warehouse_id, zone_code, zone_name, zone_type) values (1, 1, 'Z', 'Z', 'STORAGE')",
  );
  await db.run(
    `insert into bins (bin_id, zone_id, warehouse_id, bin_code, bin_barcode, bin_type, pick_sequence)
     select n, 1, 1, 'B-' || n, 'B-' || n, 'Pickable', n from generate_series(1, ${BINS}) n`,
  );
  await db.run(
    `insert into items (item_id, sku, item_name) select n, 'SKU-' || n, 'Article ' || n
     from generate_series(1, ${ITEMS}) n`,
  );
  await db.run(
    `insert into inventory (inventory_id, item_id, bin_id, warehouse_id, quantity_on_hand)
     select n, n, 1 + n % ${BINS}, 1, 1000 from generate_series(1, ${ITEMS}) n`,
  );
  await db.run("insert into inbound_source_systems_allowlist (source_system, kind) values ('erp', 'internal_tool')");
}

/** Of an order `so_id` its two lines, each of an item that lies in a bin. */
const LINES = `
  select so_id, 2 * so_id - k as id, item_id, 1 + item_id % ${BINS} as bin_id, 2 - k as place
  from o, generate_series(0, 1) k, lateral (select 1 + (so_id * 7 + k) % ${ITEMS} as item_id) i`;

/** SQL: rows of each table, from the orders `o` of a day that begins at `at`. */
const ROWS = [
  `insert into sales_orders (so_id, so_number, so_barcode, customer_name, status, warehouse_id, order_total, currency,
     shipping_address_name, shipping_address_line1, shipping_address_city, shipping_address_country, order_date,
     created_at, picked_at, packed_at, shipped_at, carrier, tracking_number, order_source, order_origin, source_system,
     latest_inbound_id, updated_at)
   select so_id, 'SO-' || so_id, 'SO-' || so_id, 'Customer ' || so_id % 9999, 'SHIPPED', 1, 49.90, 'EUR',
     'Customer ' || so_id % 9999, 'Main street ' || so_id % 99, 'Springfield', 'US', at::date, at, at, at, at, 'UPS',
     '1Z' || so_id, 'inbound', 'Web', 'erp', so_id, at + so_id % 60000 * interval '1 second' from o`,
  `insert into sales_order_lines (so_line_id, so_id, item_id, quantity_ordered, quantity_allocated, quantity_picked,
     quantity_packed, quantity_shipped, line_number, status)
   select id, so_id, item_id, 2, 2, 2, 2, 2, place, 'SHIPPED' from (${LINES}) l`,
  `insert into pick_batches (batch_id, batch_number, warehouse_id, status, total_orders, total_items, created_at,
     started_at, completed_at)
   select distinct on (id) id, 'WAVE-' || id, 1, 'COMPLETED', 20, 80, at, at, at
   from o, lateral (select ceil(so_id / 20.0) as id) b order by id on conflict do nothing`,
  `insert into pick_batch_orders (batch_id, so_id, active) select ceil(so_id / 20.0), so_id, false from o`,
  `insert into pick_tasks (pick_task_id, batch_id, so_id, so_line_id, inventory_id, item_id, bin_id, quantity_to_pick,
     quantity_picked, status, picked_by, picked_at, scan_confirmed)
   select id, ceil(so_id / 20.0), so_id, id, item_id, item_id, bin_id, 2, 2, 'PICKED', 'scanner-1', now(), true
   from (${LINES}) l`,
  `insert into wave_pick_breakdown (pick_task_id, so_id, so_line_id, quantity, quantity_picked)
   select id, so_id, id, 2, 2 from (${LINES}) l`,
  `insert into item_fulfillments (fulfillment_id, so_id, warehouse_id, tracking_number, carrier, shipped_by, shipped_at)
   select so_id, so_id, 1, '1Z' || so_id, 'UPS', 'station-1', at from o`,
  `insert into item_fulfillment_lines (fulfillment_line_id, fulfillment_id, so_line_id, item_id, quantity_shipped,
     bin_id)
   select id, so_id, id, item_id, 2, bin_id from (${LINES}) l`,
  `insert into cross_system_mappings (source_system, source_type, source_id, canonical_type, canonical_id)
   select 'erp', 'sales_order', so_id, 'sales_order', external_id from o join sales_orders using (so_id)`,
  `insert into inbound_sales_orders (inbound_id, source_system, external_id, external_version, canonical_id,
     canonical_payload, answer, received_at)
   select so_id, 'erp', so_id, '1', external_id,
     to_jsonb(so) || jsonb_build_object('lines', (
       select json_agg(l) from sales_order_lines l where l.so_id = so.so_id)),
     json_build_object('inbound_id', so_id, 'canonical_id', external_id, 'canonical_type', 'sales_order',
       'received_at', at, 'warning', 'The canonical model is a draft'), at
   from o join sales_orders so using (so_id)`,
  `insert into purchase_orders (po_id, po_number, po_barcode, vendor_name, status, warehouse_id, created_at,
     received_at, updated_at)
   select so_id / 20, 'PO-' || so_id / 20, 'PO-' || so_id / 20, 'Vendor', 'RECEIVED', 1, at, at, at
   from o where so_id % 20 = 0`,
  `insert into purchase_order_lines (po_line_id, po_id, item_id, quantity_ordered, quantity_received, status)
   select id, so_id / 20, item_id, 40, 40, 'RECEIVED' from (${LINES}) l where so_id % 20 = 0`,
  `insert into item_receipts (receipt_id, po_id, po_line_id, item_id, quantity_received, bin_id, warehouse_id,
     received_by, received_at)
   select id, so_id / 20, id, item_id, 40, bin_id, 1, 'scanner-1', now() from (${LINES}) l where so_id % 20 = 0`,
];

/** The tables that leave with orders, and what stays of them. */
export const orderTables = [
  ...["sales_orders", "sales_order_lines", "pick_batches", "pick_batch_orders", "pick_tasks", "wave_pick_breakdown"],
  ...["item_fulfillments", "item_fulfillment_lines", "inbound_sales_orders", "purchase_orders"],
  ...["purchase_order_lines", "item_receipts", "retired_orders", "leaving_rows"],
];

/** The orders of a day, shipped, in waves of 20; and a purchase order, received, for each wave. */
export async function fillOrders(orders: number, at: string): Promise<void> {
  const last = await db.row({ so_id: int }, "select coalesce(max(so_id), 0) as so_id from sales_orders");
  const from = last?.so_id ?? 0;
  await transaction(async (tx) => {
    await tx.run("set local session_replication_role = replica");
    for (const rows of ROWS)
      await tx.run(
        `with o as materialized (
           select so_id::int, (${at}) as at from generate_series($1::int + 1, $1::int + $2::int) so_id
         ) ${rows}`,
        [from, orders],
      );
  });
}
