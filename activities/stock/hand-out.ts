import { z } from "zod";
import { arrayOf, bool, int, text } from "../../src/platform/db/columns.js";
import { db } from "../../src/platform/db/db.js";
import type { Payload } from "../../src/platform/events/catalog.js";
import { ofSalesOrder } from "../../src/platform/events/outbox.js";
import { groupBy } from "../../src/platform/values.js";
import { firstReserved, freshFor, SELLABLE_STOCK, takeFrom } from "../../src/stock/sellable.js";
import { ConcurrentChange, type Tx } from "../command.js";
import { type Reserved, reserveRows } from "./reserve-rows.js";

/**
 * Free units go to the orders that wait for them, in the transaction of the command that made them free: by priority,
 * then by ship-by date, then by age. Two kinds of orders wait (`stock_waits`):
 * - OPEN ones with less reserved than they ask for take what they can get.
 * - Backorders (WAITING_STOCK) wait until bins that are picked from have everything that they ask for
 *   (docs/interface.md, Backorders); then it is reserved for them, and they become OPEN.
 *
 * Thousands of backorders may wait for an item. So each watches only one of the items that it lacks
 * (`stock_waits.watched`): as long as it lacks that item it cannot be covered, whatever else arrives. An increase looks
 * only at the orders that watch its items and ask for no more than there is; each of them is opened, or watches another
 * item from then on. An order that begins to wait, or whose lines change, watches all its items until it is looked at.
 *
 * Of two concurrent increases for one order, neither sees the other's stock before the commit. So handing out takes
 * locks:
 * 1. An advisory lock of the warehouse, the last in the lock order. It is exclusive if an order watches the items, so
 *    that the later transaction sees the increase of the earlier one; otherwise it is shared, as there is nothing to
 *    look at.
 * 2. Where an order begins to lack something: locks of its items in the warehouse, so that it misses no increase. An
 *    increase holds them as shared locks from before its first look until its commit.
 * 3. Only then the orders and the stock rows.
 *
 * As 2 and 3 are against the lock order, they do not wait: if another transaction holds what is needed, the command
 * runs again once that is unlocked.
 */

/** Why stock increases: the source that the event `backorder.fulfillable` names. */
export type IncreaseCause = Payload<"backorder.fulfillable">["source"];

/** What a command hands out at its end. */
export interface PendingHandOut {
  source: IncreaseCause;
  places: WarehouseItem[];
  soIds: number[];
  leftOut: number[];
}

export const WarehouseItem = z.strictObject({ warehouse_id: int, item_id: int });
export type WarehouseItem = z.infer<typeof WarehouseItem>;

/** What a line of a waiting order lacks. */
const Need = WarehouseItem.extend({
  so_id: int,
  so_line_id: int,
  status: z.enum(["OPEN", "FRAUD_REVIEW", "WAITING_STOCK"]),
  missing: int,
  min_days_at_shipping: int.nullable(),
});
type Need = z.infer<typeof Need>;

const Stock = WarehouseItem.extend({
  inventory_id: int,
  available: int,
  expiry_date: text.nullable(),
  days_left: int.nullable(),
  is_on_shelf: bool,
});
type Stock = z.infer<typeof Stock>;

