import { Layout } from "../../master-data/layouts/shapes.js";
import { int, text } from "../../platform/db/columns.js";
import type { Sql } from "../../platform/db/db.js";
import type { Stop } from "../plan.js";
import { type BinLabels, layoutTour, type Walk } from "./layout-tour.js";

const LayoutRow = { layout: Layout };

/** The layout of a warehouse, for its walks; undefined where it has none. */
export const layoutOf = async (sql: Sql, warehouseId: number): Promise<Layout | undefined> =>
  (await sql.row(LayoutRow, "select layout from warehouse_layouts where warehouse_id = $1", [warehouseId]))?.layout;

const LabelsRow = { bin_id: int, aisle: text.nullable(), row_num: text.nullable() };

/** How the bins of some stops are labelled, by bin id. */
export async function labelsOf(sql: Sql, stops: AnyStop[]): Promise<Map<number, BinLabels>> {
  const rows = await sql.rows(LabelsRow, "select bin_id, aisle, row_num from bins where bin_id = any($1)", [
    [...new Set(stops.map(({ stock }) => stock.bin_id))],
  ]);
  return new Map(rows.map((row) => [row.bin_id, row]));
}

type AnyStop = { stock: Pick<Stop["stock"], "bin_id" | "pick_sequence"> };
const NOWHERE: BinLabels = { aisle: null, row_num: null };

/**
 * Stops, which are given in the order of `pick_sequence`, in the order of the shortest tour (docs/layout.md) and
 * numbered in it, and how far that is. Without a layout, or where a stop has no place in it, they stay as they are and
 * `walk` is null.
 */
export function inWalkingOrder<S extends AnyStop>(
  layout: Layout | undefined,
  labels: Map<number, BinLabels>,
  stops: S[],
): { stops: S[]; walk: Walk | null } {
  const tour =
    layout &&
    layoutTour(
      layout,
      stops.map(({ stock }) => labels.get(stock.bin_id) ?? NOWHERE),
    );
  if (!tour) return { stops, walk: null };
  const walked = tour.order.map((i, place) => {
    const stop = stops[i] as S;
    return { ...stop, stock: { ...stop.stock, pick_sequence: place + 1 } };
  });
  return { stops: walked, walk: tour.walk };
}
