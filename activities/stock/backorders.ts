import { db } from "../../src/db/db.js";
import type { Payload } from "../../src/outbound/events/catalog.js";
import { SELLABLE_STOCK } from "../../src/stock/sellable.js";
import { ConcurrentChange, type Tx } from "../command.js";

/**
 * Orders that wait for stock (spec 3.1, reference 07 §6). A command that makes stock available tests them when it ends,
 * in its own transaction, and opens those that the stock now covers. The functions that increase stock require a
 * `StockIncrease`, so that this cannot be forgotten.
 *
 * Thousands of orders may wait for an item. So a waiting order watches one of its items, one that it lacks
 * (`stock_waits.watched`): as long as it lacks that one, it cannot be covered, whatever else comes. An increase looks
 * only at the orders that watch its items and ask for no more than there is; each of them is opened, or watches another
 * item from then on. An order that begins to wait, or whose lines change, watches all its items until it is looked at.
 *
 * Of two concurrent increases for one order neither sees the other's stock before the commit. So the test takes locks:
 * 1. An advisory lock of the warehouse, the last in the lock order. It is exclusive if an order watches the items, so
 *    that the later test sees what the earlier one brought; otherwise it is shared, as there is nothing to look at.
 *    Watches change under the exclusive lock alone.
 * 2. Only then the orders. As that is against the lock order, it does not wait: if another transaction holds one of
 *    them, the command runs again once that order is unlocked.
 * An order that begins to wait at the very moment of an increase counts as having come after it.
 */

declare const noted: unique symbol;
/** Proof that the orders which wait for some stock will be tested when the command ends. Only this file creates one. */
export interface StockIncrease {
  readonly [noted]: true;
}

/** Why stock increases: the source that the event `backorder.fulfillable` names. */
export type Source = Payload<"backorder.fulfillable">["source"];

/** What a command will test at its end. */
interface Test {
  source: Source;
  places: Place[];
  soIds: number[];
}

interface Place {
  warehouse_id: number;
  item_id: number;
}

const tests = new WeakMap<Tx, Test>();

function testAtEnd(tx: Tx, source: Source, places: Place[], soIds: number[]): StockIncrease {
  const test = tests.get(tx) ?? { source, places: [], soIds: [] };
  if (!tests.has(tx) && places.length + soIds.length > 0) {
    tests.set(tx, test);
    tx.atEnd(() => openCoveredOrders(tx, test));
  }
  test.places.push(...places);
  test.soIds.push(...soIds);
  return {} as StockIncrease;
}

/**
 * To be called before stock of some items becomes available in some warehouses, both of them SQL subqueries. Usually no
 * order waits for any of it.
 */
export async function expectIncrease(
  tx: Tx,
  source: Source,
  { items, warehouses }: { items: string; warehouses: string },
  values: unknown[],
): Promise<StockIncrease> {
  const places = await tx.rows<Place>(
    // Where nobody waits for anything, the function is not called: it takes most of the time of this statement.
    `select warehouse_id, item_id from awaited_places(array(${warehouses}), array(${items}))
     where exists (select from stock_waits)`,
    values,
  );
  return testAtEnd(tx, source, places, []);
}

/** The same for these items in the warehouses of these bins. */
export async function expectIncreaseIn(
  tx: Tx,
  source: Source,
  itemIds: number[],
  binIds: number[],
): Promise<StockIncrease> {
  if (itemIds.length === 0) return testAtEnd(tx, source, [], []);
  const places = {
    items: "select unnest($1::int[])",
    warehouses: "select warehouse_id from bins where bin_id = any($2)",
  };
  return expectIncrease(tx, source, places, [itemIds, binIds]);
}

/**
 * The same for what lies where the sellability may change: `which` is SQL about stock rows `v`, with `id`. To be called
 * once the record that decides is locked.
 */
export const expectSellable = (tx: Tx, which: string, id: number | string): Promise<StockIncrease> =>
  expectIncrease(
    tx,
    "transfer",
    {
      items: `select item_id from inventory v where ${which} and quantity_on_hand > 0`,
      warehouses: `select warehouse_id from inventory v where ${which} and quantity_on_hand > 0`,
    },
    [id],
  );

/** The same for what these orders hold: picked, reserved or allocated to pick tasks. */
export const expectIncreaseFrom = (tx: Tx, soIds: number[]): Promise<StockIncrease> =>
  expectIncrease(
    tx,
    "transfer",
    {
      items: `select item_id from sales_order_lines where so_id = any($1)
        and greatest(quantity_allocated, quantity_picked) > 0`,
      warehouses: "select warehouse_id from sales_orders where so_id = any($1)",
    },
    [soIds],
  );

/** Where nothing becomes available. */
export const noIncrease = (tx: Tx): StockIncrease => testAtEnd(tx, "transfer", [], []);

/** To be called before the lines of a locked order change: when it waits, it may be covered afterwards. */
export function expectFewer(tx: Tx, order: { so_id: number; status: string }): void {
  if (order.status === "WAITING_STOCK") expectCover(tx, order.so_id);
}

/** To be called when an order was made that waits: what is free already may cover it. */
export function expectCover(tx: Tx, soId: number): void {
  testAtEnd(tx, "transfer", [], [soId]);
}

interface Covered {
  so_id: number;
  so_number: string;
  external_id: string;
  parent_so_number: string;
  warehouse_id: number;
  customer_name: string | null;
  days_waiting: number;
  items: Payload<"backorder.fulfillable">["items"];
}