/** Hands out free units to the orders that wait for them. */
export async function handOut(tx: Tx, { source, places, soIds, leftOut }: PendingHandOut): Promise<void> {
  const values = [places.map((place) => place.warehouse_id), places.map((place) => place.item_id), soIds];
  const [before, items, after, waiting] = await tx.inOrder([
    tx.row({ watched: bool }, LOCK_WAREHOUSES, values),
    soIds.length > 0 ? tx.rows(ItemLock, LOCK_ITEMS, [soIds]) : [],
    tx.row({ watched: bool }, `select ${WATCHED} as watched`, values),
    tx.rows({ so_id: int, locked: bool }, LOCK_CANDIDATES, values),
  ]);
  if (after?.watched && !before?.watched) throw new ConcurrentChange("an order has begun to watch what comes");
  const busy = items.filter((item) => !item.locked);
  if (busy.length > 0) throw new ConcurrentChange("what an order lacks is just coming", () => itemsUnlocked(busy));
  const candidates = waiting.filter(({ so_id }) => !leftOut.includes(so_id));
  if (candidates.length === 0) return;
  const held = candidates.filter((order) => !order.locked).map((order) => order.so_id);
  if (held.length > 0) throw new ConcurrentChange("a waiting order is being changed", () => ordersUnlocked(held));
  const ids = candidates.map((order) => order.so_id);
  const [lines, needs, rows, stock] = await tx.inOrder([
    tx.rows({ so_line_id: int }, LOCK_LINES, [ids]),
    tx.rows(Need, NEEDS, [ids]),
    tx.rows({ inventory_id: int }, LOCK_STOCK, [ids]),
    tx.rows(Stock, STOCK, [ids]),
  ]);
  const { taken, covered, lacking } = divide(needs, stock);
  const mine = new Set(rows.map((row) => row.inventory_id));
  const others = [...new Set(taken.map(({ row }) => row))].filter((row) => !mine.has(row));
  if (others.length > 0) throw new ConcurrentChange("stock is being changed", () => stockUnlocked(others));
  const own = new Set(lines.map((line) => line.so_line_id));
  const losing = [...new Set(taken.map(({ line }) => line))].filter((line) => !own.has(line));
  if (losing.length > 0) throw new ConcurrentChange("a line is losing units", () => linesUnlocked(losing));
  reserveRows(tx, taken);
  if (covered.length > 0) await openOrders(tx, source, covered);
  await Promise.all([
    lacking.size > 0 &&
      tx.run(
        `update stock_waits s set watched = s.item_id = l.item_id
         from unnest($1::int[], $2::int[]) as l(so_id, item_id)
         where s.so_id = l.so_id and s.watched <> (s.item_id = l.item_id)`,
        [[...lacking.keys()], [...lacking.values()]],
      ),
    tx.run("select refresh_stock_waits($1)", [ids.filter((id) => !lacking.has(id))]),
  ]);
}

/**
 * Divides stock among lines that lack units, whose orders are sorted. A backorder gets everything or nothing, any other
 * order what it can get: what expires first, then from the fullest bins. Returns what is taken, the backorders that are
 * covered, and for those that are not an item that they lack.
 */
function divide(needs: Need[], stock: Stock[]) {
  const rows = groupBy(stock, placeOf);
  for (const here of rows.values()) here.sort(firstReserved);
  const taken: Reserved[] = [];
  const covered: number[] = [];
  const lacking = new Map<number, number>();
  for (const [so_id, lines] of groupBy(needs, (need) => need.so_id)) {
    const waits = lines[0]?.status === "WAITING_STOCK";
    const from = (need: Need) =>
      freshFor(rows.get(placeOf(need)) ?? [], need).filter((row) => !waits || row.is_on_shelf);
    const lacks =
      waits &&
      [...groupBy(lines, placeOf).values()].find((of) => sum(of, "missing") > sum(from(of[0] as Need), "available"));
    if (lacks) lacking.set(so_id, (lacks[0] as Need).item_id);
    else {
      for (const need of lines)
        takeFrom(from(need), need.missing, ({ inventory_id: row }, units) => {
          taken.push({ line: need.so_line_id, row, units });
        });
      if (waits) covered.push(so_id);
    }
  }
  return { taken, covered, lacking };
}

const placeOf = ({ warehouse_id, item_id }: WarehouseItem) => `${warehouse_id} ${item_id}`;

const sum = <K extends string>(things: Record<K, number>[], field: K) =>
  things.reduce((total, thing) => total + thing[field], 0);

const Covered = z.strictObject({
  so_id: int,
  so_number: text,
  external_id: text,
  parent_so_number: text,
  warehouse_id: int,
  customer_name: text.nullable(),
  days_waiting: int,
  items: arrayOf(z.strictObject({ item_external_id: text, sku: text, item_name: text, qty: int })),
});

