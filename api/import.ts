import { z } from "zod";
import { importers } from "../activities/import/index.js";
import {
  NothingToImport,
  TooManyRecords,
  UnsupportedEntityType,
} from "../src/import/problems.js";
import { Id, Text } from "./fields.js";
import { page, route } from "./route.js";

/** Import of records, as the admin panel reads them from a file: spec 4.6, reference 03 §6. */

const MOST = 5000;
const Records = z
  .array(z.unknown())
  .meta({ examples: [[{ sku: "SKU-1", item_name: "Blue mug" }]] });

/** The records stand under `records`, or under the entity type, written with - or _. */
const ImportBody = z.strictObject({
  records: Records.optional(),
  items: Records.optional(),
  bins: Records.optional(),
  "purchase-orders": Records.optional(),
  purchase_orders: Records.optional(),
  "sales-orders": Records.optional(),
  sales_orders: Records.optional(),
  "inventory-adjustments": Records.optional(),
  inventory_adjustments: Records.optional(),
  warehouse_id: Id.nullish(),
});

function recordsOf(
  body: z.output<typeof ImportBody>,
  entityType: string,
): unknown[] {
  const named = body as Record<string, unknown>;
  return (named.records ??
    named[entityType] ??
    named[entityType.replaceAll("-", "_")] ??
    []) as unknown[];
}

export const importRecords = route("post /api/admin/import/:entity_type", {
  for: page("imports"),
  summary:
    "Imports up to 5000 records: each row by itself, and what was wrong with the others",
  params: z.strictObject({ entity_type: Text(64, "items") }),
  body: ImportBody,
  judgesNul: true,
  answers: {
    200: z.strictObject({
      message: z.string(),
      total: z.int(),
      imported: z.int(),
      skipped: z.int(),
      errors: z.array(z.strictObject({ row: z.int(), error: z.string() })),
    }),
  },
  errors: [UnsupportedEntityType, NothingToImport, TooManyRecords],
  run: async ({ params, body, by }) => {
    const importRows = importers.get(params.entity_type);
    if (!importRows)
      throw UnsupportedEntityType({ entity_type: params.entity_type });
    const records = recordsOf(body, params.entity_type);
    if (records.length === 0) throw NothingToImport();
    if (records.length > MOST) throw TooManyRecords({ max: MOST });
    const { imported, errors } = await importRows(
      records,
      { warehouseId: body.warehouse_id ?? undefined },
      by,
    );
    const total = records.length;
    return {
      message: `Imported ${imported} of ${total} record(s)`,
      total,
      imported,
      skipped: total - imported,
      errors,
    };
  },
});
