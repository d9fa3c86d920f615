import { arrayOf, int } from "../../src/platform/db/columns.js";
import type { Sql } from "../../src/platform/db/db.js";
import { ConcurrentChange, type Tx } from "../command.js";
import { LockedTransfer } from "./transfer-lock.js";
import { lineStatus, settle } from "./transfer-status.js";

/**
 * Units that transfer orders hold and that are taken for something else (adjusted, counted, moved away): those that are
 * neither picked nor in a pick task. The committed quantity of their lines falls, and a line that commits nothing any
 * more is SHORT_CLOSED.
 */

/** The transfer orders that hold units at some places, locked. */
export type TransfersHere = readonly LockedTransfer[];

const HOLDERS = "to_id, to_number, source_warehouse_id, destination_warehouse_id, status";

/** SQL for the ids of transfer orders that hold units of stock rows `v` for which a condition is true. */
const holding = (condition: string) => `
  select l.to_id from inventory v join transfer_reservations using (inventory_id)
  join transfer_order_lines l using (to_line_id) where ${condition}`;

const AT_PLACES = "(v.item_id, v.bin_id) in (select * from unnest($1::int[], $2::int[]))";

/** Locks, before stock rows, the transfer orders that hold units of these items in these bins. */
export const lockTransfersAt = (tx: Sql, places: { itemId: number; binId: number }[]): Promise<TransfersHere> =>
  lockTransfersOfRows(tx, AT_PLACES, [places.map((place) => place.itemId), places.map((place) => place.binId)]);

/** The same for stock rows `v` of a condition. */
export const lockTransfersOfRows = (tx: Sql, which: string, values: unknown[]): Promise<TransfersHere> =>
  tx.rows(
    LockedTransfer,
    `select ${HOLDERS} from transfer_orders where to_id = any(array(${holding(which)})) order by to_id for update`,
    values,
  );

/** The same for all bins of a warehouse. */
export const lockTransfersOfItems = (tx: Sql, warehouseId: number, itemIds: number[]): Promise<TransfersHere> =>
  lockTransfersOfRows(tx, "v.warehouse_id = $1 and v.item_id = any($2)", [warehouseId, itemIds]);

/** SQL for the units that may be taken of the stock rows of the array $1, by line. */
const TAKEABLE = `
  select r.to_line_id, l.to_id, r.inventory_id, r.created_at, r.quantity, r.quantity - r.picked - coalesce((
      select sum(quantity_to_pick) from pick_tasks t
      where t.to_line_id = r.to_line_id and t.inventory_id = r.inventory_id and t.status = 'PENDING'), 0) as units
  from transfer_reservations r join transfer_order_lines l using (to_line_id) where r.inventory_id = any($1)`;

const TakeableOfTransfersRow = { inventory_id: int, units: int, orders: arrayOf(int) };

/** How many units may be taken of each of these locked stock rows. */
export async function takeableOfTransfers(
  tx: Sql,
  transfers: TransfersHere,
  inventoryIds: number[],
): Promise<Map<number, number>> {
  const rows = await tx.rows(
    TakeableOfTransfersRow,
    `select inventory_id, sum(units)::bigint as units, array_agg(distinct to_id) as orders from (${TAKEABLE}) r
     where units > 0 group by inventory_id`,
    [inventoryIds],
  );
  for (const { orders } of rows) checkLocked(transfers, orders);
  return new Map(rows.map((row) => [row.inventory_id, row.units]));
}

/** An order that took units while this waited for the stock rows is not locked: the command runs again. */
function checkLocked(transfers: TransfersHere, orders: number[]): void {
  if (orders.some((id) => !transfers.some((transfer) => transfer.to_id === id)))
    throw new ConcurrentChange("new transfer orders");
}

/**
 * Takes up to the given units of each locked stock row from the lines of transfer orders, the youngest first; returns
 * how many, by row. The caller changes the counters of the stock rows. Audit TO_LINE_CUT.
 */