/**
 * Opens the waiting orders whose lines are all covered by stock that is available in bins for picking, the oldest
 * first. Nothing is reserved: the next waves decide which order gets the stock. Audit SO_STATUS_CHANGED,
 * `backorder.fulfillable`.
 */
async function openCoveredOrders(tx: Tx, { source, places, soIds }: Test): Promise<void> {
  const values = [places.map((place) => place.warehouse_id), places.map((place) => place.item_id), soIds];
  const [before, after, candidates] = await Promise.all([
    tx.row<{ watched: boolean }>(LOCK_WAREHOUSES, values),
    tx.row<{ watched: boolean }>(`select ${WATCHED} as watched`, values),
    tx.rows<{ so_id: number; locked: boolean }>(LOCK_CANDIDATES, values),
  ]);
  if (after?.watched && !before?.watched) throw new ConcurrentChange("an order has begun to watch what comes");
  if (candidates.length === 0) return;
  const held = candidates.filter((order) => !order.locked).map((order) => order.so_id);
  if (held.length > 0) throw new ConcurrentChange("a waiting order is being changed", () => waitUntilUnlocked(held));
  const ids = candidates.map((order) => order.so_id);
  const covered = await tx.rows<Covered>(COVERED, [ids]);
  if (covered.length === 0) return;
  await tx.run(
    `update sales_orders set status = 'OPEN', backorder_fulfillable_at = $2, updated_at = clock_timestamp()
     where so_id = any($1)`,
    [covered.map((order) => order.so_id), tx.now],
  );
  for (const { so_id, external_id, so_number, ...order } of covered) {
    const { warehouse_id } = order;
    tx.audit({
      action: "SO_STATUS_CHANGED",
      entity: "SO",
      entityId: so_id,
      warehouseId: warehouse_id,
      details: { so_number, field: "status", source, old_value: "WAITING_STOCK", new_value: "OPEN" },
    });
    tx.emit({
      type: "backorder.fulfillable",
      aggregateId: external_id,
      entity: "sales_order",
      entityId: so_id,
      warehouseId: warehouse_id,
      data: {
        backorder_so_external_id: external_id,
        backorder_so_number: so_number,
        ...order,
        fulfillable_at: tx.now,
        source,
      },
    });
  }
}

/** Waits until nobody holds the locks of these orders. */
async function waitUntilUnlocked(soIds: number[]): Promise<void> {
  await db.run("select from sales_orders where so_id = any($1) order by so_id for update", [soIds]);
}

/** SQL for the units of items that are available for picking; `places` has `warehouse_id` and `item_id`. */
const availableAt = (places: string) => `
  select p.warehouse_id, p.item_id, coalesce(sum(available), 0) as units
  from (select distinct warehouse_id, item_id from ${places}) p
  left join ${SELLABLE_STOCK} s
    on s.warehouse_id = p.warehouse_id and s.item_id = p.item_id and is_picked_from
  group by p.warehouse_id, p.item_id`;

/** Whether a test may find an order to look at: somebody watches an item that comes, or an order itself was changed. */
const WATCHED = `
  ($3::int[] <> '{}' or exists (
    select from unnest($1::int[], $2::int[]) as p(warehouse_id, item_id) where is_watched(warehouse_id, item_id)))`;

const LOCK_WAREHOUSES = `
  with test as materialized (select ${WATCHED} as watched), locks as materialized (
    select case when watched then pg_advisory_xact_lock(hashtext('stock_waits'), id)
                else pg_advisory_xact_lock_shared(hashtext('stock_waits'), id) end
    from test, (select unnest($1) union select warehouse_id from sales_orders where so_id = any($3) order by 1) w(id)
  )
  select bool_or(watched) as watched from test, locks`;

const LOCK_CANDIDATES = `
  with places as (
    select * from unnest($1::int[], $2::int[]) as p(warehouse_id, item_id)
  ), available as materialized (${availableAt("places")}
  ), candidates as materialized (
    select so_id from available a, watching_orders(a.warehouse_id, a.item_id, a.units) s(so_id)
    union select unnest($3::int[])
  ), locked as (
    select so_id from sales_orders where so_id = any(array(select so_id from candidates))
    order by so_id for update skip locked
  )
  select so_id, l.so_id is not null as locked from candidates left join locked l using (so_id)`;

const COVERED = `
  with needed as materialized (
    select s.* from unnest($1::int[]) as c(so_id) join stock_waits s using (so_id) join sales_orders so using (so_id)
    where so.status = 'WAITING_STOCK'
  ), available as materialized (${availableAt("needed")}
  ), lacking as materialized (
    select so_id, min(item_id) as item_id
    from needed n join available a using (warehouse_id, item_id) where n.units > a.units group by so_id
  ), watching as (
    update stock_waits s set watched = s.item_id = l.item_id
    from lacking l where s.so_id = l.so_id and s.watched <> (s.item_id = l.item_id)
  )
  select so_id, so_number, external_id, warehouse_id, customer_name,
         coalesce((select p.so_number from sales_orders p where p.so_id = so.parent_so_id), '') as parent_so_number,
         extract(day from now() - coalesce(backorder_opened_at, created_at))::int as days_waiting,
         (select json_agg(json_build_object('item_external_id', i.external_id, 'sku', sku, 'item_name', item_name,
                                            'qty', quantity_ordered) order by line_number, so_line_id)
          from sales_order_lines l join items i using (item_id) where l.so_id = so.so_id) as items
  from sales_orders so
  where so_id in (select so_id from needed) and so_id not in (select so_id from lacking)
  order by coalesce(backorder_opened_at, created_at), so_id`;
