import { z } from "zod";
import { Id, Time, Units } from "./fields.js";

/** An adjustment as admins see it; what was expected and counted is known of those that a count made. */
export const AdjustmentLine = z.strictObject({
  adjustment_id: Id,
  item_id: Id,
  bin_id: Id,
  warehouse_id: Id,
  quantity_change: Units,
  reason_code: z.string(),
  reason_detail: z.string().nullable(),
  status: z.enum(["PENDING", "APPROVED", "REJECTED"]),
  adjusted_by: z.string().nullable(),
  adjusted_at: Time,
  cycle_count_id: Id.nullable(),
  sku: z.string(),
  item_name: z.string(),
  bin_code: z.string(),
  expected_quantity: z.int().nullable(),
  counted_quantity: z.int().nullable(),
});
