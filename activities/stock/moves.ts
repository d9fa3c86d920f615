import { bool, int } from "../../src/platform/db/columns.js";
import type { Effects, Sql } from "../../src/platform/db/db.js";
import { InsufficientStock, PromisedToPicks } from "../../src/stock/problems.js";
import { IS_SELLABLE, SELLABLE_JOINS } from "../../src/stock/sellable.js";
import { ConcurrentChange, type Tx } from "../command.js";
import type { StockIncrease } from "./backorders.js";
import { moveHolds } from "./holds.js";
import {
  CUT_RESERVATIONS,
  changeCounters,
  free,
  LOT_COLUMNS,
  LotRow,
  releaseReserved,
  type StockPlace,
  type StockRow,
  SUBTRACT_CUT,
} from "./stock.js";
import { holdersOf, lockTransfersAt, moveTransfers, pickedUnits } from "./transfer-cuts.js";

/**
 * A move of units between bins of a warehouse. It is limited by stock on hand only (docs/interface.md, Moves), so it
 * may include allocated units. Free units move first, then reserved ones, those of transfer orders, and those of pick
 * tasks, each with its reservation or task. Where units in the destination cannot be sold, customers' orders lose the
 * reservation, and get others as far as there are any. Units on hold move with their hold: before all others to where
 * nothing is sold, as that is what they are carried there for, else after those that are reserved. Units that were
 * picked for a transfer order have left the bin
 * and do not move.
 */
export interface Move {
  from: LotRow;
  to: LotRow;
  /** At the destination, units may become available for picking. */
  increase: StockIncrease;
  /** Units that orders wait for move before free ones: they are carried to where pickers come. */
  ordersFirst?: boolean;
}

/** Both stock rows of a move, locked. */
type LockedRows = Pick<Move, "from" | "to">;

/** From which stock row units move, and to which bin. */
export interface PlannedMove {
  from: StockPlace;
  toBin: number;
}

/** SQL: the two stock rows of a move, if both exist. */
const BOTH_ROWS = "item_id = $1 and bin_id in ($2, $3) and lot_number is not distinct from $4";

/**
 * Locks both stock rows, which usually is all that a move locks. Where one is missing, or units of the source are
 * allocated, nothing is locked and undefined is returned: then other rows are locked before (`lockOrMakeMove`).
 */
export async function lockFreeMove(tx: Tx, { from: source, toBin }: PlannedMove): Promise<LockedRows | undefined> {
  const rows = await tx.rows(
    LotRow,
    `select ${LOT_COLUMNS} from inventory
     where ${BOTH_ROWS}
       and 2 = (select count(*) from inventory where ${BOTH_ROWS} and (bin_id = $3 or quantity_allocated = 0))
     order by bin_id for update`,
    [source.itemId, source.binId, toBin, source.lot],
  );
  if (rows.length === 0) return undefined;
  const locked = pairOf(rows, source, toBin);
  if (locked.from.quantity_allocated > 0) throw new ConcurrentChange("units were allocated");
  return locked;
}

/**
 * Locks all that a move may change, in the order of stock.ts: the batches with pending tasks at the source, the
 * transfer orders that hold units there, then both stock rows; missing ones are inserted.
 */
export async function lockOrMakeMove(tx: Tx, planned: PlannedMove, warehouseId: number): Promise<LockedRows> {
  const { from: source, toBin } = planned;
  const [batches, transfers, rows] = await tx.inOrder([
    batchesAt(tx, source, "for update"),
    lockTransfersAt(tx, [source]),
    insertOrLockRows(tx, source, toBin, warehouseId),
  ]);
  const locked = pairOf(rows, source, toBin);
  if (locked.from.quantity_allocated > 0) {
    const [now, holders] = await Promise.all([batchesAt(tx, source), holdersOf(tx, locked.from.inventory_id)]);
    const lockedTransfers = transfers.map((transfer) => transfer.to_id);
    if (now.some((id) => !batches.includes(id)) || holders.some((id) => !lockedTransfers.includes(id)))
      throw new ConcurrentChange("a wave or a transfer order was created");
  }
  return locked;
}

