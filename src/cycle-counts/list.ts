import { builder, listPage, type Page } from "../list.js";

export interface CountSummary {
  count_id: number;
  bin_code: string;
  status: string;
  assigned_to: string | null;
  created_at: string;
  completed_at: string | null;
  lines: {
    count_line_id: number;
    sku: string;
    item_name: string;
    expected_quantity: number;
    counted_quantity: number | null;
    unexpected: boolean;
    variance: number | null;
  }[];
}

/** Counts with their lines, newest first. */
export function cycleCounts(
  filters: Page & { warehouse_id?: number | undefined },
  scope: number[] | null,
) {
  const query = builder("cycle_counts as c")
    .join("bins as b", "b.bin_id", "c.bin_id")
    .select(
      "count_id",
      "bin_code",
      "status",
      "assigned_to",
      "created_at",
      "completed_at",
      builder.raw(
        `(select coalesce(json_agg(json_build_object(
             'count_line_id', count_line_id, 'sku', sku, 'item_name', item_name, 'expected_quantity', expected_quantity,
             'counted_quantity', counted_quantity, 'unexpected', unexpected,
             'variance', counted_quantity - expected_quantity) order by count_line_id), '[]')
          from cycle_count_lines l join items using (item_id) where l.count_id = c.count_id) as lines`,
      ),
    )
    .orderBy([
      { column: "created_at", order: "desc" },
      { column: "count_id", order: "desc" },
    ]);
  if (scope) query.whereIn("c.warehouse_id", scope);
  if (filters.warehouse_id) query.where("c.warehouse_id", filters.warehouse_id);
  return listPage<CountSummary, "cycle_counts">("cycle_counts", query, filters);
}
