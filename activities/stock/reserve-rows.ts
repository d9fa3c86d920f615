import type { TxSql } from "../../src/platform/db/db.js";
import { allocateLines } from "./line-counters.js";

/** SQL that adds units to what is allocated of stock rows; the CTE has `inventory_id` and `units`. */
export const allocateRows = (units: string): string => changeAllocated("+", units);

/** SQL that subtracts units from what is allocated of stock rows; the CTE has `inventory_id` and `units`. */
export const releaseRows = (units: string): string => changeAllocated("-", units);

const changeAllocated = (sign: "+" | "-", units: string) => `
  update inventory i set quantity_allocated = i.quantity_allocated ${sign} u.units
  from (select inventory_id, sum(units) as units from ${units} group by inventory_id) u
  where i.inventory_id = u.inventory_id`;

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
