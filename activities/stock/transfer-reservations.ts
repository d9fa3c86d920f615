import { int } from "../../src/platform/db/columns.js";
import { groupBy } from "../../src/platform/values.js";
import { firstExpired, takeFrom } from "../../src/stock/sellable.js";
import type { Tx } from "../command.js";
import type { StockIncrease } from "./backorders.js";
import { allocateRows, releaseRows } from "./reserve-rows.js";
import { checkAllLocked, lockItems } from "./stock.js";

/**
 * Units of stock rows that lines of transfer orders hold: from creation until they are approved or released. Their
 * invariants are in the comments on tables transfer_reservations and transfer_order_lines. They change only under the
 * lock of their order.
 */

/** What a new line got: the units that were available, and how many of them it committed. */
export interface Commitment {
  available: number;
  committed: number;
}

/**
 * Inserts the lines of a new transfer order, in their order. Each gets what it can of the sellable units of its item at
 * the source, in all bins: what expires first, then lowest inventory_id. A line that gets nothing is SHORT_CLOSED.
 */
export async function reserveForTransfer(
  tx: Tx,
  warehouseId: number,
  toId: number,
  wanted: { item_id: number; quantity: number }[],
): Promise<Commitment[]> {
  const items = [...new Set(wanted.map((line) => line.item_id))];
  const locked = await lockItems(tx, warehouseId, items);
  const rows = groupBy(
    [...locked].sort((a, b) => firstExpired(a, b) || a.inventory_id - b.inventory_id),
    (row) => row.item_id,
  );
  const taken: { line: number; row: number; units: number }[] = [];
  const commitments = wanted.map(({ item_id, quantity }, line) => {
    const stock = rows.get(item_id) ?? [];
    const available = stock.reduce((sum, row) => sum + row.available, 0);
    const missing = takeFrom(stock, quantity, ({ inventory_id: row }, units) => {
      taken.push({ line: line + 1, row, units });
    });
    return { available, committed: quantity - missing };
  });
  if (commitments.some(({ committed }, i) => committed < (wanted[i]?.quantity ?? 0)))
    await checkAllLocked(tx, warehouseId, items, locked);
  await tx.run(
    `with lines as (
       insert into transfer_order_lines (to_id, item_id, line_number, requested_qty, committed_qty, status)
       select :toId, item_id, place, requested, committed, case committed when 0 then 'SHORT_CLOSED' else 'PENDING' end
       from unnest(:item_ids::int[], :quantities::int[], :committed::int[])
         with ordinality as l(item_id, requested, committed, place)
       order by place returning to_line_id, line_number
     ), taken as (
       select to_line_id, inventory_id, units
       from unnest(:taken_lines::int[], :taken_rows::int[], :taken_units::int[]) as t(line_number, inventory_id, units)
         join lines using (line_number)
     ), reserved as (
       insert into transfer_reservations (to_line_id, inventory_id, quantity) select * from taken
     )
     ${allocateRows("taken")}`,
    {
      toId,
      item_ids: wanted.map((line) => line.item_id),
      quantities: wanted.map((line) => line.quantity),
      committed: commitments.map(({ committed }) => committed),
      taken_lines: taken.map((t) => t.line),
      taken_rows: taken.map((t) => t.row),
      taken_units: taken.map((t) => t.units),
    },
  );
  return commitments;
}

/** Releases the units that lines of a transfer order hold on locked stock rows: one line or all. Returns how many. */
export async function releaseTransferUnits(
  tx: Tx,
  _increase: StockIncrease,
  toId: number,
  toLineId: number | null,
): Promise<number> {
  const released = await tx.row(
    { units: int },
    `with released as (
       delete from transfer_reservations r using transfer_order_lines l
       where r.to_line_id = l.to_line_id and l.to_id = $1 and ($2::int is null or l.to_line_id = $2)
       returning inventory_id, quantity as units
     ), of_rows as (
       ${releaseRows("released")}
     )
     select coalesce(sum(units), 0) as units from released`,
    [toId, toLineId],
  );
  return released?.units ?? 0;
}