export async function cutTransfers(
  tx: Tx,
  transfers: TransfersHere,
  wanted: { inventoryId: number; released: number }[],
): Promise<Map<number, number>> {
  const cuts = await tx.rows(
    { to_line_id: int, to_id: int, inventory_id: int, units: int },
    `with wanted as (
       select * from unnest($1::int[], $2::int[]) as w(inventory_id, wanted)
     ), ranked as (
       select h.*, wanted,
         sum(units) over (partition by inventory_id order by created_at desc, to_line_id desc) - units as before
       from (${TAKEABLE}) h join wanted using (inventory_id) where units > 0
     ), cut as (
       select to_line_id, to_id, inventory_id, quantity, least(units, wanted - before)::int as units
       from ranked where before < wanted
     ), deleted as (
       delete from transfer_reservations r using cut c
       where r.to_line_id = c.to_line_id and r.inventory_id = c.inventory_id and c.units = c.quantity
     ), reduced as (
       update transfer_reservations r set quantity = r.quantity - c.units from cut c
       where r.to_line_id = c.to_line_id and r.inventory_id = c.inventory_id and c.units < c.quantity
     ), lines as (
       update transfer_order_lines l set committed_qty = l.committed_qty - c.units,
         status = ${lineStatus("(l.committed_qty - c.units)", "l.picked_qty", "l.approved_qty")}
       from (select to_line_id, sum(units) as units from cut group by to_line_id) c
       where l.to_line_id = c.to_line_id
     )
     select to_line_id, to_id, inventory_id, units from cut order by to_line_id, inventory_id`,
    [wanted.map((row) => row.inventoryId), wanted.map((row) => row.released)],
  );
  checkLocked(
    transfers,
    cuts.map((cut) => cut.to_id),
  );
  const byRow = new Map<number, number>();
  for (const { inventory_id, units } of cuts) byRow.set(inventory_id, (byRow.get(inventory_id) ?? 0) + units);
  for (const transfer of transfers) {
    const mine = cuts.filter((cut) => cut.to_id === transfer.to_id);
    for (const { to_line_id, units, inventory_id } of mine)
      tx.audit({
        action: "TO_LINE_CUT",
        entity: "TO_LINE",
        entityId: to_line_id,
        warehouseId: transfer.source_warehouse_id,
        details: { to_id: transfer.to_id, to_number: transfer.to_number, inventory_id, quantity: units },
      });
    if (mine.length > 0) await settle(tx, transfer);
  }
  return byRow;
}

/** The transfer orders that hold units of a stock row. */
export async function holdersOf(tx: Sql, inventoryId: number): Promise<number[]> {
  const rows = await tx.rows(
    { to_id: int },
    `select distinct to_id from transfer_reservations join transfer_order_lines using (to_line_id)
     where inventory_id = $1`,
    [inventoryId],
  );
  return rows.map((row) => row.to_id);
}

/** The units of a stock row that were picked for transfer orders and are not approved. */
export async function pickedUnits(tx: Sql, { inventory_id }: { inventory_id: number }): Promise<number> {
  const picked = await tx.row(
    { units: int },
    "select coalesce(sum(picked), 0) as units from transfer_reservations where inventory_id = $1",
    [inventory_id],
  );
  return picked?.units ?? 0;
}

/**
 * The units in a bin that were picked for transfer orders and are not approved, by item: the books still have them in
 * the bin, but they are not there.
 */
export async function pickedAt(tx: Sql, binId: number, itemIds: number[]): Promise<Map<number, number>> {
  const picked = await tx.rows(
    { item_id: int, units: int },
    `select item_id, sum(picked) as units from inventory join transfer_reservations using (inventory_id)
     where bin_id = $1 and item_id = any($2) group by item_id`,
    [binId, itemIds],
  );
  return new Map(picked.map(({ item_id, units }) => [item_id, units]));
}

/**
 * Moves up to `quantity` units that lines hold and have not picked from one locked stock row to another, the youngest
 * first. Returns, for each line, how many units, and how many of them its pending tasks would miss now.
 */
export function moveTransfers(tx: Sql, from: number, to: number, quantity: number) {
  return tx.rows(
    { to_line_id: int, units: int, without_stock: int },
    `with ranked as (
       select to_line_id, quantity, picked, created_at,
         sum(quantity - picked) over (order by created_at desc, to_line_id desc) - (quantity - picked) as before
       from transfer_reservations where inventory_id = $1 and quantity > picked
     ), cut as (
       select to_line_id, quantity, picked, created_at, least(quantity - picked, $3 - before)::int as units
       from ranked where before < $3
     ), deleted as (
       delete from transfer_reservations r using cut c
       where r.inventory_id = $1 and r.to_line_id = c.to_line_id and c.units = c.quantity
     ), reduced as (
       update transfer_reservations r set quantity = r.quantity - c.units from cut c
       where r.inventory_id = $1 and r.to_line_id = c.to_line_id and c.units < c.quantity
     ), arrived as (
       insert into transfer_reservations (to_line_id, inventory_id, quantity, created_at)
       select to_line_id, $2, units, created_at from cut
       on conflict (to_line_id, inventory_id)
         do update set quantity = transfer_reservations.quantity + excluded.quantity
     )
     select to_line_id, units, greatest(0, coalesce((
         select sum(quantity_to_pick) from pick_tasks t
         where t.to_line_id = c.to_line_id and t.inventory_id = $1 and t.status = 'PENDING'), 0)
       - (quantity - picked - units))::int as without_stock
     from cut c`,
    [from, to, quantity],
  );
}
