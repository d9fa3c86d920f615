import type { z } from "zod";
import { db } from "../../platform/db/db.js";
import { builder, codeOf, runBuilt } from "../../platform/db/list.js";
import { listPage } from "../../platform/db/listing.js";
import { Adjustment, type AdjustmentFilters, adjustmentList, ListedAdjustment } from "./shapes.js";

/** Adjustments, newest first. */
export function adjustments(filters: AdjustmentFilters, warehouseIds: number[] | null) {
  const query = adjustmentLines(warehouseIds)
    .select("adjusted_by as username")
    .orderBy([
      { column: "adjusted_at", order: "desc" },
      { column: "adjustment_id", order: "desc" },
    ]);
  if (filters.warehouse_id) query.where("a.warehouse_id", filters.warehouse_id);
  return listPage(ListedAdjustment, "adjustments", query, filters, adjustmentList);
}

/** All PENDING adjustments, the oldest first. */
export function pendingAdjustments(warehouseIds: number[] | null): Promise<Adjustment[]> {
  return runBuilt(
    Adjustment,
    adjustmentLines(warehouseIds).where("a.status", "PENDING").orderBy(["adjusted_at", "adjustment_id"]),
  );
}

/** The differences that a cycle count found, and their adjustments. */
export function adjustmentsOfCount(countId: number): Promise<Adjustment[]> {
  return runBuilt(Adjustment, adjustmentLines(null).where("a.cycle_count_id", countId).orderBy("adjustment_id"));
}

/** Only adjustments that a cycle count made have an expected and a counted quantity. */
function adjustmentLines(warehouseIds: number[] | null) {
  const query = builder("inventory_adjustments as a")
    .join("items as i", "i.item_id", "a.item_id")
    .join("bins as b", "b.bin_id", "a.bin_id")
    .leftJoin("cycle_count_lines as c", (on) => on.on("c.count_id", "a.cycle_count_id").andOn("c.item_id", "a.item_id"))
    .select(
      "adjustment_id",
      "a.external_id",
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
      "superseded_by_count_id",
      "sku",
      "item_name",
      "bin_code",
      "expected_quantity",
      "counted_quantity",
      builder.raw(codeOf("a.warehouse_id")),
    );
  if (warehouseIds) query.whereIn("a.warehouse_id", warehouseIds);
  return query;
}

const AdjustmentsByIdRow = Adjustment.pick({
  adjustment_id: true,
  status: true,
  quantity_change: true,
  adjusted_by: true,
  cycle_count_id: true,
});

/**
 * What a review needs of the adjustments with these ids; those that do not exist or are in other warehouses are
 * missing.
 */
export function adjustmentsById(
  ids: number[],
  warehouseIds: number[] | null,
): Promise<z.infer<typeof AdjustmentsByIdRow>[]> {
  return db.rows(
    AdjustmentsByIdRow,
    `select adjustment_id, status, quantity_change, adjusted_by, cycle_count_id from inventory_adjustments
     where adjustment_id = any($1) and ($2::int[] is null or warehouse_id = any($2)) order by adjustment_id`,
    [ids, warehouseIds],
  );
}
