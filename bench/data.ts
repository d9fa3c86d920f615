import { sealAll, sequenceAll } from "../activities/outbound/sequencer.js";
import { int, text } from "../src/platform/db/columns.js";
import { db, type Sql, transaction } from "../src/platform/db/db.js";

/**
 * A warehouse by generate_series. Ids are counted from 1, so one follows from the other: item i is stock row i on its
 * shelf (bin ⌈i/10⌉) and stock row `items` + i at its dock (bin `bins` + ⌈i/10⌉), and may be taken from there for ever.
 */
export interface Size {
  items: number;
  bins: number;
  purchaseOrders: number;
  /** Shipped long ago, a minute apart. */
  salesOrders: number;
  /** How many stock rows each item has besides those on its shelf and at its dock. */
  reserves: number;
  /** What partners poll. */
  events: number;
}

export const sizeOf = (times: number): Size => ({
  items: 2_000 * times,
  bins: 200 * times,
  purchaseOrders: 500 * times,
  salesOrders: 2_000 * times,
  reserves: 0,
  events: 50_000 * times,
});

/** A house after years; 1,000 is one of a million orders. */
export const houseOf = (times: number): Size => ({
  items: 200 * times,
  bins: 20 * times,
  purchaseOrders: 100 * times,
  salesOrders: 1_000 * times,
  reserves: 3,
  events: 5_000 * times,
});

export const WAREHOUSE = 1;
export const PEOPLE = 5_000;
/** The ADMIN, who comes after all people. */
export const OFFICE = "office";
export const LINES_PER_PO = 4;
export const upcOf = (item: number) => `04${String(item).padStart(11, "0")}`;
export const skuOf = (item: number) => `SKU-${item}`;
export const nameOf = (item: number) => `Article ${item}`;
export const shelfOf = (item: number) => Math.ceil(item / 10);
export const dockOf = (item: number, { bins }: Size) => bins + shelfOf(item);

/** Fills an empty database. */
export async function seed(size: Size, passwordHash: string): Promise<void> {
  await transaction((tx) => fill(tx, size, passwordHash));
  await Promise.all([sequenceAll(), sealAll()]);
  await vacuumFilled();
}

/** Not the empty tables: whose statistics say "empty" are read whole by each statement until the next `analyze`. */
async function vacuumFilled(): Promise<void> {
  const filled = await db.row(
    { names: text },
    `select string_agg(relid::regclass::text, ', ') as names from pg_stat_user_tables
     where pg_relation_size(relid) > 0`,
  );
  await db.run(`vacuum analyze ${filled?.names}`);
}

async function fill(tx: Sql, size: Size, passwordHash: string): Promise<void> {
  // The rows refer to each other by construction; to look each of them up would take half the time.
  await tx.run("set local session_replication_role = replica");
  // Each statement is run once, over all rows: it needs a plan for so many.
  await tx.run("set local plan_cache_mode = force_custom_plan");
  // Search indexes are made of all rows at once, which takes a fifth of the time.
  const search = await tx.rows(
    { indexname: text, indexdef: text },
    "select indexname, indexdef from pg_indexes where schemaname = 'public' and indexdef like '%gin_trgm_ops%'",
  );
  for (const index of search) await tx.run(`drop index ${index.indexname}`);
  await tx.run("insert into warehouses (warehouse_code, warehouse_name) values ('BENCH', 'Bench')");
  await tx.run(
    `insert into zones (warehouse_id, zone_code, zone_name, zone_type)
     values (1, 'A', 'Aisles', 'STORAGE'), (1, 'D', 'Dock', 'RECEIVING'), (1, 'R', 'Reserve', 'STORAGE')`,
  );
  await tx.run(
    `with people as (
       insert into users (username, password_hash, full_name, warehouse_id, warehouse_ids)
       select 'scanner-' || n, $2, 'Scanner ' || n, 1, '{1}' from generate_series(1, $1::int) n returning user_id
     )
     insert into user_page_permissions (user_id, page_key) select user_id, 'sales-orders' from people`,
    [PEOPLE, passwordHash],
  );
  await tx.run("insert into users (username, password_hash, full_name, role) values ($1, $2, 'Office', 'ADMIN')", [
    OFFICE,
    passwordHash,
  ]);
  await tx.run(
    `insert into bins (zone_id, warehouse_id, bin_code, bin_barcode, bin_type, pick_sequence)
     select zone, 1, letter || n, letter || n, type, n
     from (values (1, 'A-', 'Pickable', 1), (2, 'D-', 'Staging', 1), (3, 'R-', 'Pickable', $2::int))
            z(zone, letter, type, share),
          generate_series(1, $1::int * share) n
     order by zone, n`,
    [size.bins, size.reserves],
  );
  await tx.run(
    `insert into items (sku, item_name, upc, mpn, category, weight_lbs, default_bin_id, barcode_aliases)
     select 'SKU-' || n, 'Article ' || n, '04' || lpad(n::text, 11, '0'), 'M' || n, 'Category ' || n % 20, 1.25, (n + 9)
       / 10,
            case when n % 10 = 0 then jsonb_build_array('ALIAS-' || n) end
     from generate_series(1, $1::int) n order by n`,
    [size.items],
  );
  await tx.run("insert into preferred_bins (item_id, bin_id) select item_id, default_bin_id from items");
  await tx.run(
    `insert into inventory (item_id, bin_id, warehouse_id, quantity_on_hand)
     select n, first + (n + 9) / 10, 1, 1000000000
     from generate_series(0, $2::int * (1 + $3::int), $2) first, generate_series(1, $1::int) n order by first, n`,
    [size.items, size.bins, size.reserves],
  );
  await tx.run(
    `insert into purchase_orders (po_number, po_barcode, warehouse_id, vendor_name)
     select 'PO-' || n, 'PO-' || n, 1, 'Vendor ' || n % 50 from generate_series(1, $1::int) n order by n`,
    [size.purchaseOrders],
  );
  await tx.run(
    `insert into purchase_order_lines (po_id, item_id, quantity_ordered, line_number)
     select po, (po * $2::int + line) % $3 + 1, 1000000000, line
     from generate_series(1, $1::int) po, generate_series(1, $2::int) line order by po, line`,
    [size.purchaseOrders, LINES_PER_PO, size.items],
  );
  await addOrders(tx, size, 0, size.salesOrders, "SHIPPED");
  await addFulfillments(tx);
  await seedRecord(tx, size);
  for (const index of search) await tx.run(index.indexdef);
}

