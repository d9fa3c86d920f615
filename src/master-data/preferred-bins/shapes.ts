import { z } from "zod";
import { ExternalId, Id, QueryInt, SearchText, Time } from "../../platform/fields.js";
import { wholeList } from "../../platform/list.js";

const Priority = z
  .int()
  .min(1)
  .max(100)
  .meta({ examples: [1], description: "Rank of the bin among those of the item: 1 is the first." });

export const PreferredBin = z
  .strictObject({
    preferred_bin_id: Id,
    item_id: Id,
    bin_id: Id,
    priority: Priority,
    notes: z.string().nullable(),
    updated_at: Time,
    item_external_id: ExternalId,
    sku: z.string(),
    item_name: z.string(),
    bin_external_id: ExternalId,
    bin_code: z.string(),
    zone_name: z.string(),
    warehouse_id: Id,
    warehouse_code: z.string(),
  })
  .meta({ id: "PreferredBin", description: "A bin where an item should be kept; priority 1 is the first choice." });
export type PreferredBin = z.infer<typeof PreferredBin>;

export const PreferredBinFilters = z.object({
  ...wholeList(PreferredBin),
  item_id: QueryInt.optional(),
  bin_id: QueryInt.optional(),
  q: SearchText("mug").optional(),
});
export type PreferredBinFilters = z.infer<typeof PreferredBinFilters>;

export const NewPreferredBin = z.strictObject({
  item_id: Id,
  bin_id: Id,
  priority: Priority.default(1),
});
export type NewPreferredBin = z.infer<typeof NewPreferredBin>;

export const PreferredBinChanges = z.strictObject({ priority: Priority });
