import { z } from "zod";
import { Id } from "../platform/fields.js";
import { FileField, FileSeen, RowNumber } from "../platform/files/upload.js";

const Records = z.array(z.unknown()).meta({ examples: [[{ sku: "SKU-1", item_name: "Blue mug" }]] });

/** The records stand under `records` or under the entity type, written with - or _, or in a file. */
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
  file: FileField.optional(),
  warehouse_id: Id.nullish(),
  dry_run: z.boolean().optional().describe("Whether nothing is written: the answer is what would happen."),
});
export type ImportBody = z.infer<typeof ImportBody>;

/** Why one record was not imported. */
const RowError = z.strictObject({ row: RowNumber, error: z.string() });
export type RowError = z.infer<typeof RowError>;

/** What of an imported record was left out. */
const RowWarning = z.strictObject({ row: RowNumber, warning: z.string() });
export type RowWarning = z.infer<typeof RowWarning>;

export const ImportResult = z
  .strictObject({
    message: z.string(),
    total: z.int(),
    imported: z.int(),
    skipped: z.int(),
    errors: z.array(RowError),
    warnings: z.array(RowWarning),
    dry_run: z.literal(true).optional().describe("Nothing was written: this is what would happen."),
    file: FileSeen.optional().describe("How the file was read, where there is one."),
  })
  .meta({
    id: "ImportResult",
    description: "How many records were imported, why others were not, and what of them was left out.",
  });
