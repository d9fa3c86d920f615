import type { TxSql } from "../../src/platform/db/db.js";
import { allocateLines } from "./line-counters.js";
import { allocateRows } from "./row-sql.js";

/** Units of a stock row for an order line. */
export interface Reserved {
  line: number;
  row: number;
  units: number;
}

/** Reserves free units of locked rows for lines, without waiting. */
export function reserveRows(tx: TxSql, taken: Reserved[]): void {
  if (taken.length === 0) return;
  tx.later.run(
    `with taken as (
       select * from unnest($1::int[], $2::int[], $3::int[]) as t(so_line_id, inventory_id, units)
     ), reserved as (
       insert into stock_reservations (so_line_id, inventory_id, quantity) select * from taken
       on conflict (so_line_id, inventory_id) do update set quantity = stock_reservations.quantity + excluded.quantity
     ), of_rows as (
       ${allocateRows("taken")}
     )
     ${allocateLines("taken")}`,
    [taken.map((t) => t.line), taken.map((t) => t.row), taken.map((t) => t.units)],
  );
}

/**
 * Takes units for a line from rows in the order given, as far as there are any; what is taken is noted and no longer
 * available. Returns how many are missing.
 */
export function takeFrom(
  rows: Iterable<{ inventory_id: number; available: number }>,
  line: number,
  units: number,
  taken: Reserved[],
): number {
  let missing = units;
  for (const row of rows) {
    const here = Math.min(missing, row.available);
    if (here === 0) continue;
    taken.push({ line, row: row.inventory_id, units: here });
    row.available -= here;
    missing -= here;
  }
  return missing;
}
