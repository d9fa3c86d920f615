import { z } from "zod";
import { arrayOf, int, text } from "../../src/platform/db/columns.js";
import type { Effects, Sql, TxSql } from "../../src/platform/db/db.js";
import { InsufficientStock, PromisedToPicks, UnitsHeld } from "../../src/stock/problems.js";
import { AVAILABLE, DAYS_LEFT, SELLABLE_JOINS } from "../../src/stock/sellable.js";
import { ConcurrentChange, type Tx } from "../command.js";
import { expectLacking, type StockIncrease } from "./backorders.js";
import { heldUnits } from "./holds.js";
import { releaseLines } from "./line-counters.js";
import { cutTransfers, type TransfersHere, takeableOfTransfers } from "./transfer-cuts.js";

/**
 * Every change of stock on hand. (Moves between bins: moves.ts.)
 *
 * LOCK ORDER, everywhere: the picker's user → pick batches by id → purchase orders by id → cycle counts by id →
 * adjustments that no count made, by id → transfer orders by id → sales orders by id → stock rows by (item, bin, lot) →
 * sales order lines by id → the handing out to the orders that wait in a warehouse. Several rows of a kind are locked
 * in one statement, in that order; no transaction locks in another order. A transaction that makes stock available
 * hands it out to waiting orders when it ends (backorders.ts): these functions require the `StockIncrease` that proves
 * it. One that may take reserved units first locks the transfer orders that hold units there (`lockTransfersAt`). The
 * lock of a user's row also covers which batches the user has, that of a batch its tasks and their portions, of a
 * purchase order its lines, of a cycle count its lines and adjustments, of a transfer order its lines, its approvals
 * and what they hold (transfer_reservations), of a stock row its other reservations and its holds. Inspections are
 * locked after stock rows.
 *
 * After stock rows: items with serials by id, where it matters which of their units nobody named, then serials.
 *
 * Before stock rows: deleting an item or a bin locks its row, and adding stock there takes it `for key share`. A bin's
 * counts are ended, and a short pick in it recorded, while its row is locked: after the pick batch, before the counts.
 *
 * Invariant of a stock row (the database checks the bounds): `quantity_allocated` is the sum of its standing
 * reservations, of the units of its PENDING pick tasks of sales orders, of its transfer reservations and of its holds,
 * and at most `quantity_on_hand`.
 */

/** The key of a stock row: item, bin and lot; null is treated like any other lot. */
export interface StockPlace {
  itemId: number;
  binId: number;
  lot: string | null;
}

export const StockRow = z.strictObject({
  inventory_id: int,
  item_id: int,
  bin_id: int,
  warehouse_id: int,
  lot_number: text.nullable(),
  quantity_on_hand: int,
  quantity_allocated: int,
  /** See doubts.ts. */
  quantity_doubted: int,
});
export type StockRow = z.infer<typeof StockRow>;

const ROW_COLUMNS =
  "inventory_id, item_id, bin_id, warehouse_id, lot_number, quantity_on_hand, quantity_allocated, quantity_doubted";

export const LOT_COLUMNS = `${ROW_COLUMNS}, expiry_date, condition`;

/** Units on hand that are not allocated, whether they may be sold or not. */
export const free = (row: Pick<StockRow, "quantity_on_hand" | "quantity_allocated">): number =>
  row.quantity_on_hand - row.quantity_allocated;

/** Units that are added to a stock row. */
export type Arrival = StockPlace & { warehouseId: number; quantity: number; expiry?: string | null | undefined };

/**
 * Adds units to stock rows, inserting rows that do not exist; the same place may be given more than once. A row has the
 * earliest expiry of its units; where none is given, a lot gets that of its record (table lots). When a row becomes
 * empty its expiry is dropped: so a wrong one is corrected by taking the units out of stock and receiving them again.
 */