/** Opens backorders that now have everything reserved. Audit SO_STATUS_CHANGED, `backorder.fulfillable`. */
async function openOrders(tx: Tx, source: IncreaseCause, soIds: number[]): Promise<void> {
  const [orders] = await Promise.all([
    tx.rows(Covered, COVERED, [soIds]),
    tx.run(
      `update sales_orders set status = 'OPEN', backorder_fulfillable_at = $2, updated_at = clock_timestamp()
       where so_id = any($1)`,
      [soIds, tx.now],
    ),
  ]);
  for (const { so_id, external_id, so_number, ...order } of orders) {
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
      ...ofSalesOrder({ so_id, external_id, warehouse_id }),
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

/** The number of locks for the items of a warehouse: an import of many items takes no more than these. */
export const ITEM_LOCKS = 64;
/** SQL for the first key of the locks of items in a warehouse; the second is the item's id modulo their number. */
export const LACKS = (warehouse: string): string => `hashtext('lacks in ' || ${warehouse})`;

const ItemLock = z.strictObject({ key: int, item: int, locked: bool });
type ItemLock = z.infer<typeof ItemLock>;

const LOCK_ITEMS = `
  select key, item, pg_try_advisory_xact_lock(key, item) as locked
  from (select distinct ${LACKS("warehouse_id")} as key, item_id % ${ITEM_LOCKS} as item
        from sales_orders join sales_order_lines using (so_id)
        where so_id = any($1) and quantity_ordered > quantity_allocated order by 1, 2) as lacked`;

/** One after the other: a lock that is held while waiting for the next would block others. */
const itemsUnlocked = async (items: ItemLock[]) => {
  for (const { key, item } of items) await db.run("select pg_advisory_xact_lock($1, $2)", [key, item]);
};

/** Wait until nobody holds the locks of these rows. */
const ordersUnlocked = async (soIds: number[]) => {
  await db.run("select from sales_orders where so_id = any($1) order by so_id for update", [soIds]);
};
const linesUnlocked = async (lines: number[]) => {
  await db.run("select from sales_order_lines where so_line_id = any($1) order by so_line_id for update", [lines]);
};
const stockUnlocked = async (rows: number[]) => {
  await db.run("select from inventory where inventory_id = any($1) order by item_id, bin_id, lot_number for update", [
    rows,
  ]);
};

/** Whether there may be an order to look at: one watches an item that increases, or one was changed itself. */
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
  with available as materialized (
    select p.warehouse_id, p.item_id, coalesce(sum(available), 0)::bigint as sellable,
           coalesce(sum(available) filter (where is_on_shelf), 0)::bigint as on_shelf
    from (select distinct warehouse_id, item_id from unnest($1::int[], $2::int[]) as p(warehouse_id, item_id)) p
    left join ${SELLABLE_STOCK} s on s.warehouse_id = p.warehouse_id and s.item_id = p.item_id
    group by p.warehouse_id, p.item_id
  ), candidates as materialized (
    select so_id from available a, watching_orders(a.warehouse_id, a.item_id, a.sellable, a.on_shelf) s(so_id)
    union select unnest($3::int[])
  ), locked as (
    select so_id from sales_orders where so_id = any(array(select so_id from candidates))
    order by so_id for update skip locked
  )
  select so_id, l.so_id is not null as locked from candidates left join locked l using (so_id)`;

/** What these locked orders lack, sorted by who gets first. An order in an active batch has its tasks. */
const NEEDS = `
  select so_id, so_line_id, warehouse_id, item_id, so.status, quantity_ordered - quantity_allocated as missing,
         min_days_at_shipping
  from sales_orders so join sales_order_lines l using (so_id)
  where so_id = any($1) and so.status in ('OPEN', 'FRAUD_REVIEW', 'WAITING_STOCK')
    and so.order_type not in ('return', 'refund') and quantity_ordered > quantity_allocated
    and not exists (select from pick_batch_orders b where b.so_id = so.so_id and b.active)
  order by so.priority desc, so.ship_by_date, coalesce(backorder_opened_at, so.created_at), so_id, line_number,
           so_line_id`;

/** A line may be losing units to a transaction that takes its stock and does not lock its order. */
const LOCK_LINES = `
  select so_line_id from sales_order_lines where so_id = any($1) and quantity_ordered > quantity_allocated
  order by so_line_id for update skip locked`;

/** The stock that these orders lack: rows `s`. */
const LACKED = `
  (s.warehouse_id, s.item_id) in (
    select warehouse_id, item_id from sales_orders join sales_order_lines using (so_id)
    where so_id = any($1) and quantity_ordered > quantity_allocated)`;
const LOCK_STOCK = `
  select inventory_id from inventory s where ${LACKED} order by item_id, bin_id, lot_number for update skip locked`;
const STOCK = `
  select inventory_id, warehouse_id, item_id, available, expiry_date, days_left, is_on_shelf
  from ${SELLABLE_STOCK} s where ${LACKED}`;

const COVERED = `
  select so_id, so_number, external_id, warehouse_id, customer_name,
         coalesce((select p.so_number from sales_orders p where p.so_id = so.parent_so_id), '') as parent_so_number,
         extract(day from now() - coalesce(backorder_opened_at, created_at))::int as days_waiting,
         (select json_agg(json_build_object('item_external_id', i.external_id, 'sku', sku, 'item_name', item_name,
                                            'qty', quantity_ordered) order by line_number, so_line_id)
          from sales_order_lines l join items i using (item_id) where l.so_id = so.so_id) as items
  from sales_orders so join unnest($1::int[]) with ordinality as c(id, place) on c.id = so_id order by c.place`;