function pairOf(rows: LotRow[], source: StockPlace, toBin: number): LockedRows {
  const [from, to] = [source.binId, toBin].map((binId) => rows.find((row) => row.bin_id === binId));
  if (!from || !to) throw new Error("a stock row of the move is missing");
  return { from, to };
}

/** The batches with pending tasks at a place. */
const batchesAt = (tx: Sql, { itemId, binId, lot }: StockPlace, lock: "for update" | "" = "") =>
  batchesOfRows(
    tx,
    "v.item_id = $1 and v.bin_id = $2 and v.lot_number is not distinct from $3",
    [itemId, binId, lot],
    lock,
  );

/** The batches with pending tasks that take from stock rows `v` of a condition. */
export async function batchesOfRows(
  tx: Sql,
  which: string,
  values: unknown[],
  lock: "for update" | "",
): Promise<number[]> {
  const batches = await tx.rows(
    { batch_id: int },
    `select batch_id from pick_batches where batch_id in (
       select batch_id from inventory v join pick_tasks t using (inventory_id) where ${which} and t.status = 'PENDING')
     order by batch_id ${lock}`,
    values,
  );
  return batches.map((batch) => batch.batch_id);
}

const insertOrLockRows = (tx: Sql, { itemId, binId, lot }: StockPlace, to: number, warehouseId: number) =>
  tx.rows(
    LotRow,
    `insert into inventory (item_id, bin_id, warehouse_id, lot_number)
     select $1, bin_id, $2, $3 from unnest($4::int[]) as b(bin_id) order by bin_id
     on conflict (item_id, bin_id, lot_number) do update set quantity_on_hand = inventory.quantity_on_hand
     returning ${LOT_COLUMNS}`,
    [itemId, warehouseId, lot, [binId, to]],
  );

/**
 * Moves units between locked rows, with the reservations and pick tasks of the allocated ones. More than is on hand:
 * 400 `insufficient_stock`.
 */
export async function moveStock(
  tx: Tx,
  { from, to, increase, ordersFirst = false }: Move,
  quantity: number,
  fromCode: string,
): Promise<void> {
  if (quantity > from.quantity_on_hand) {
    throw InsufficientStock({ bin: fromCode, available: from.quantity_on_hand, requested: quantity });
  }
  // Whether they may be sold there depends on it.
  takeExpiry(tx.later, from, to);
  const sold = from.quantity_allocated === 0 || (await canBeSold(tx, to));
  const withdrawn = sold ? 0 : await moveHolds(tx, from.inventory_id, to.inventory_id, quantity);
  const forOrders = sold && ordersFirst ? await moveForOrders(tx, from, to, quantity) : 0;
  const promised = Math.max(0, quantity - withdrawn - forOrders - free(from));
  let released = 0;
  if (promised > 0) {
    const reserved = sold
      ? await moveReservations(tx, from, to, promised)
      : await releaseReserved(tx, from.inventory_id, promised);
    if (!sold) released = reserved;
    const ofTransfers = promised > reserved ? await moveReservedForTransfers(tx, from, to, promised - reserved) : 0;
    const unpromised = promised - reserved - ofTransfers;
    const held = sold && unpromised > 0 ? await moveHolds(tx, from.inventory_id, to.inventory_id, unpromised) : 0;
    const left = unpromised - held;
    // Pickers are not sent to what is not sold.
    if (left > 0 && !sold) throw PromisedToPicks({ bin: fromCode, promised: left });
    if (left > 0 && (await movePicks(tx, from, to, left)) < left)
      throw PromisedToPicks({ bin: fromCode, promised: await pickedUnits(tx, from) });
  }
  await changeCounters(tx.later, increase, [
    { inventoryId: from.inventory_id, onHand: -quantity, allocated: -withdrawn - forOrders - promised },
    { inventoryId: to.inventory_id, onHand: quantity, allocated: withdrawn + forOrders + promised - released },
  ]);
}

