import { z } from "zod";
import * as field from "../platform/fields/index.js";
import { AnyText } from "../platform/fields.js";
import { FileField, FileSeen, RowNumber } from "../platform/files/upload.js";

const ColumnName = AnyText("item_name");

const Records = z.array(z.unknown()).meta({ examples: [[{ sku: "SKU-1", item_name: "Blue mug" }]] });

/** The records are under `records` or under the entity type, written with - or _, or in a file. */
export const ImportBody = z.strictObject({
  records: Records.optional().describe("The rows to import, in the order of their numbers."),
  items: Records.optional().describe("The items to import."),
  bins: Records.optional().describe("The bins to import."),
  "purchase-orders": Records.optional().describe("The purchase orders to import."),
  purchase_orders: Records.optional().describe("The purchase orders, without their lines."),
  "sales-orders": Records.optional().describe("The sales orders to import."),
  sales_orders: Records.optional().describe("The sales orders, without their lines."),
  "inventory-adjustments": Records.optional().describe("The corrections of stock to import."),
  inventory_adjustments: Records.optional().describe("The corrections of stock to import."),
  "source-links": Records.optional().describe("The ids of source systems to link."),
  source_links: Records.optional().describe("Ids of source systems, and the records that they name."),
  file: FileField.optional(),
  warehouse_id: field.WarehouseId.nullish(),
  dry_run: z.boolean().optional().describe("Whether nothing is written: the answer is what would happen."),
});
export type ImportBody = z.infer<typeof ImportBody>;

export const ImportColumns = z
  .strictObject({
    columns: z.array(ColumnName).describe("What a record or a file may have."),
    required: z.array(ColumnName).describe("Those of them that each record needs."),
  })
  .meta({ id: "ImportColumns", description: "Which columns records of a kind may have." });

/** Why one record was not imported. */
const RowError = z.strictObject({
  row: RowNumber,
  error: AnyText("SKU is missing").describe("What went wrong, in words."),
});
export type RowError = z.infer<typeof RowError>;

/** The cells of an imported record that were left out. */
const RowWarning = z.strictObject({
  row: RowNumber,
  warning: AnyText("The bin holds another item as well").describe("What the user should know, though it was done."),
});
export type RowWarning = z.infer<typeof RowWarning>;

export const ImportResult = z
  .strictObject({
    message: field.Done,
    total: z.int().describe("How many rows there were."),
    imported: z.int().describe("How many rows were taken."),
    skipped: z.int().describe("How many rows were left out."),
    errors: z.array(RowError).describe("What is wrong, row by row."),
    warnings: z.array(RowWarning).describe("What the user should know, though it was done."),
    dry_run: z.literal(true).optional().describe("Nothing was written: this is what would happen."),
    file: FileSeen.optional().describe("How the file was read, where there is one."),
  })
  .meta({
    id: "ImportResult",
    description: "How many records were imported, why others were not, and what of them was left out.",
  });
