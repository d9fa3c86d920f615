import { z } from "zod";
import { importers } from "../../activities/master-data/import/index.js";
import { listed, Text } from "../../src/fields.js";
import { NothingToImport, TooManyRecords, UnsupportedEntityType } from "../../src/master-data/import/problems.js";
import { ImportBody, ImportResult } from "../../src/master-data/import/shapes.js";
import { page, recordsLimit, route } from "../http/route.js";

/** Import of records, as the admin panel reads them from a file: spec 4.6, reference 03 §6. */

const MOST = 5000;
function recordsOf(body: ImportBody, entityType: string): unknown[] {
  const named = body as Record<string, unknown>;
  return (named.records ?? named[entityType] ?? named[entityType.replaceAll("-", "_")] ?? []) as unknown[];
}

export const importRecords = route("post /api/admin/import/:entity_type", {
  for: page("imports"),
  summary:
    "Imports up to 5000 records in one go: each row by itself, with the errors of the others. Anything " +
    "but a 200 has imported nothing. With the same Idempotency-Key the same records are imported once and " +
    "get the same answer; without one, they are imported again",
  params: z.strictObject({
    entity_type: listed(Text(64, "items"), [...importers.keys()]),
  }),
  body: ImportBody,
  bodyLimit: recordsLimit,
  checksNul: true,
  answers: { 200: ImportResult },
  errors: [UnsupportedEntityType, NothingToImport, TooManyRecords],
  run: async ({ params, body, by }) => {
    const importRows = importers.get(params.entity_type);
    if (!importRows) throw UnsupportedEntityType({ entity_type: params.entity_type });
    const records = recordsOf(body, params.entity_type);
    if (records.length === 0) throw NothingToImport();
    if (records.length > MOST) throw TooManyRecords({ max: MOST });
    const { imported, errors, warnings } = await importRows(
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
      warnings,
    };
  },
});
