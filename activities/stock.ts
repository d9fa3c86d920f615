import type { Effects, Sql } from "../src/db.js";
import { InsufficientStock, PromisedToPicks } from "../src/stock-problems.js";
import { Outrun } from "./command.js";

/**
 * Every change of stock on hand, and the rules that keep it true. (Moves between bins: stock-moves.ts.)
 *
 * LOCK ORDER, everywhere: the picker's user → pick batches by id → purchase orders by id → cycle counts by id → adjustments
 * that no count made, by id → sales orders by id → stock rows by (item, bin, lot) → sales order lines by id. Whoever locks several of
 * a kind locks them in one statement, in that order; nobody locks backwards. Who raises stock also locks the orders that wait for
 * it (backorders.ts). A user's row guards which batches the user has, a
 * batch row its tasks and their shares, a purchase order its lines, a cycle count its lines and adjustments, a stock row its
 * reservations.
 *
 * Before stock rows: who deletes an item or a bin locks its row, and who brings goods there holds it (`for key share`).
 *
 * What holds for a stock row (the database checks the bounds): its `quantity_allocated` is the sum of its standing
 * reservations and of what PENDING pick tasks will take from it, and never more than is on hand.
 */

/** Where stock lies: one row per item, bin and lot; no lot is a lot like any other. */
export interface StockPlace {
  itemId: number;
  binId: number;
  lot: string | null;
}

export interface StockRow {
  inventory_id: number;
  item_id: number;
  bin_id: number;
  warehouse_id: number;
  lot_number: string | null;
  quantity_on_hand: number;
  quantity_allocated: number;
}

export const COLUMNS =
  "inventory_id, item_id, bin_id, warehouse_id, lot_number, quantity_on_hand, quantity_allocated";

/** Units on hand that nobody was promised. */
export const free = (
  row: Pick<StockRow, "quantity_on_hand" | "quantity_allocated">,
): number => row.quantity_on_hand - row.quantity_allocated;

/** Puts units into places, making rows that are not there yet; the same place may be named more than once. */
export async function addStock(
  tx: Effects,
  arrivals: (StockPlace & { warehouseId: number; quantity: number })[],
): Promise<void> {
  await tx.run(
    `insert into inventory (item_id, bin_id, warehouse_id, lot_number, quantity_on_hand)
     select item_id, bin_id, warehouse_id, lot, sum(quantity)
     from unnest($1::int[], $2::int[], $3::int[], $4::text[], $5::int[]) as a(item_id, bin_id, warehouse_id, lot, quantity)
     group by item_id, bin_id, warehouse_id, lot
     order by item_id, bin_id, lot
     on conflict (item_id, bin_id, lot_number) do update
       set quantity_on_hand = inventory.quantity_on_hand + excluded.quantity_on_hand, updated_at = now()`,
    [
      arrivals.map((a) => a.itemId),
      arrivals.map((a) => a.binId),
      arrivals.map((a) => a.warehouseId),
      arrivals.map((a) => a.lot),
      arrivals.map((a) => a.quantity),
    ],
  );
}

/** Locks every lot of these items in these bins. */
export function lockLots(
  tx: Sql,
  places: Omit<StockPlace, "lot">[],
): Promise<StockRow[]> {
  return tx.rows<StockRow>(
    `select ${COLUMNS} from inventory
     where (item_id, bin_id) in (select * from unnest($1::int[], $2::int[]))
     order by item_id, bin_id, lot_number for update`,
    [places.map((p) => p.itemId), places.map((p) => p.binId)],
  );
}

/** Locks all stock rows of these items in a warehouse. */
export function lockItems(
  tx: Sql,
  warehouseId: number,
  itemIds: number[],
): Promise<StockRow[]> {
  return tx.rows<StockRow>(
    `select ${COLUMNS} from inventory
     where warehouse_id = $1 and item_id = any($2)
     order by item_id, bin_id, lot_number for update`,
    [warehouseId, itemIds],
  );
}

/**
 * For who finds too little in what `lockItems` gave: while it waited for a row, goods may have gone to a row that is new, and
 * that it has not seen. Then the command begins anew.
 */
export async function checkAllLocked(
  tx: Sql,
  warehouseId: number,
  itemIds: number[],
  locked: StockRow[],
): Promise<void> {
  const now = await tx.row<{ rows: number }>(
    "select count(*) as rows from inventory where warehouse_id = $1 and item_id = any($2)",
    [warehouseId, itemIds],
  );
  if (now?.rows !== locked.length) throw new Outrun("new stock rows");
}

/**
 * Takes units from a locked row. Units that are reserved go last: their orders lose the reservation, not the order.
 * Units that a pick task will take stay: 400 `promised_to_picks`. More than is on hand: 400 `insufficient_stock`.
 */
