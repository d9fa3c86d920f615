import { builder, listPage, type Page } from "../list.js";

export interface AdjustmentLine {
  adjustment_id: number;
  item_id: number;
  bin_id: number;
  warehouse_id: number;
  quantity_change: number;
  reason_code: string;
  reason_detail: string | null;
  status: "PENDING" | "APPROVED" | "REJECTED";
  adjusted_by: string | null;
  adjusted_at: string;
  cycle_count_id: number | null;
  sku: string;
  item_name: string;
  bin_code: string;
  expected_quantity: number | null;
  counted_quantity: number | null;
  username: string | null;
}

/** Adjustments, newest first. What was expected and counted is known of those that a count made. */
export function adjustments(
  filters: Page & { warehouse_id?: number | undefined },
  scope: number[] | null,
) {
  const query = builder("inventory_adjustments as a")
    .join("items as i", "i.item_id", "a.item_id")
    .join("bins as b", "b.bin_id", "a.bin_id")
    .leftJoin("cycle_count_lines as c", (on) =>
      on.on("c.count_id", "a.cycle_count_id").andOn("c.item_id", "a.item_id"),
    )
    .select(
      "adjustment_id",
      "a.item_id",
      "a.bin_id",
      "a.warehouse_id",
      "quantity_change",
      "reason_code",
      "reason_detail",
      "status",
      "adjusted_by",
      "adjusted_at",
      "cycle_count_id",
      "sku",
      "item_name",
      "bin_code",
      "expected_quantity",
      "counted_quantity",
      "adjusted_by as username",
    )
    .orderBy([
      { column: "adjusted_at", order: "desc" },
      { column: "adjustment_id", order: "desc" },
    ]);
  if (scope) query.whereIn("a.warehouse_id", scope);
  if (filters.warehouse_id) query.where("a.warehouse_id", filters.warehouse_id);
  return listPage<AdjustmentLine, "adjustments">("adjustments", query, filters);
}
