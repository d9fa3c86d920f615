import { z } from "zod";
import { int } from "../../src/platform/db/columns.js";
import type { Sql, TxSql } from "../../src/platform/db/db.js";
import { groupBy } from "../../src/platform/values.js";
import { type AskedDays, firstReserved, freshFor, takeFrom } from "../../src/stock/sellable.js";
import type { StockIncrease } from "./backorders.js";
import { releaseLines } from "./line-counters.js";
import { type Reserved, releaseRows, reserveRows } from "./reserve-rows.js";
import { checkAllLocked, lockItems, type SellableRow, SUBTRACT_CUT } from "./stock.js";

/**
 * Standing reservations: units of stock rows that belong to order lines until a pick task takes them over. The
 * invariants are in the comment on table stock_reservations; the lock order is in stock.ts.
 */
export const LineToReserve = z.strictObject({ so_line_id: int, item_id: int, quantity: int });
export type LineToReserve = z.infer<typeof LineToReserve>;

/** What decides which units are reserved for the lines of an order. */
interface ReservingOrder extends AskedDays {
  warehouse_id: number;
}

/**
 * Reserves stock for lines of an order, in their order: for each item what expires first, then from the rows with most
 * sellable units, whatever the type of their bin (docs/interface.md, Sales orders). A line may be reserved in part:
 * then the caller says that its order waits for the rest (`expectLacking`). Returns the number of reserved units.
 */
export async function reserveLines(tx: TxSql, order: ReservingOrder, lines: LineToReserve[]): Promise<number> {
  const items = lines.map((line) => line.item_id);
  const locked = await lockItems(tx, order.warehouse_id, items);
  return reserveFrom(tx, order, locked, lines);
}

/** The same from `locked`, all stock rows of the lines' items in the warehouse, which the caller has locked. */
export async function reserveFrom(
  tx: TxSql,
  order: ReservingOrder,
  locked: SellableRow[],
  lines: LineToReserve[],
): Promise<number> {
  const items = lines.map((line) => line.item_id);
  const stock = groupBy(locked, (row) => row.item_id);
  const taken: Reserved[] = [];
  let short = false;
  for (const { so_line_id, item_id, quantity } of lines) {
    const rows = freshFor(stock.get(item_id) ?? [], order).sort(firstReserved);
    const missing = takeFrom(rows, quantity, ({ inventory_id: row }, units) => {
      taken.push({ line: so_line_id, row, units });
    });
    short ||= missing > 0;
  }
  if (short) await checkAllLocked(tx, order.warehouse_id, items, locked);
  reserveRows(tx, taken);
  return taken.reduce((sum, { units }) => sum + units, 0);
}

/** Releases all standing reservations of these lines, whose orders the caller has locked; not units of pick tasks. */
export async function releaseReservations(tx: TxSql, increase: StockIncrease, soLineIds: number[]): Promise<void> {
  await releaseWhere(tx, increase, "so_line_id = any($1)", [soLineIds]);
}

/** The same of those that a condition of SQL selects; returns their units by line. */
export async function releaseWhere(
  tx: TxSql,
  _increase: StockIncrease,
  which: string,
  values: unknown[],
): Promise<{ so_line_id: number; units: number }[]> {
  const [, released] = await tx.inOrder([
    tx.run(
      `select from inventory where inventory_id in (select inventory_id from stock_reservations where ${which})
       order by item_id, bin_id, lot_number for update`,
      values,
    ),
    tx.rows(
      { so_line_id: int, units: int },
      `with released as (
         delete from stock_reservations where ${which} returning so_line_id, inventory_id, quantity as units
       ), of_rows as (
         ${releaseRows("released")}
       ), of_lines as (
         ${releaseLines("released")}
       )
       select so_line_id, sum(units) as units from released group by so_line_id`,
      values,
    ),
  ]);
  return released;
}

/**
 * Releases up to `units` of a line's standing reservations, the youngest first; returns how many. The caller has locked
 * its order and its item's stock.
 */
export async function releaseUnits(
  tx: Sql,
  _increase: StockIncrease,
  soLineId: number,
  units: number,
): Promise<number> {
  const released = await tx.row(
    { units: int },
    `with ranked as (
       select so_line_id, inventory_id, quantity,
              sum(quantity) over (order by created_at desc, inventory_id desc) - quantity as before
       from stock_reservations where so_line_id = $1
     ), cut as (
       select so_line_id, inventory_id, quantity, least(quantity, $2 - before)::int as units
       from ranked where before < $2
     ), ${SUBTRACT_CUT}, of_rows as (
       ${releaseRows("cut")}
     ), of_line as (
       ${releaseLines("cut")}
     )
     select coalesce(sum(units), 0) as units from cut`,
    [soLineId, units],
  );
  return released?.units ?? 0;
}
