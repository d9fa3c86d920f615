import { int } from "../../src/platform/db/columns.js";
import type { Sql } from "../../src/platform/db/db.js";
import { MOST_ON_HAND } from "../../src/stock/problems.js";
import type { Tx } from "../command.js";
import { expectIncreaseIn, type StockIncrease } from "./backorders.js";
import { lockLots, releaseReserved, type StockRow } from "./stock.js";

/**
 * Units in doubt (`inventory.quantity_doubted`): the books have them, but a picker did not find them. They are promised
 * to no order until a count, or a person's decision, settles how many there are.
 */

/**
 * Puts all units of a locked row in doubt that are not picked for transfer orders; returns how many. Orders that had
 * reserved some get other units, as far as there are any; pending pick tasks stay.
 */
export async function doubtRow(tx: Tx, inventoryId: number): Promise<number> {
  const released = await releaseReserved(tx, inventoryId, MOST_ON_HAND);
  const row = await tx.row(
    { quantity_doubted: int },
    `update inventory v
     set quantity_allocated = quantity_allocated - $2,
         quantity_doubted = quantity_on_hand
           - coalesce((select sum(picked) from transfer_reservations r where r.inventory_id = v.inventory_id), 0)
     where inventory_id = $1 returning quantity_doubted`,
    [inventoryId, released],
  );
  return row?.quantity_doubted ?? 0;
}

/** Lowers how many units of locked rows are in doubt; never raises it. */
export async function lowerDoubts(
  tx: Sql,
  _increase: StockIncrease,
  rows: { inventory_id: number; quantity_doubted: number }[],
): Promise<void> {
  if (rows.length === 0) return;
  await tx.run(
    `update inventory v set quantity_doubted = d.units
     from unnest($1::int[], $2::int[]) as d(inventory_id, units) where v.inventory_id = d.inventory_id`,
    [rows.map((row) => row.inventory_id), rows.map((row) => row.quantity_doubted)],
  );
}

/**
 * After a count of a bin: of these locked rows' units, only those that the count did not find stay in doubt, by item.
 */
export async function settleDoubts(tx: Tx, binId: number, locked: StockRow[], missed: Map<number, number>) {
  const settled = locked
    .map((row) => ({ row, units: Math.min(row.quantity_doubted, missed.get(row.item_id) ?? 0) }))
    .filter(({ row, units }) => units < row.quantity_doubted);
  if (settled.length === 0) return;
  const increase = await expectIncreaseIn(
    tx,
    "cycle_count",
    settled.map(({ row }) => row.item_id),
    [binId],
  );
  const rows = settled.map(({ row: { inventory_id }, units }) => ({ inventory_id, quantity_doubted: units }));
  await lowerDoubts(tx, increase, rows);
}

/**
 * Ends the doubt about these items of a bin: nobody counts them any more, or the count was rejected, so the books
 * stand.
 */
export async function endDoubts(tx: Tx, binId: number, itemIds: number[]): Promise<void> {
  const places = itemIds.map((itemId) => ({ itemId, binId }));
  await settleDoubts(tx, binId, await lockLots(tx, places), new Map());
}