/** What every order was shipped with. */
async function addFulfillments(tx: Sql): Promise<void> {
  await tx.run(
    `with made as (
       insert into item_fulfillments (so_id, warehouse_id, pre_ship_status, carrier, tracking_number, shipped_by)
       select so_id, 1, 'PACKED', 'UPS', '1Z' || so_id, 'scanner-1' from sales_orders order by so_id
       returning fulfillment_id, so_id
     )
     insert into item_fulfillment_lines (fulfillment_id, so_line_id, item_id, quantity_shipped, bin_id)
     select fulfillment_id, so_line_id, item_id, quantity_shipped, (item_id + 9) / 10
     from made join sales_order_lines using (so_id) order by so_line_id`,
  );
}

/** The nth line of a purchase order names this item. */
export const itemOnPo = (po: number, line: number, { items }: Size) => ((po * LINES_PER_PO + line) % items) + 1;

/** What earlier commands left behind. */
async function seedRecord(tx: Sql, { salesOrders }: Size): Promise<void> {
  await tx.run(
    `insert into command_log (command_id, operation, user_id, request_hash, answer)
     select gen_random_uuid()::text, 'shipping.fulfill', 1, repeat('0', 64), '{"message": "shipped"}'
     from generate_series(1, $1::int)`,
    [salesOrders],
  );
  await tx.run(
    `insert into integration_events
       (event_type, aggregate_type, aggregate_external_id, entity_type, entity_id, warehouse_id, source_txn_id, payload)
     select 'ship.confirmed', 'sales_order', external_id, 'sales_order', so_id, 1, gen_random_uuid(), '{}'
     from sales_orders order by so_id`,
  );
  await tx.run(
    `insert into audit_log (action_type, entity_type, entity_id, user_id, warehouse_id, details, created_at)
     select 'SHIP', 'SO', so_id, 'scanner-' || 1 + so_id % 50, 1, json_build_object('so_number', so_number), created_at
     from sales_orders order by so_id`,
  );
}

/** How far an order has come; VERIFIED is a PICKED one whose every item was scanned into its parcel. */
const stages = ["OPEN", "PICKED", "VERIFIED", "PACKED", "SHIPPED"] as const;

/** The items of the order at a place; side by side, orders have none in common. */
export const itemsOfOrder = (place: number, { items }: Size): [number, number] => [
  ((place * 2) % items) + 1,
  ((place * 2 + 1) % items) + 1,
];

/**
 * Adds sales orders of two lines, two units each, at the places from `from` on, and gives their ids: OPEN ones with
 * their reservations, later ones with the finished walks (8 orders each) that picked them.
 */
export async function addOrders(
  sql: Sql,
  { items }: Size,
  from: number,
  count: number,
  stage: (typeof stages)[number],
): Promise<number[]> {
  const orders = await sql.rows(
    { so_id: int },
    `with orders as (
       insert into sales_orders (so_number, so_barcode, warehouse_id, customer_name, order_date, status, created_at)
       select 'SO-' || n, 'SO-' || n, 1, 'Customer ' || n % 1000, created_at::date,
              case $5::int when 2 then 'PICKED' else $4 end, created_at
       from generate_series($1::int, $1::int + $2::int - 1) n,
            lateral (select case $4 when 'SHIPPED' then now() - ($1 + $2 - n) * interval '1 minute'
                     else now() end as created_at) at
       order by n
         returning so_id, substr(so_number, 4)::int as place
     ), lines as (
       insert into sales_order_lines
         (so_id, item_id, quantity_ordered, quantity_allocated, quantity_picked, quantity_packed, quantity_shipped,
          line_number, status)
       select so_id, (place * 2 + line) % $3::int + 1, 2, 2, case when $5 >= 1 then 2 else 0 end,
              case when $5 >= 2 then 2 else 0 end, case when $5 >= 4 then 2 else 0 end, line + 1,
              (array['PENDING', 'PICKED', 'PACKED', 'PACKED', 'SHIPPED'])[$5::int + 1]
       from orders, generate_series(0, 1) line order by place, line
     )
     select so_id from orders order by so_id`,
    [from, count, items, stage, stages.indexOf(stage)],
  );
  const ids = orders.map((order) => order.so_id);
  await (stage === "OPEN" ? reserve(sql, ids) : addFinishedWalks(sql, ids));
  return ids;
}

