import { z } from "zod";
import * as field from "../../platform/fields/index.js";
import { ExternalId, Paging } from "../../platform/fields.js";
import { list } from "../../platform/list.js";

const Priority = z
  .int()
  .min(1)
  .max(100)
  .meta({ examples: [1], description: "Rank of the bin among those of the item: 1 is the first." });

const Limit = z.int().positive().max(100_000_000);

/** A bin with these is a pick face, which is filled up from reserve bins (docs/replenishment.md). */
export const Face = z.strictObject({
  min_units: Limit.nullable().describe("With fewer units the bin is filled up; null: it is not filled up at all."),
  max_units: Limit.nullable().describe("Up to so many units."),
  case_units: Limit.nullable().describe("Units of a case: reserves are opened by whole cases."),
});
export type Face = z.infer<typeof Face>;

export const PreferredBin = z
  .strictObject({
    preferred_bin_id: field.PreferredBinId,
    item_id: field.ItemId,
    bin_id: field.BinId,
    priority: Priority,
    ...Face.shape,
    notes: field.Notes.nullable(),
    updated_at: field.UpdatedAt,
    item_external_id: ExternalId,
    sku: field.Sku,
    item_name: field.ItemName,
    bin_external_id: ExternalId,
    bin_code: field.BinCode,
    zone_name: field.ZoneName,
    warehouse_id: field.WarehouseId,
    warehouse_code: field.WarehouseCode,
  })
  .meta({ id: "PreferredBin", description: "A bin where an item should be kept; priority 1 is the first choice." });
export type PreferredBin = z.infer<typeof PreferredBin>;

export const preferredBinList = list(
  "p.preferred_bin_id",
  ...["p.preferred_bin_id", "p.item_id", "p.bin_id", "p.priority", "p.notes", "p.updated_at", "i.sku", "i.item_name"],
  ...["i.external_id as item_external_id", "b.external_id as bin_external_id", "b.bin_code", "z.zone_name"],
  ...["b.warehouse_id", "w.warehouse_code"],
);
/** All of them, unless a page is asked for. */
export const PreferredBinFilters = z.object({
  ...preferredBinList.parameters,
  page: Paging.page.unwrap().optional().describe("Which page it is, from 1."),
  per_page: Paging.per_page.unwrap().optional(),
  item_id: field.ItemIdParam.optional(),
  bin_id: field.BinIdParam.optional(),
  q: field.SearchParam.optional(),
});
export type PreferredBinFilters = z.infer<typeof PreferredBinFilters>;

export const NewPreferredBin = z.strictObject({
  item_id: field.ItemId,
  bin_id: field.BinId,
  priority: Priority.default(1),
  ...Face.partial().shape,
});
export type NewPreferredBin = z.infer<typeof NewPreferredBin>;

export const PreferredBinChanges = z.strictObject({ priority: Priority, ...Face.partial().shape });
export type PreferredBinChanges = z.infer<typeof PreferredBinChanges>;
