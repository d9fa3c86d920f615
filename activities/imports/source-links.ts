import { z } from "zod";
import { SourceType } from "../../src/inbound/links/shapes.js";
import { Cell, LabelCell } from "../../src/platform/files/cells.js";
import { DomainError } from "../../src/platform/problem.js";
import { linkRecords } from "../inbound/link-records.js";
import { importer } from "./importer.js";

/** Links ids of a source system to records of this service, for a system that is new to a running warehouse. */
export const importSourceLinks = importer("source-links", {
  columns: z
    .strictObject({
      source_system: Cell(64),
      source_type: SourceType,
      source_id: LabelCell(128),
      canonical_id: z.uuid().toLowerCase().optional(),
      code: LabelCell(256).optional(),
    })
    .refine((row) => (row.canonical_id === undefined) !== (row.code === undefined), {
      path: ["code"],
      message: "either this or canonical_id is needed",
    }),
  otherNames: { sku: "code", po_number: "code", so_number: "code", vendor_name: "code", email: "code" },
  async write(tx, rows, _options, by) {
    const linked = await linkRecords(tx, rows, by);
    return rows.flatMap(({ row }, i) => {
      const refusal = linked[i];
      return refusal instanceof DomainError ? [{ row, error: refusal.message }] : [];
    });
  },
});
