import { z } from "zod";
import { Id, Units } from "./fields.js";

/** What the picking routes show of a batch, its orders and its tasks (reference 02 §5). */

export const Task = z.strictObject({
  pick_task_id: Id,
  pick_sequence: z.int(),
  bin_code: z.string(),
  bin_barcode: z.string(),
  zone: z.string().nullable(),
  aisle: z.string().nullable(),
  row_num: z.string().nullable(),
  level_num: z.string().nullable(),
  sku: z.string(),
  item_name: z.string(),
  upc: z.string().nullable(),
  quantity_to_pick: Units,
  tote_number: z.string().nullable(),
  so_number: z.string().nullable(),
  status: z.string(),
});

export const NextTask = Task.extend({
  contributing_orders: z.array(
    z.strictObject({ so_number: z.string(), quantity: Units }),
  ),
  pick_number: z.int(),
  total_picks: z.int(),
});

/** A batch picks sales orders; transfer orders bring the other kind. */
export const kind = {
  kind: z.enum(["SO", "TO"]),
  to_id: Id.nullable(),
  to_number: z.string().nullable(),
};
export const salesOrders = {
  kind: "SO" as const,
  to_id: null,
  to_number: null,
};

export const Tote = z.strictObject({
  so_number: z.string(),
  tote_number: z.string().nullable(),
});
