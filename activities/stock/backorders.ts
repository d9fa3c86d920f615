import type { Tx } from "../command.js";
import { handOut, type IncreaseCause, ITEM_LOCKS, LACKS, type PendingHandOut, WarehouseItem } from "./hand-out.js";

export type { IncreaseCause };

/**
 * Code that makes stock available announces it beforehand, and when the command ends, the free units go to the orders
 * that wait for them, in the same transaction (hand-out.ts). The functions that increase stock require a
 * `StockIncrease`, so that this cannot be forgotten.
 */

declare const noted: unique symbol;
/** Proof that free units will be handed out to waiting orders when the command ends. Only this file creates one. */
export interface StockIncrease {
  readonly [noted]: true;
}

const handOuts = new WeakMap<Tx, PendingHandOut>();

function handOutAtEnd(tx: Tx, source: IncreaseCause, places: WarehouseItem[], soIds: number[]): StockIncrease {
  const pending = handOuts.get(tx) ?? { source, places: [], soIds: [], leftOut: [] };
  if (!handOuts.has(tx) && places.length + soIds.length > 0) {
    handOuts.set(tx, pending);
    tx.atEnd(() => handOut(tx, pending));
  }
  pending.places.push(...places);
  pending.soIds.push(...soIds);
  return {} as StockIncrease;
}

/**
 * To be called before stock of some items becomes available in some warehouses, both given as SQL subqueries; `locks`
 * is a shorter statement for the locks of these. Usually no order waits for any of it.
 */
export async function expectIncrease(
  tx: Tx,
  source: IncreaseCause,
  { items, warehouses, locks }: { items: string; warehouses: string; locks?: string | false },
  values: unknown[],
): Promise<StockIncrease> {
  const locked = tx.run(
    locks ||
      `select pg_advisory_xact_lock_shared(key, item)
       from (select distinct ${LACKS("w.id")} as key, i.id % ${ITEM_LOCKS} as item
             from unnest(array(${warehouses})) w(id), unnest(array(${items})) i(id) order by 1, 2) as coming`,
    values,
  );
  const read = tx.rows(
    // Where no order waits for anything, the function is not called: it takes most of the time of this statement.
    WarehouseItem,
    `select warehouse_id, item_id from awaited_places(array(${warehouses}), array(${items}))
     where exists (select from stock_waits)`,
    values,
  );
  const [, places] = await tx.inOrder([locked, read]);
  return handOutAtEnd(tx, source, places, []);
}

/** What is brought is mostly one item into one bin: then there is nothing to sort, which takes most of the time. */
const LOCK_ONE = `
  select pg_advisory_xact_lock_shared(${LACKS("warehouse_id")}, ($1::int[])[1] % ${ITEM_LOCKS})
  from bins where bin_id = ($2::int[])[1]`;

/** The same for these items in the warehouses of these bins. */
export async function expectIncreaseIn(
  tx: Tx,
  source: IncreaseCause,
  itemIds: number[],
  binIds: number[],
): Promise<StockIncrease> {
  if (itemIds.length === 0) return handOutAtEnd(tx, source, [], []);
  const places = {
    items: "select unnest($1::int[])",
    warehouses: "select warehouse_id from bins where bin_id = any($2)",
    locks: itemIds.length === 1 && binIds.length === 1 && LOCK_ONE,
  };
  return expectIncrease(tx, source, places, [itemIds, binIds]);
}

/**
 * The same for stock that may become sellable: `which` is SQL about stock rows `v`, with its values. To be called once
 * the record that decides (bin, zone, item, lot) is locked.
 */
export const expectSellable = (tx: Tx, which: string, ...values: (number | string)[]): Promise<StockIncrease> =>
  expectIncrease(
    tx,
    "transfer",
    {
      items: `select item_id from inventory v where ${which} and quantity_on_hand > 0`,
      warehouses: `select warehouse_id from inventory v where ${which} and quantity_on_hand > 0`,
    },
    values,
  );

/** The same for units of these orders: picked, reserved or allocated to pick tasks. */
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

/** For commands that make nothing available. */
export const noIncrease = (tx: Tx): StockIncrease => handOutAtEnd(tx, "transfer", [], []);

/** To be called before the lines of a locked order change: if it waits for stock, it may be covered afterwards. */
export function expectFewer(tx: Tx, order: { so_id: number; status: string }): void {
  if (order.status === "WAITING_STOCK") expectLacking(tx, [order.so_id]);
}

/** Leaves out an order whose reservations are being decided by this command. */
export function leaveOut(tx: Tx, soId: number): void {
  handOuts.get(tx)?.leftOut.push(soId);
}

/**
 * To be called where orders may have less reserved than they ask for, or begin to wait: at the end of the command they
 * get what is free, and wait for the rest from then on.
 */
export function expectLacking(tx: Tx, soIds: number[]): void {
  handOutAtEnd(tx, "transfer", [], soIds);
}