export async function addStock(tx: Effects, _increase: StockIncrease, arrivals: Arrival[]): Promise<void> {
  await tx.run(
    `insert into inventory (item_id, bin_id, warehouse_id, lot_number, quantity_on_hand, expiry_date)
     select item_id, bin_id, warehouse_id, lot, sum(quantity), min(expiry)
     from unnest(:item_ids::int[], :bin_ids::int[], :warehouse_ids::int[], :lots::text[], :quantities::int[],
                 :expiries::date[])
       as a(item_id, bin_id, warehouse_id, lot, quantity, expiry)
     group by item_id, bin_id, warehouse_id, lot
     order by item_id, bin_id, lot
     on conflict (item_id, bin_id, lot_number) do update
       set quantity_on_hand = inventory.quantity_on_hand + excluded.quantity_on_hand, updated_at = now(),
           expiry_date = case when inventory.quantity_on_hand = 0
             then excluded.expiry_date else least(inventory.expiry_date, excluded.expiry_date) end,
           condition = case when inventory.quantity_on_hand = 0 then excluded.condition else inventory.condition end`,
    {
      item_ids: arrivals.map((a) => a.itemId),
      bin_ids: arrivals.map((a) => a.binId),
      warehouse_ids: arrivals.map((a) => a.warehouseId),
      lots: arrivals.map((a) => a.lot),
      quantities: arrivals.map((a) => a.quantity),
      expiries: arrivals.map((a) => a.expiry ?? null),
    },
  );
}

/** Inserts a stock row without lot if there is none, so that concurrent transactions have a row to lock. */
export async function makeRow(tx: Sql, place: { itemId: number; binId: number; warehouseId: number }): Promise<void> {
  await tx.run(
    `insert into inventory (item_id, bin_id, warehouse_id) values ($1, $2, $3)
     on conflict (item_id, bin_id, lot_number) do nothing`,
    [place.itemId, place.binId, place.warehouseId],
  );
}

/** A stock row with what decides besides its units whether they are sold. */
export const LotRow = StockRow.extend({ expiry_date: text.nullable(), condition: text });
export type LotRow = z.infer<typeof LotRow>;

/** A stock row and how many of its units can be promised to an order. */
export const SellableRow = LotRow.extend({ available: int, days_left: int.nullable() });
export type SellableRow = z.infer<typeof SellableRow>;

const SELLABLE_COLUMNS = `${LOT_COLUMNS.split(", ")
  .map((column) => `v.${column}`)
  .join(", ")}, ${AVAILABLE} as available, ${DAYS_LEFT} as days_left`;

/** Locks every lot of the items and bins that SQL selects. */
const lockLotsOf = (tx: Sql, places: string, values: unknown[]): Promise<LotRow[]> =>
  tx.rows(
    LotRow,
    `select ${LOT_COLUMNS} from inventory where (item_id, bin_id) in (${places})
     order by item_id, bin_id, lot_number for update`,
    values,
  );

/** Locks every lot of these items in these bins. */
export const lockLots = (tx: Sql, places: Omit<StockPlace, "lot">[]): Promise<LotRow[]> =>
  lockLotsOf(tx, "select * from unnest($1::int[], $2::int[])", [
    places.map((p) => p.itemId),
    places.map((p) => p.binId),
  ]);

/**
 * Locks the stock rows `v` of a condition, and then reads the other rows that decide about them: a statement that waits
 * for a lock reads other rows as they were before. Where somebody added a row meanwhile that can be sold, and may
 * expire before the others, the command is run again.
 */
async function lockSellable(tx: TxSql, which: string, values: unknown[]): Promise<SellableRow[]> {
  const ordered = "order by v.item_id, v.bin_id, v.lot_number";
  const [locked, rows] = await tx.inOrder([
    tx.rows({ inventory_id: int }, `select inventory_id from inventory v where ${which} ${ordered} for update`, values),
    tx.rows(
      SellableRow,
      `select ${SELLABLE_COLUMNS} from inventory v ${SELLABLE_JOINS} where ${which} ${ordered}`,
      values,
    ),
  ]);
  const ids = new Set(locked.map((row) => row.inventory_id));
  const isLocked = (row: SellableRow) => ids.has(row.inventory_id);
  if (rows.some((row) => row.available > 0 && !isLocked(row))) throw new ConcurrentChange("new stock rows");
  return rows.filter(isLocked);
}

