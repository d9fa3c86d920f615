import { z } from "zod";
import * as field from "../../platform/fields/index.js";
import { ExternalId } from "../../platform/fields.js";
import { wholeList } from "../../platform/list.js";

const Priority = z
  .int()
  .min(1)
  .max(100)
  .meta({ examples: [1], description: "Rank of the bin among those of the item: 1 is the first." });

export const PreferredBin = z
  .strictObject({
    preferred_bin_id: field.PreferredBinId,
    item_id: field.ItemId,
    bin_id: field.BinId,
    priority: Priority,
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

export const PreferredBinFilters = z.object({
  ...wholeList(PreferredBin),
  item_id: field.ItemIdParam.optional(),
  bin_id: field.BinIdParam.optional(),
  q: field.SearchParam.optional(),
});
export type PreferredBinFilters = z.infer<typeof PreferredBinFilters>;

export const NewPreferredBin = z.strictObject({
  item_id: field.ItemId,
  bin_id: field.BinId,
  priority: Priority.default(1),
});
export type NewPreferredBin = z.infer<typeof NewPreferredBin>;

export const PreferredBinChanges = z.strictObject({ priority: Priority });