/** The destination gets the earliest expiry of its units, as in `addStock`; an empty one their condition. */
function takeExpiry(tx: Effects, from: LotRow, to: LotRow): void {
  const isOfGoneUnits = to.quantity_on_hand === 0 && (to.lot_number === null || from.expiry_date !== null);
  const own = isOfGoneUnits ? null : to.expiry_date;
  const [earliest = null] = [own, from.expiry_date].filter((day) => day !== null).sort();
  const condition = to.quantity_on_hand === 0 ? from.condition : to.condition;
  if (earliest !== to.expiry_date || condition !== to.condition)
    tx.run("update inventory set expiry_date = $2, condition = $3 where inventory_id = $1", [
      ...[to.inventory_id, earliest, condition],
    ]);
}

async function canBeSold(tx: Sql, { inventory_id }: StockRow): Promise<boolean> {
  const row = await tx.row(
    { sold: bool },
    `select ${IS_SELLABLE} as sold from inventory v ${SELLABLE_JOINS} where v.inventory_id = $1`,
    [inventory_id],
  );
  return row?.sold ?? false;
}

/** SQL: the units of the CTE `cut` are reserved in the row $3 instead; how many there are. */
const ARRIVED = `arrived as (
    insert into stock_reservations (so_line_id, inventory_id, quantity, created_at)
    select so_line_id, $3, units, created_at from cut
    on conflict (so_line_id, inventory_id) do update set quantity = stock_reservations.quantity + excluded.quantity
  )
  select coalesce(sum(units), 0) as units from cut`;

/** Moves the reservations of orders that can be picked, in the order in which they get stock; returns the units. */
async function moveForOrders(tx: Sql, from: StockRow, to: StockRow, quantity: number): Promise<number> {
  const moved = await tx.row(
    { units: int },
    `with ranked as (
       select r.so_line_id, r.quantity, r.created_at, sum(r.quantity) over (
                order by so.priority desc, so.ship_by_date, so.created_at, so_id, r.so_line_id) - r.quantity as before
       from stock_reservations r join sales_order_lines using (so_line_id) join sales_orders so using (so_id)
       where r.inventory_id = $1 and so.status = 'OPEN' and so.hold_reason is null
     ), cut as (
       select $1::int as inventory_id, so_line_id, created_at, quantity, least(quantity, $2::int - before)::int as units
       from ranked where before < $2::int
     ), ${SUBTRACT_CUT}, ${ARRIVED}`,
    [from.inventory_id, quantity, to.inventory_id],
  );
  return moved?.units ?? 0;
}

/** Moves standing reservations to the destination, the youngest first; returns the number of units. */
async function moveReservations(tx: Sql, from: StockRow, to: StockRow, quantity: number): Promise<number> {
  const moved = await tx.row({ units: int }, `${CUT_RESERVATIONS}, ${ARRIVED}`, [
    [from.inventory_id],
    [quantity],
    to.inventory_id,
  ]);
  return moved?.units ?? 0;
}

/**
 * Moves units that lines of transfer orders hold and have not picked, the youngest first, with the pending tasks that
 * would find too little; returns the number of units.
 */
async function moveReservedForTransfers(tx: Sql, from: StockRow, to: StockRow, quantity: number): Promise<number> {
  const moved = await moveTransfers(tx, from.inventory_id, to.inventory_id, quantity);
  for (const { to_line_id, without_stock } of moved)
    if (without_stock > 0) await moveTasks(tx, from, to, without_stock, to_line_id);
  return moved.reduce((sum, { units }) => sum + units, 0);
}