async function reserve(sql: Sql, soIds: number[]): Promise<void> {
  await sql.run(
    `with claims as (
       insert into stock_reservations (so_line_id, inventory_id, quantity)
       select so_line_id, item_id, quantity_ordered from sales_order_lines where so_id = any($1)
         returning inventory_id, quantity
     )
     update inventory i set quantity_allocated = quantity_allocated + c.units
     from (select inventory_id, sum(quantity)::int as units from claims group by inventory_id) c
     where i.inventory_id = c.inventory_id`,
    [soIds],
  );
}

/** How many lots an item of such orders has. */
const LOTS = 20;

/** Gives the lines of OPEN orders items of their own, each with many lots in a bin; the first to expire is reserved. */
export const addLots = (soIds: number[]): Promise<void> =>
  transaction(async (tx) => {
    await tx.run("set local session_replication_role = replica");
    await insertLots(tx, soIds);
  });

async function insertLots(tx: Sql, soIds: number[]): Promise<void> {
  await tx.run(
    `with lines as (
       select so_line_id, item_id as item from sales_order_lines where so_id = any($1)
     ), freed as (
       update inventory set quantity_allocated = quantity_allocated - units
       from (select item, 2 * count(*)::int as units from lines group by item) c where inventory_id = item
     ), made as (
       insert into items (sku, item_name, upc, weight_lbs)
       select 'LOTS-' || so_line_id, 'Lots ' || so_line_id, '05' || lpad(so_line_id::text, 11, '0'), 1.25 from lines
       returning item_id, substr(sku, 6)::int as so_line_id
     ), of_lines as (
       update sales_order_lines l set item_id = made.item_id from made where l.so_line_id = made.so_line_id
     ), lots as (
       insert into lots (item_id, lot_number, expiry_date)
       select item_id, 'LOT-' || lot, current_date + 99 + lot from made, generate_series(1, $2::int) lot
       returning item_id, lot_number, expiry_date
     )
     insert into inventory
       (item_id, bin_id, warehouse_id, lot_number, quantity_on_hand, quantity_allocated, expiry_date)
     select item_id, (item + 9) / 10, 1, lot_number, 1000, case lot_number when 'LOT-1' then 2 else 0 end, expiry_date
     from lots join made using (item_id) join lines using (so_line_id)`,
    [soIds, LOTS],
  );
  await tx.run(
    `update stock_reservations r set inventory_id = v.inventory_id
     from sales_order_lines l join inventory v on v.item_id = l.item_id and v.lot_number = 'LOT-1'
     where r.so_line_id = l.so_line_id and l.so_id = any($1)`,
    [soIds],
  );
}

async function addFinishedWalks(sql: Sql, soIds: number[]): Promise<void> {
  await sql.run(
    `with picked as (
       select so_id, (row_number() over (order by so_id) - 1) / 8 as walk from unnest($1::int[]) as o(so_id)
     ), numbered as (
       select walk, nextval(pg_get_serial_sequence('pick_batches', 'batch_id'))::int as batch_id
       from (select distinct walk from picked order by walk) w
     ), batches as (
       insert into pick_batches (batch_id, batch_number, warehouse_id, status, assigned_to, assigned_user_id,
         total_orders, completed_at)
       select batch_id, 'WAVE-' || batch_id, 1, 'COMPLETED', 'scanner-1', 1, 8, now() from numbered
     ), orders as (
       insert into pick_batch_orders (batch_id, so_id, tote_number, active)
       select batch_id, so_id, 'WAVE', false from picked join numbered using (walk)
     ), tasks as (
       insert into pick_tasks
         (batch_id, so_id, so_line_id, inventory_id, item_id, bin_id, quantity_to_pick, quantity_picked, pick_sequence,
          status, picked_by, picked_at, scan_confirmed)
       select batch_id, l.so_id, so_line_id, l.item_id, l.item_id, (l.item_id + 9) / 10, 2, 2, (l.item_id + 9) / 10,
              'PICKED', 'scanner-1', now(), true
       from picked join numbered using (walk) join sales_order_lines l using (so_id)
       returning pick_task_id, so_id, so_line_id
     )
     insert into wave_pick_breakdown (pick_task_id, so_id, so_line_id, quantity, quantity_picked)
     select pick_task_id, so_id, so_line_id, 2, 2 from tasks`,
    [soIds],
  );
}