/** Locks every lot of the items and bins that SQL selects, with how much can be sold there. */
export const lockSellableOf = (tx: TxSql, places: string, values: unknown[]): Promise<SellableRow[]> =>
  lockSellable(tx, `(v.item_id, v.bin_id) in (${places})`, values);

/** Locks all stock rows of these items in a warehouse. */
export const lockItems = (tx: TxSql, warehouseId: number, itemIds: number[]): Promise<SellableRow[]> =>
  lockSellable(tx, "v.warehouse_id = $1 and v.item_id = any($2)", [warehouseId, itemIds]);

/**
 * The same, where only their ids are asked for. Where somebody added a row meanwhile, which may expire before the
 * others, the command is run again.
 */
export async function lockItemRows(
  tx: TxSql,
  warehouseId: number,
  itemIds: number[],
): Promise<{ inventory_id: number }[]> {
  const [locked, count] = await tx.inOrder([
    tx.rows(
      { inventory_id: int },
      `select inventory_id from inventory where warehouse_id = $1 and item_id = any($2)
       order by item_id, bin_id, lot_number for update`,
      [warehouseId, itemIds],
    ),
    countRows(tx, warehouseId, itemIds),
  ]);
  if (count !== locked.length) throw new ConcurrentChange("new stock rows");
  return locked;
}

/** Locks all stock rows of an item in all warehouses. */
export const lockItem = (tx: TxSql, itemId: number): Promise<SellableRow[]> =>
  lockSellable(tx, "v.item_id = $1", [itemId]);

/**
 * To be called when the rows of `lockItems` have too little: while waiting for a lock, a concurrent transaction may
 * have added stock in a new row, which was not locked. In that case the command is run again.
 */
export async function checkAllLocked(
  tx: Sql,
  warehouseId: number,
  itemIds: number[],
  locked: unknown[],
): Promise<void> {
  if ((await countRows(tx, warehouseId, itemIds)) !== locked.length) throw new ConcurrentChange("new stock rows");
}

async function countRows(tx: Sql, warehouseId: number, itemIds: number[]): Promise<number | undefined> {
  const now = await tx.row(
    { rows: int },
    "select count(*) as rows from inventory where warehouse_id = $1 and item_id = any($2)",
    [warehouseId, itemIds],
  );
  return now?.rows;
}

/**
 * Takes units from a locked row. Free units are taken first, then reserved ones, whose orders lose the reservation:
 * those of transfer orders before those of customers. Units that are allocated to pick tasks or picked for a transfer
 * order are never taken: 400 `promised_to_picks`; nor are those on hold: 400 `units_held`. More than is on hand: 400
 * `insufficient_stock`.
 */
export async function takeStock(
  tx: Tx,
  transfers: TransfersHere,
  row: StockRow,
  quantity: number,
  binCode: string,
): Promise<void> {
  if (quantity > row.quantity_on_hand) {
    throw InsufficientStock({ bin: binCode, available: row.quantity_on_hand, requested: quantity });
  }
  const reserved = Math.max(0, quantity - free(row));
  const released = await releaseFromRows(tx, transfers, [{ inventoryId: row.inventory_id, released: reserved }]);
  if (released < reserved) {
    const held = (await heldUnits(tx, [row.inventory_id])).get(row.inventory_id);
    if (held) throw UnitsHeld({ bin: binCode, held });
    const promised = row.quantity_allocated - released;
    throw PromisedToPicks({ bin: binCode, promised });
  }
  await changeCounters(tx, undefined, [{ inventoryId: row.inventory_id, onHand: -quantity, allocated: -reserved }]);
}

