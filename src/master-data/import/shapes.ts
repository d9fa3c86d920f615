import { z } from "zod";
import { Id } from "../../fields.js";

const Records = z.array(z.unknown()).meta({ examples: [[{ sku: "SKU-1", item_name: "Blue mug" }]] });

/** The records stand under `records` or under the entity type, written with - or _. */
export const ImportBody = z.strictObject({
  records: Records.optional(),
  items: Records.optional(),
  bins: Records.optional(),
  "purchase-orders": Records.optional(),
  purchase_orders: Records.optional(),
  "sales-orders": Records.optional(),
  sales_orders: Records.optional(),
  "inventory-adjustments": Records.optional(),
  inventory_adjustments: Records.optional(),
  "source-links": Records.optional(),
  source_links: Records.optional(),
  warehouse_id: Id.nullish(),
});
export type ImportBody = z.infer<typeof ImportBody>;

/** Why one record was not imported; `row` counts from 1. */
const RowError = z.strictObject({ row: z.int(), error: z.string() });
export type RowError = z.infer<typeof RowError>;

/** What of an imported record was left out; `row` counts from 1. */
const RowWarning = z.strictObject({ row: z.int(), warning: z.string() });
export type RowWarning = z.infer<typeof RowWarning>;

export const ImportResult = z
  .strictObject({
    message: z.string(),
    total: z.int(),
    imported: z.int(),
    skipped: z.int(),
    errors: z.array(RowError),
    warnings: z.array(RowWarning),
  })
  .meta({
    id: "ImportResult",
    description: "How many records were imported, why others were not, and what of them was left out.",
  });
