import { z } from "zod";
import { int, text } from "../../platform/db/columns.js";
import type { Sql } from "../../platform/db/db.js";
import { groupBy } from "../../platform/values.js";
import { DAYS_LEFT, FREE, IS_ON_SHELF, IS_PICKED_FROM, IS_SELLABLE, SELLABLE_JOINS } from "../../stock/sellable.js";
import { type Allocation, coverOrder, giveBack, type LineToPick, PickableStock, type Unpickable } from "../plan.js";

/**
 * Which orders of many there is stock for: each may use what is free and what is reserved for itself, and nothing that
 * is reserved for others.
 */

/** A stock row that is picked from. `available` is what nobody has: less than none where units are in doubt. */
export const WaveStock = PickableStock.extend({ zone_id: int, zone_name: text });
export type WaveStock = z.infer<typeof WaveStock>;

/** Units of a stock row that are reserved for an order. */
const OwnUnits = z.strictObject({ so_id: int, inventory_id: int, units: int });
type OwnUnits = z.infer<typeof OwnUnits>;

const rowsIn =
  (bins: string) =>
  (sql: Sql, which: string, values: unknown[]): Promise<WaveStock[]> =>
    sql.rows(
      WaveStock,
      `select v.inventory_id, v.item_id, v.bin_id, b.pick_sequence, b.bin_code, ${FREE} as available,
              ${DAYS_LEFT} as days_left, b.zone_id, z.zone_name
       from inventory v ${SELLABLE_JOINS}
       where ${which} and v.quantity_on_hand > 0 and ${IS_SELLABLE} and ${bins}
       order by v.expiry_date, b.pick_sequence, v.updated_at, v.inventory_id`,
      values,
    );

/** The rows `v` of a condition that are picked from, in the order of use, also those that are reserved whole. */
export const stockBeside = rowsIn(IS_PICKED_FROM);

/** Those of reserve, of items that have a pick face to which they can be carried. */
export const reservesBeside = rowsIn(`(b.is_reserve and ${IS_ON_SHELF} and exists (
  select from preferred_bins p join bins f on f.bin_id = p.bin_id
  where p.item_id = v.item_id and p.min_units is not null and f.warehouse_id = v.warehouse_id))`);

/** What is reserved for these orders. */
export const ownUnits = (sql: Sql, soIds: number[]): Promise<OwnUnits[]> =>
  sql.rows(
    OwnUnits,
    `select so_id, inventory_id, sum(quantity) as units
     from stock_reservations join sales_order_lines using (so_line_id) where so_id = any($1)
     group by so_id, inventory_id`,
    [soIds],
  );

export interface CoveredOrder {
  so_id: number;
  lines: LineToPick[];
  allocations: Allocation<WaveStock>[];
}

/**
 * Covers orders, whose lines are given one order after the other; who comes first is served first. An order that cannot
 * be covered, or whose stops do not suit, takes nothing, and keeps what is reserved for it.
 */
export function coverOrders(
  lines: LineToPick[],
  stock: WaveStock[],
  own: OwnUnits[],
  suits: (allocations: Allocation<WaveStock>[]) => boolean = () => true,
): { covered: CoveredOrder[]; uncovered: Unpickable[]; unsuited: number } {
  const rowsOfItem = groupBy(stock, (row) => row.item_id);
  const rowOf = new Map(stock.map((row) => [row.inventory_id, row]));
  const ownOf = groupBy(own, (units) => units.so_id);
  const covered: CoveredOrder[] = [];
  const uncovered: Unpickable[] = [];
  let unsuited = 0;
  for (const [so_id, ofOrder] of groupBy(lines, (line) => line.so_id)) {
    const mine = ownOf.get(so_id) ?? [];
    const count = (sign: 1 | -1) => {
      for (const { inventory_id, units } of mine) {
        const row = rowOf.get(inventory_id);
        if (row) row.available += sign * units;
      }
    };
    count(1);
    const { allocations, uncovered: lacking } = coverOrder(ofOrder, rowsOfItem);
    if (lacking.length === 0 && suits(allocations)) {
      covered.push({ so_id, lines: ofOrder, allocations });
      continue;
    }
    giveBack(allocations);
    count(-1);
    if (lacking.length === 0) unsuited++;
    else uncovered.push({ so_id, so_number: ofOrder[0]?.so_number ?? "", lines: lacking });
  }
  return { covered, uncovered, unsuited };
}