/** Moves pending tasks of sales orders to the destination, the youngest first; returns the number of units. */
const movePicks = (tx: Sql, from: StockRow, to: StockRow, quantity: number): Promise<number> =>
  moveTasks(tx, from, to, quantity, null);

/** Moves pending tasks, of sales orders or of a transfer order's line; one that moves only in part is split. */
async function moveTasks(
  tx: Sql,
  from: StockRow,
  to: StockRow,
  quantity: number,
  toLineId: number | null,
): Promise<number> {
  const tasks = await tx.rows(
    { pick_task_id: int, quantity_to_pick: int, units: int },
    `with ranked as (
       select pick_task_id, quantity_to_pick,
              sum(quantity_to_pick) over (order by pick_task_id desc) - quantity_to_pick as before
       from pick_tasks where inventory_id = $1 and status = 'PENDING' and to_line_id is not distinct from $3::int
     )
     select pick_task_id, quantity_to_pick, least(quantity_to_pick, $2 - before)::int as units
     from ranked where before < $2`,
    [from.inventory_id, quantity, toLineId],
  );
  const split = tasks.find((task) => task.units < task.quantity_to_pick);
  await tx.run(
    `update pick_tasks t set inventory_id = $2, bin_id = b.bin_id, pick_sequence = ${placeOf("b")}
     from bins b where b.bin_id = $3 and t.pick_task_id = any($1)`,
    [tasks.filter((task) => task !== split).map((task) => task.pick_task_id), to.inventory_id, to.bin_id],
  );
  if (split) await splitTask(tx, split.pick_task_id, split.units, to);
  return tasks.reduce((sum, { units }) => sum + units, 0);
}

/** SQL: the place of the task `t` in its walk once its units lie in a bin; in a walk by layout it keeps its place. */
const placeOf = (bin: string) =>
  `case when exists (select from pick_batches p where p.batch_id = t.batch_id and p.walk_metres is not null)
     then t.pick_sequence else ${bin}.pick_sequence end`;

/**
 * Splits off some units of a task into a new task at the destination, with the portions of the youngest orders. Returns
 * the new task's id.
 */
export async function splitTask(tx: Sql, taskId: number, units: number, to: StockRow): Promise<number> {
  const split = await tx.row(
    { pick_task_id: int },
    `with made as (
       insert into pick_tasks (batch_id, so_id, so_line_id, to_line_id, inventory_id, item_id, bin_id, quantity_to_pick,
                               pick_sequence, tote_number, created_at)
       select t.batch_id, t.so_id, t.so_line_id, t.to_line_id, $3, t.item_id, b.bin_id, $2::int, ${placeOf("b")},
         t.tote_number,
         t.created_at
       from pick_tasks t, bins b where t.pick_task_id = $1 and b.bin_id = $4
       returning pick_task_id
     ), left_over as (
       update pick_tasks set quantity_to_pick = quantity_to_pick - $2::int where pick_task_id = $1
     ), ranked as (
       select so_id, so_line_id, quantity,
              sum(quantity) over (order by so_id desc, so_line_id desc) - quantity as before
       from wave_pick_breakdown where pick_task_id = $1
     ), cut as (
       select so_id, so_line_id, quantity, least(quantity, $2::int - before)::int as units from ranked
         where before < $2::int
     ), deleted as (
       delete from wave_pick_breakdown w using cut c
       where w.pick_task_id = $1 and w.so_line_id = c.so_line_id and c.units = c.quantity
     ), reduced as (
       update wave_pick_breakdown w set quantity = w.quantity - c.units from cut c
       where w.pick_task_id = $1 and w.so_line_id = c.so_line_id and c.units < c.quantity
     ), portions as (
       insert into wave_pick_breakdown (pick_task_id, so_id, so_line_id, quantity)
       select made.pick_task_id, so_id, so_line_id, units from made, cut
     )
     select pick_task_id from made`,
    [taskId, units, to.inventory_id, to.bin_id],
  );
  return split?.pick_task_id as number;
}
