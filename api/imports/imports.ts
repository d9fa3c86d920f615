import { z } from "zod";
import { importers } from "../../activities/imports/index.js";
import { NothingToImport, TooManyRecords, UnsupportedEntityType } from "../../src/imports/problems.js";
import { ImportBody, ImportColumns, ImportResult } from "../../src/imports/shapes.js";
import { listed, Text } from "../../src/platform/fields.js";
import { FileUnreadable, type Given, recordsOf } from "../../src/platform/files/upload.js";
import { page, pageOrPart, recordsLimit, route } from "../http/route.js";

/** Import of records, as the admin panel reads them from a file: docs/interface.md, Imports. */

const MOST = 5000;

function givenIn(body: ImportBody, entityType: string): Given[] {
  const named = body as Record<string, unknown>;
  const records = named.records ?? named[entityType] ?? named[entityType.replaceAll("-", "_")] ?? [];
  return (records as unknown[]).map((record, i) => ({ row: i + 1, record }));
}

const params = z.strictObject({
  entity_type: listed(Text(64, "items"), [...importers.keys()]).describe("What kind of record."),
});

function importerOf({ entity_type }: z.infer<typeof params>) {
  const importer = importers.get(entity_type);
  if (!importer) throw UnsupportedEntityType({ entity_type });
  return importer;
}

export const getImportColumns = route("get /api/admin/import/:entity_type", {
  for: page("imports"),
  summary: "Which columns records of a kind may have when they are imported",
  params,
  answers: { 200: ImportColumns },
  errors: [UnsupportedEntityType],
  run: ({ params }) => {
    const { known, required } = importerOf(params).names;
    return { columns: known, required };
  },
});

export const importRecords = route("post /api/admin/import/:entity_type", {
  // Whoever may make one bin may make many.
  for: pageOrPart("imports", { page: "bins", in: "params", name: "entity_type", values: ["bins"] }),
  summary:
    "Imports up to 5000 records, or the rows of a CSV file, in one go: each row by itself, with the errors of the " +
    "others. Anything " +
    "but a 200 has imported nothing. With the same Idempotency-Key the same records are imported once and " +
    "get the same answer; without one, they are imported again",
  params,
  body: ImportBody,
  bodyLimit: recordsLimit,
  checksNul: true,
  answers: { 200: ImportResult },
  errors: [UnsupportedEntityType, FileUnreadable, NothingToImport, TooManyRecords],
  run: async ({ params, body, by }) => {
    const importer = importerOf(params);
    const read = body.file === undefined ? undefined : await recordsOf(body.file, importer.names, MOST);
    const given = read?.given ?? givenIn(body, params.entity_type);
    if (given.length === 0) throw NothingToImport();
    if (given.length > MOST) throw TooManyRecords({ max: MOST });
    const act = body.dry_run ? importer.try : importer.run;
    const { imported, errors, warnings } = await act(given, { warehouseId: body.warehouse_id ?? undefined }, by);
    const total = given.length;
    return {
      message: `${body.dry_run ? "Would import" : "Imported"} ${imported} of ${total} record(s)`,
      total,
      imported,
      skipped: total - imported,
      errors,
      warnings,
      ...(body.dry_run && { dry_run: true as const }),
      ...(read && { file: read.seen }),
    };
  },
});