export async function takeStock(
  tx: Sql,
  row: StockRow,
  quantity: number,
  binCode: string,
): Promise<void> {
  if (quantity > row.quantity_on_hand) {
    throw InsufficientStock({
      bin: binCode,
      available: row.quantity_on_hand,
      requested: quantity,
    });
  }
  const reserved = Math.max(0, quantity - free(row));
  const released = await releaseFromRows(tx, [
    { inventoryId: row.inventory_id, released: reserved },
  ]);
  if (released < reserved) {
    const promised = row.quantity_allocated - released;
    throw PromisedToPicks({ bin: binCode, promised });
  }
  await count(tx, [
    {
      inventoryId: row.inventory_id,
      onHand: -quantity,
      allocated: -reserved,
    },
  ]);
}

/** What is added to the two counters of a locked row. */
interface Counted {
  inventoryId: number;
  onHand: number;
  allocated: number;
}

/** Changes counters of locked rows. `updated_at` tells when units last came or went, because picking uses up the oldest first. */
export async function count(tx: Effects, rows: Counted[]): Promise<void> {
  await tx.run(
    `update inventory i
     set quantity_on_hand = quantity_on_hand + c.on_hand, quantity_allocated = quantity_allocated + c.allocated,
         updated_at = case when c.on_hand = 0 then updated_at else now() end
     from unnest($1::int[], $2::int[], $3::int[]) as c(inventory_id, on_hand, allocated)
     where i.inventory_id = c.inventory_id`,
    [
      rows.map((row) => row.inventoryId),
      rows.map((row) => row.onHand),
      rows.map((row) => row.allocated),
    ],
  );
}

/**
 * SQL that cuts standing reservations off the rows $1 (an array), up to as many units as $2 says of each, the youngest
 * first; `cut` says how much of which line.
 */
export const CUT_RESERVATIONS = `
  with ranked as (
    select inventory_id, so_line_id, quantity, created_at, wanted,
           sum(quantity) over (partition by inventory_id order by created_at desc, so_line_id desc) - quantity as before
    from stock_reservations join unnest($1::int[], $2::int[]) as w(inventory_id, wanted) using (inventory_id)
  ), cut as (
    select inventory_id, so_line_id, created_at, quantity, least(quantity, wanted - before)::int as units
    from ranked where before < wanted
  ), gone as (
    delete from stock_reservations r using cut c
    where r.inventory_id = c.inventory_id and r.so_line_id = c.so_line_id and c.units = c.quantity
  ), less as (
    update stock_reservations r set quantity = r.quantity - c.units from cut c
    where r.inventory_id = c.inventory_id and r.so_line_id = c.so_line_id and c.units < c.quantity
  )`;

/** How many units of each of these rows standing reservations hold; the rest of what is allocated, pick tasks will take. */
export async function reservedUnits(
  tx: Sql,
  inventoryIds: number[],
): Promise<Map<number, number>> {
  const rows = await tx.rows<{ inventory_id: number; units: number }>(
    `select inventory_id, sum(quantity)::int as units from stock_reservations
     where inventory_id = any($1) group by inventory_id`,
    [inventoryIds],
  );
  return new Map(rows.map((row) => [row.inventory_id, row.units]));
}

/** What changes of a locked row: units on hand, and how many units of its standing reservations end. */
export interface RowChange {
  inventoryId: number;
  onHand: number;
  released: number;
}

/** Changes many locked rows at once, as `takeStock` would one by one. */
export async function changeRows(tx: Sql, changes: RowChange[]): Promise<void> {
  await releaseFromRows(
    tx,
    changes.filter((change) => change.released > 0),
  );
  await count(
    tx,
    changes.map(({ inventoryId, onHand, released }) => ({
      inventoryId,
      onHand,
      allocated: -released,
    })),
  );
}

/**
 * Ends up to so many units of standing reservations on each row, the youngest first, and gives how many ended in all; the
 * rows' own counters are the caller's.
 */
async function releaseFromRows(
  tx: Sql,
  rows: Pick<RowChange, "inventoryId" | "released">[],
): Promise<number> {
  if (rows.length === 0) return 0;
  const released = await tx.row<{ units: number }>(
    `${CUT_RESERVATIONS}, lines as (
       update sales_order_lines l set quantity_allocated = l.quantity_allocated - c.units
       from (select so_line_id, sum(units) as units from cut group by so_line_id) c
       where l.so_line_id = c.so_line_id
     )
     select coalesce(sum(units), 0)::int as units from cut`,
    [rows.map((row) => row.inventoryId), rows.map((row) => row.released)],
  );
  return released?.units ?? 0;
}
