import { z } from "zod";
import { int, text } from "../platform/db/columns.js";
import { groupBy } from "../platform/values.js";
import { freshFor, takeFrom } from "../stock/sellable.js";

/** An order line that a task picks for. */
export const PickedLine = z.strictObject({
  so_id: int,
  so_line_id: int,
  /** Of its order. */
  min_days_at_shipping: int.nullable(),
});
export type PickedLine = z.infer<typeof PickedLine>;

/** An order line that a batch has to pick. */
export const LineToPick = PickedLine.extend({
  so_number: text,
  item_id: int,
  sku: text,
  item_name: text,
  /** Units still to be picked. */
  needed: int,
});
export type LineToPick = z.infer<typeof LineToPick>;

/** A stock row that may be picked; the rows are given in the order of use. */
export const PickableStock = z.strictObject({
  inventory_id: int,
  item_id: int,
  bin_id: int,
  pick_sequence: int,
  bin_code: text,
  available: int,
  days_left: int.nullable(),
});
export type PickableStock = z.infer<typeof PickableStock>;

/** Units of a stock row that are allocated to an order line. */
export interface Allocation<Stock extends PickableStock = PickableStock> {
  line: PickedLine;
  stock: Stock;
  quantity: number;
}

export interface Unpickable {
  so_id: number;
  so_number: string;
  lines: { sku: string; item_name: string; ordered: number; available: number }[];
}

/**
 * Allocates stock to the lines of an order, whole or not at all: then nothing is taken, and what is missing is told.
 * The rows of each item are in the order of use; what is available of them is lowered.
 */
export function coverOrder<Stock extends PickableStock>(
  lines: LineToPick[],
  rowsOfItem: Map<number, Stock[]>,
): { allocations: Allocation<Stock>[]; uncovered: Unpickable["lines"] } {
  const allocations: Allocation<Stock>[] = [];
  const uncovered: Unpickable["lines"] = [];
  for (const line of lines) {
    const rows = freshFor(rowsOfItem.get(line.item_id) ?? [], line);
    const missing = takeFrom(rows, line.needed, (row, quantity) => {
      allocations.push({ line, stock: row, quantity });
    });
    if (missing > 0) {
      const { sku, item_name, needed } = line;
      uncovered.push({ sku, item_name, ordered: needed, available: needed - missing });
    }
  }
  if (uncovered.length === 0) return { allocations, uncovered };
  giveBack(allocations);
  return { allocations: [], uncovered };
}

/** Makes allocated units available again. */
export function giveBack(allocations: Allocation[]): void {
  for (const { stock, quantity } of allocations) stock.available += quantity;
}

/**
 * Allocates stock to orders, lowest so_id first. An order is covered whole or not at all, so one that cannot be covered
 * takes nothing from those after it (docs/interface.md, Picking). Lowers what is available of the rows.
 */
export function planPicks(
  lines: LineToPick[],
  stock: PickableStock[],
): { allocations: Allocation[]; unpickable: Unpickable[] } {
  const rowsOfItem = groupBy(stock, (row) => row.item_id);
  const orders = groupBy(
    lines.toSorted((a, b) => a.so_id - b.so_id || a.so_line_id - b.so_line_id),
    (line) => line.so_id,
  );
  const allocations: Allocation[] = [];
  const unpickable: Unpickable[] = [];
  for (const [so_id, orderLines] of orders) {
    const covered = coverOrder(orderLines, rowsOfItem);
    allocations.push(...covered.allocations);
    if (covered.uncovered.length > 0)
      unpickable.push({ so_id, so_number: orderLines[0]?.so_number ?? "", lines: covered.uncovered });
  }
  return { allocations, unpickable };
}

/** A stop of the pick path: one future pick task, and the order lines that it serves. */
export interface Stop {
  stock: PickableStock;
  quantity: number;
  portions: { line: PickedLine; quantity: number }[];
}

/**
 * The stops in the order of the pick path. A wave combines the units that several orders take from one stock row into
 * one stop, except for orders that ask for days of their own: what becomes too old for one of them is still good for
 * the others. A per-order batch stops once for each order line.
 */
export function planStops(allocations: Allocation[], combine: boolean): Stop[] {
  const groups = groupBy(allocations, ({ line, stock }) =>
    combine ? `${stock.inventory_id}/${line.min_days_at_shipping}` : `${stock.inventory_id}/${line.so_line_id}`,
  );
  const stops = [...groups.values()].map((group): Stop => {
    const first = group[0] as Allocation;
    return {
      stock: first.stock,
      quantity: group.reduce((sum, { quantity }) => sum + quantity, 0),
      portions: group.map(({ line, quantity }) => ({ line, quantity })),
    };
  });
  return stops.toSorted(
    (a, b) =>
      a.stock.pick_sequence - b.stock.pick_sequence ||
      (a.stock.bin_code < b.stock.bin_code ? -1 : a.stock.bin_code > b.stock.bin_code ? 1 : 0),
  );
}
