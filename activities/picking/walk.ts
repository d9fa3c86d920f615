import { Layout } from "../../src/master-data/layouts/shapes.js";
import type { Stop } from "../../src/picking/plan.js";
import { layoutTour, type Walk } from "../../src/picking/route/layout-tour.js";
import { int, text } from "../../src/platform/db/columns.js";
import type { Sql } from "../../src/platform/db/db.js";

const LayoutRow = { layout: Layout };

/** The layout of a warehouse, for its walks; undefined where it has none. */
export const layoutOf = async (sql: Sql, warehouseId: number): Promise<Layout | undefined> =>
  (await sql.row(LayoutRow, "select layout from warehouse_layouts where warehouse_id = $1", [warehouseId]))?.layout;

const LabelsRow = { bin_id: int, aisle: text.nullable(), row_num: text.nullable() };

/**
 * Stops, which are given in the order of `pick_sequence`, in the order of the shortest tour (docs/layout.md) and
 * numbered in it, and how far that is. Without a layout, or where a stop has no place in it, they stay as they are and
 * `walk` is null.
 */
export async function inWalkingOrder<S extends { stock: Pick<Stop["stock"], "bin_id" | "pick_sequence"> }>(
  sql: Sql,
  layout: Layout | undefined,
  stops: S[],
): Promise<{ stops: S[]; walk: Walk | null }> {
  if (!layout) return { stops, walk: null };
  const rows = await sql.rows(LabelsRow, "select bin_id, aisle, row_num from bins where bin_id = any($1)", [
    stops.map(({ stock }) => stock.bin_id),
  ]);
  const labels = new Map(rows.map((row) => [row.bin_id, row]));
  const nowhere = { aisle: null, row_num: null };
  const tour = layoutTour(
    layout,
    stops.map(({ stock }) => labels.get(stock.bin_id) ?? nowhere),
  );
  if (!tour) return { stops, walk: null };
  const walked = tour.order.map((i, place) => {
    const stop = stops[i] as S;
    return { ...stop, stock: { ...stop.stock, pick_sequence: place + 1 } };
  });
  return { stops: walked, walk: tour.walk };
}