/** What is added to the two counters of a locked row; the same row may be given more than once. */
interface CounterChange {
  inventoryId: number;
  onHand: number;
  allocated: number;
}

/**
 * Changes the counters of locked rows; a `StockIncrease` is needed where available stock rises. `updated_at` is when
 * stock on hand last changed, because picking takes the oldest stock first.
 */
export async function changeCounters(
  tx: Effects,
  increase: StockIncrease | undefined,
  rows: CounterChange[],
): Promise<void> {
  if (!increase && rows.some(({ onHand, allocated }) => onHand > allocated))
    throw new Error("available stock rises, but the orders that wait for it are not tested");
  await tx.run(
    `update inventory i
     set quantity_on_hand = quantity_on_hand + c.on_hand, quantity_allocated = quantity_allocated + c.allocated,
         updated_at = case when c.on_hand = 0 then updated_at else now() end
     from (select inventory_id, sum(on_hand) as on_hand, sum(allocated) as allocated
           from unnest($1::int[], $2::int[], $3::int[]) as c(inventory_id, on_hand, allocated) group by inventory_id) c
     where i.inventory_id = c.inventory_id`,
    [rows.map((row) => row.inventoryId), rows.map((row) => row.onHand), rows.map((row) => row.allocated)],
  );
}

/** SQL that takes picked units from a stock row, and all units that its pick task had allocated. */
export const takePick = (pick: { row: string; picked: string; allocated: string }): string => `
  update inventory
  set quantity_on_hand = quantity_on_hand - ${pick.picked}, quantity_allocated = quantity_allocated - ${pick.allocated},
      updated_at = case when ${pick.picked} = 0 then updated_at else now() end
  where inventory_id = ${pick.row}`;

/**
 * Reverts the tasks of these batches for sales orders, on locked rows: allocated units become free, picked ones are on
 * hand again.
 */
export async function returnPicks(tx: Effects, _increase: StockIncrease, batchIds: number[]): Promise<void> {
  await tx.run(
    `update inventory v
     set quantity_on_hand = v.quantity_on_hand + t.picked,
         quantity_allocated = v.quantity_allocated - t.promised,
         updated_at = case when t.picked = 0 then v.updated_at else now() end
     from (select inventory_id,
             coalesce(sum(quantity_picked) filter (where status in ('PICKED', 'SHORT')), 0) as picked,
             coalesce(sum(quantity_to_pick) filter (where status = 'PENDING'), 0) as promised
           from pick_tasks where batch_id = any($1) and to_line_id is null group by inventory_id) t
     where v.inventory_id = t.inventory_id`,
    [batchIds],
  );
}

/** Sets when these rows were last counted. */
export async function markCounted(tx: Effects, rows: Pick<StockRow, "inventory_id">[]): Promise<void> {
  await tx.run("update inventory set last_counted_at = now() where inventory_id = any($1)", [
    rows.map((row) => row.inventory_id),
  ]);
}

/** SQL (CTEs) that subtracts the units of the CTE `cut` from the reservations that it names. */
export const SUBTRACT_CUT = `deleted as (
    delete from stock_reservations r using cut c
    where r.inventory_id = c.inventory_id and r.so_line_id = c.so_line_id and c.units = c.quantity
  ), reduced as (
    update stock_reservations r set quantity = r.quantity - c.units from cut c
    where r.inventory_id = c.inventory_id and r.so_line_id = c.so_line_id and c.units < c.quantity
  )`;

/**
 * SQL (CTEs) that reduces the standing reservations of each stock row of the array $1 by up to the units in $2, the
 * youngest first; `cut` has the units by order line.
 */
