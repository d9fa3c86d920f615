import { db } from "../db.js";
import { builder, listPage, type Page, runBuilt } from "../list.js";

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
}

/** Adjustments, newest first, each with who made it as `username` too. */
export function adjustments(
  filters: Page & { warehouse_id?: number | undefined },
  scope: number[] | null,
) {
  const query = adjustmentLines(scope)
    .select("adjusted_by as username")
    .orderBy([
      { column: "adjusted_at", order: "desc" },
      { column: "adjustment_id", order: "desc" },
    ]);
  if (filters.warehouse_id) query.where("a.warehouse_id", filters.warehouse_id);
  return listPage<AdjustmentLine & { username: string | null }, "adjustments">(
    "adjustments",
    query,
    filters,
  );
}

/** All adjustments that wait for a decision, the oldest first. */
export function pendingAdjustments(
  scope: number[] | null,
): Promise<AdjustmentLine[]> {
  return runBuilt<AdjustmentLine>(
    adjustmentLines(scope)
      .where("a.status", "PENDING")
      .orderBy(["adjusted_at", "adjustment_id"]),
  );
}

/** What was expected and counted is known of adjustments that a count made. */
function adjustmentLines(scope: number[] | null) {
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
    );
  if (scope) query.whereIn("a.warehouse_id", scope);
  return query;
}

/** What a review needs to know of the adjustments that it names, as far as they are there and the caller may see them. */
export function adjustmentsNamed(
  ids: number[],
  scope: number[] | null,
): Promise<
  {
    adjustment_id: number;
    status: AdjustmentLine["status"];
    adjusted_by: string | null;
    cycle_count_id: number | null;
  }[]
> {
  return db.rows(
    `select adjustment_id, status, adjusted_by, cycle_count_id from inventory_adjustments
     where adjustment_id = any($1) and ($2::int[] is null or warehouse_id = any($2)) order by adjustment_id`,
    [ids, scope],
  );
}
