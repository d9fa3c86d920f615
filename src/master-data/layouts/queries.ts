import { db, type Sql } from "../../platform/db/db.js";
import { KeptLayout } from "./shapes.js";

/** The layout of a warehouse, and how many of its active bins have a place in it. */
export function keptLayout(warehouseId: number, sql: Sql = db): Promise<KeptLayout | undefined> {
  return sql.row(
    KeptLayout,
    `select warehouse_id, layout, updated_by, updated_at, placed_bins, active_bins - placed_bins as unplaced_bins
     from warehouse_layouts l
     cross join lateral (
       select count(*) as active_bins,
              count(*) filter (
                where exists (select from jsonb_array_elements(layout->'aisles') a where a->>'aisle' = b.aisle)
                  and exists (select from jsonb_array_elements(layout->'rows') r where r->>'row' = b.row_num)
              ) as placed_bins
       from bins b where b.warehouse_id = l.warehouse_id and is_active) b
     where warehouse_id = $1`,
    [warehouseId],
  );
}