export const CUT_RESERVATIONS = `
  with ranked as (
    select inventory_id, so_line_id, quantity, created_at, wanted,
           sum(quantity) over (partition by inventory_id order by created_at desc, so_line_id desc) - quantity as before
    from stock_reservations join unnest($1::int[], $2::int[]) as w(inventory_id, wanted) using (inventory_id)
  ), cut as (
    select inventory_id, so_line_id, created_at, quantity, least(quantity, wanted - before)::int as units
    from ranked where before < wanted
  ), ${SUBTRACT_CUT}`;

/**
 * The units of each of these locked rows that may be taken from reservations: of customers' orders, and of transfer
 * orders as far as they are neither picked nor in a pick task. The other allocated units belong to pick tasks and
 * picks.
 */
export async function reservedUnits(
  tx: Sql,
  transfers: TransfersHere,
  inventoryIds: number[],
): Promise<Map<number, number>> {
  const [rows, held] = await Promise.all([
    tx.rows(
      { inventory_id: int, units: int },
      `select inventory_id, sum(quantity) as units from stock_reservations
       where inventory_id = any($1) group by inventory_id`,
      [inventoryIds],
    ),
    takeableOfTransfers(tx, transfers, inventoryIds),
  ]);
  const units = new Map(held);
  for (const row of rows) units.set(row.inventory_id, (units.get(row.inventory_id) ?? 0) + row.units);
  return units;
}

/** A change of a locked row: of its units on hand, and the units of standing reservations to be released. */
export interface RowChange {
  inventoryId: number;
  onHand: number;
  released: number;
}

/** Changes many locked rows at once, as `takeStock` would one by one. */
export async function changeRows(
  tx: Tx,
  transfers: TransfersHere,
  increase: StockIncrease | undefined,
  changes: RowChange[],
): Promise<void> {
  await releaseFromRows(
    tx,
    transfers,
    changes.filter((change) => change.released > 0),
  );
  await changeCounters(
    tx,
    increase,
    changes.map(({ inventoryId, onHand, released }) => ({ inventoryId, onHand, allocated: -released })),
  );
}

/**
 * Releases up to the given units of the reservations of each row, those of transfer orders first, then those of
 * customers' orders, the youngest first; returns how many were released in all. The caller changes the counters of the
 * stock rows.
 */
async function releaseFromRows(
  tx: Tx,
  transfers: TransfersHere,
  rows: Pick<RowChange, "inventoryId" | "released">[],
): Promise<number> {
  const wanted = rows.filter((row) => row.released > 0);
  if (wanted.length === 0) return 0;
  const cut = await cutTransfers(tx, transfers, wanted);
  const left = wanted
    .map(({ inventoryId, released }) => ({ inventoryId, released: released - (cut.get(inventoryId) ?? 0) }))
    .filter((row) => row.released > 0);
  const ofTransfers = [...cut.values()].reduce((sum, units) => sum + units, 0);
  if (left.length === 0) return ofTransfers;
  return ofTransfers + (await cutReservations(tx, left));
}

/** Releases up to this many units of the reservations of a locked row, the youngest first. Returns how many. */
export const releaseReserved = (tx: Tx, inventoryId: number, units: number): Promise<number> =>
  cutReservations(tx, [{ inventoryId, released: units }]);

const CutReservationsRow = { units: int, orders: arrayOf(int) };

/** The same for several rows; the orders that lose units get others, as far as there are any. */
async function cutReservations(tx: Tx, rows: Pick<RowChange, "inventoryId" | "released">[]): Promise<number> {
  const cut = await tx.row(
    CutReservationsRow,
    `${CUT_RESERVATIONS}, lines as (
       ${releaseLines("cut")}
     )
     select coalesce(sum(units), 0) as units, coalesce(array_agg(distinct so_id), '{}') as orders
     from cut join sales_order_lines using (so_line_id)`,
    [rows.map((row) => row.inventoryId), rows.map((row) => row.released)],
  );
  expectLacking(tx, cut?.orders ?? []);
  return cut?.units ?? 0;
}
