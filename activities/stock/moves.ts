import { bool, int } from "../../src/platform/db/columns.js";
import type { Effects, Sql } from "../../src/platform/db/db.js";
import { InsufficientStock, PromisedToPicks } from "../../src/stock/problems.js";
import { IS_SELLABLE, SELLABLE_JOINS } from "../../src/stock/sellable.js";
import type { Tx } from "../command.js";
import { expectIncreaseIn, type StockIncrease } from "./backorders.js";
import {
  COLUMNS,
  CUT_RESERVATIONS,
  changeCounters,
  free,
  LotRow,
  releaseReserved,
  type StockPlace,
  type StockRow,
} from "./stock.js";
import { holdersOf, lockTransfersAt, moveTransfers, pickedUnits } from "./transfer-cuts.js";

/**
 * A move of units between bins of a warehouse. It is limited by stock on hand only (docs/interface.md, Moves), so it
 * may include allocated units. Free units move first, then reserved ones, those of transfer orders, and those of pick
 * tasks, each with its reservation or task. Where units in the destination cannot be sold, customers' orders lose the
 * reservation, and get others as far as there are any. Units that were picked for a transfer order have left the bin
 * and do not move.
 */
export interface Move {
  from: LotRow;
  to: LotRow;
  /** At the destination, units may become available for picking. */
  increase: StockIncrease;
}

/** From which stock row units move, and to which bin. */
export interface PlannedMove {
  from: StockPlace;
  toBin: number;
}

/**
 * Locks what a move may change: usually both stock rows alone, as no units of the source are allocated. Otherwise, in
 * the order of stock.ts, the batches with pending tasks at the source, the transfer orders that hold units there, then
 * both stock rows. When a row is missing, or a wave or a transfer order was created between the statements, so that it
 * is not locked, all locks are released and undefined is returned: locking it after the stock rows would break the lock
 * order.
 */
export const lockMove = (tx: Tx, planned: PlannedMove): Promise<Move | undefined> =>
  tryMove(tx, planned, lockExistingRows);

/** The same, retried until it succeeds; missing stock rows are inserted. */
export async function lockOrMakeMove(tx: Tx, planned: PlannedMove, warehouseId: number): Promise<Move> {
  for (;;) {
    const move = await tryMove(tx, planned, (...args) => insertOrLockRows(...args, warehouseId));
    if (move) return move;
  }
}

const SAVEPOINT = "savepoint before_move";
const ROLLBACK = "rollback to savepoint before_move";

async function tryMove(tx: Tx, planned: PlannedMove, lockRows: typeof lockExistingRows): Promise<Move | undefined> {
  const { from: source } = planned;
  const [, unheld] = await tx.inOrder([tx.run(SAVEPOINT), lockPair(tx, planned, lockRows)]);
  if (unheld?.from.quantity_allocated === 0) return unheld;
  await tx.run(ROLLBACK);
  if (!unheld) return undefined;
  const [batches, transfers, move] = await tx.inOrder([
    batchesAt(tx, source, "for update"),
    lockTransfersAt(tx, [source]),
    lockPair(tx, planned, lockRows),
  ]);
  if (move?.from.quantity_allocated === 0) return move;
  if (move) {
    const [now, holders] = await Promise.all([batchesAt(tx, source), holdersOf(tx, move.from.inventory_id)]);
    const locked = transfers.map((transfer) => transfer.to_id);
    if (now.every((id) => batches.includes(id)) && holders.every((id) => locked.includes(id))) return move;
  }
  await tx.run(ROLLBACK);
  return undefined;
}

/** Locks both stock rows, unless one is missing. */
async function lockPair(
  tx: Tx,
  { from: source, toBin }: PlannedMove,
  lockRows: typeof lockExistingRows,
): Promise<Move | undefined> {
  const [increase, rows] = await tx.inOrder([
    expectIncreaseIn(tx, "transfer", [source.itemId], [toBin]),
    lockRows(tx, source, toBin),
  ]);
  const from = rows.find((row) => row.bin_id === source.binId);
  const to = rows.find((row) => row.bin_id === toBin);
  return from && to && { from, to, increase };
}

/** The batches with pending tasks at a place. */
async function batchesAt(tx: Sql, { itemId, binId, lot }: StockPlace, lock: "for update" | "" = ""): Promise<number[]> {
  const batches = await tx.rows(
    { batch_id: int },
    `select batch_id from pick_batches where batch_id in (
       select batch_id from inventory i join pick_tasks t using (inventory_id)
       where i.item_id = $1 and i.bin_id = $2 and i.lot_number is not distinct from $3 and t.status = 'PENDING')
     order by batch_id ${lock}`,
    [itemId, binId, lot],
  );
  return batches.map((batch) => batch.batch_id);
}

const lockExistingRows = (tx: Sql, { itemId, binId, lot }: StockPlace, to: number) =>
  tx.rows(
    LotRow,
    `select ${COLUMNS}, expiry_date from inventory
     where item_id = $1 and bin_id = any($2) and lot_number is not distinct from $3 order by bin_id for update`,
    [itemId, [binId, to], lot],
  );

const insertOrLockRows = (tx: Sql, { itemId, binId, lot }: StockPlace, to: number, warehouseId: number) =>
  tx.rows(
    LotRow,
    `insert into inventory (item_id, bin_id, warehouse_id, lot_number)
     select $1, bin_id, $2, $3 from unnest($4::int[]) as b(bin_id) order by bin_id
     on conflict (item_id, bin_id, lot_number) do update set quantity_on_hand = inventory.quantity_on_hand
     returning ${COLUMNS}, expiry_date`,
    [itemId, warehouseId, lot, [binId, to]],
  );

/**
 * Moves units between locked rows, with the reservations and pick tasks of the allocated ones. More than is on hand:
 * 400 `insufficient_stock`.
 */
export async function moveStock(
  tx: Tx,
  { from, to, increase }: Move,
  quantity: number,
  fromCode: string,
): Promise<void> {
  if (quantity > from.quantity_on_hand) {
    throw InsufficientStock({ bin: fromCode, available: from.quantity_on_hand, requested: quantity });
  }
  const promised = Math.max(0, quantity - free(from));
  let released = 0;
  if (promised > 0) {
    const sold = await canBeSold(tx, to);
    const reserved = sold
      ? await moveReservations(tx, from, to, promised)
      : await releaseReserved(tx, from.inventory_id, promised);
    if (!sold) released = reserved;
    const held = promised > reserved ? await moveHeld(tx, from, to, promised - reserved) : 0;
    const left = promised - reserved - held;
    if (left > 0 && (await movePicks(tx, from, to, left)) < left)
      throw PromisedToPicks({ bin: fromCode, promised: await pickedUnits(tx, from) });
  }
  takeExpiry(tx.later, from, to);
  await changeCounters(tx.later, increase, [
    { inventoryId: from.inventory_id, onHand: -quantity, allocated: -promised },
    { inventoryId: to.inventory_id, onHand: quantity, allocated: promised - released },
  ]);
}

/** The destination gets the earliest expiry of its units, as in `addStock`. */
function takeExpiry(tx: Effects, from: LotRow, to: LotRow): void {
  const isOfGoneUnits = to.quantity_on_hand === 0 && (to.lot_number === null || from.expiry_date !== null);
  const own = isOfGoneUnits ? null : to.expiry_date;
  const [earliest = null] = [own, from.expiry_date].filter((day) => day !== null).sort();
  if (earliest !== to.expiry_date)
    tx.run("update inventory set expiry_date = $2 where inventory_id = $1", [to.inventory_id, earliest]);
}

async function canBeSold(tx: Sql, { inventory_id }: StockRow): Promise<boolean> {
  const row = await tx.row(
    { sold: bool },
    `select ${IS_SELLABLE} as sold from inventory v ${SELLABLE_JOINS} where v.inventory_id = $1`,
    [inventory_id],
  );
  return row?.sold ?? false;
}

/** Moves standing reservations to the destination, the youngest first; returns the number of units. */
async function moveReservations(tx: Sql, from: StockRow, to: StockRow, quantity: number): Promise<number> {
  const moved = await tx.row(
    { units: int },
    `${CUT_RESERVATIONS}, arrived as (
       insert into stock_reservations (so_line_id, inventory_id, quantity, created_at)
       select so_line_id, $3, units, created_at from cut
       on conflict (so_line_id, inventory_id) do update set quantity = stock_reservations.quantity + excluded.quantity
     )
     select coalesce(sum(units), 0) as units from cut`,
    [[from.inventory_id], [quantity], to.inventory_id],
  );
  return moved?.units ?? 0;
}

/**
 * Moves units that lines of transfer orders hold and have not picked, the youngest first, with the pending tasks that
 * would find too little; returns the number of units.
 */
async function moveHeld(tx: Sql, from: StockRow, to: StockRow, quantity: number): Promise<number> {
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
    `update pick_tasks t set inventory_id = $2, bin_id = b.bin_id, pick_sequence = b.pick_sequence
     from bins b where b.bin_id = $3 and t.pick_task_id = any($1)`,
    [tasks.filter((task) => task !== split).map((task) => task.pick_task_id), to.inventory_id, to.bin_id],
  );
  if (split) await splitTask(tx, split.pick_task_id, split.units, to);
  return tasks.reduce((sum, { units }) => sum + units, 0);
}

/** Splits off some units of a task into a new task at the destination, with the portions of the youngest orders. */
async function splitTask(tx: Sql, taskId: number, units: number, to: StockRow): Promise<void> {
  await tx.run(
    `with made as (
       insert into pick_tasks (batch_id, so_id, so_line_id, to_line_id, inventory_id, item_id, bin_id, quantity_to_pick,
                               pick_sequence, tote_number, created_at)
       select t.batch_id, t.so_id, t.so_line_id, t.to_line_id, $3, t.item_id, b.bin_id, $2::int, b.pick_sequence,
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
     )
     insert into wave_pick_breakdown (pick_task_id, so_id, so_line_id, quantity)
     select made.pick_task_id, so_id, so_line_id, units from made, cut`,
    [taskId, units, to.inventory_id, to.bin_id],
  );
}
