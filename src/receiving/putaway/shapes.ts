import { z } from "zod";
import { Id, Units } from "../../platform/fields.js";

const SuggestedBinCode = z
  .string()
  .nullable()
  .describe("Code of the bin that the item should be put into.")
  .meta({ examples: ["A-01-02"] });

export const PendingItem = z
  .strictObject({
    inventory_id: Id,
    item_id: Id,
    sku: z.string(),
    item_name: z.string(),
    upc: z.string().nullable(),
    quantity: Units,
    bin_id: Id,
    bin_code: z.string(),
    lot_number: z.string().nullable(),
    suggested_bin_id: Id.nullable(),
    suggested_bin_code: z.string().nullable(),
    suggested_bin: SuggestedBinCode,
  })
  .meta({ id: "PendingPutAway", description: "Stock in a staging bin, and the bin that it should be put into." });
export type PendingItem = z.infer<typeof PendingItem>;

export const StagingBin = z
  .strictObject({
    bin_id: Id,
    bin_code: z.string(),
    bin_type: z.string(),
    sku_count: z.int(),
    total_qty: Units,
    total_quantity: Units,
    items: z.array(
      z.strictObject({
        inventory_id: Id,
        item_id: Id,
        sku: z.string(),
        item_name: z.string(),
        upc: z.string().nullable(),
        quantity_on_hand: Units,
        quantity: Units,
        suggested_bin: SuggestedBinCode,
        lot_number: z.string().nullable(),
      }),
    ),
  })
  .meta({ id: "StagingBin", description: "A staging bin with the stock in it." });
export type StagingBin = z.infer<typeof StagingBin>;

export const SuggestedBin = z
  .strictObject({
    bin_id: Id,
    bin_code: z.string(),
    bin_barcode: z.string(),
    zone_name: z.string(),
    priority: z.int(),
  })
  .meta({ id: "SuggestedBin", description: "The bin that an item should be put into." });
export type SuggestedBin = z.infer<typeof SuggestedBin>;

export const PutAwayConfirmed = z.strictObject({
  message: z.string(),
  transfer_id: Id,
  item: z.string(),
  from_bin: z.string(),
  to_bin: z.string(),
  quantity: Units,
});
export type PutAwayConfirmed = z.infer<typeof PutAwayConfirmed>;

export const PreferredBinChoice = z.strictObject({
  item_id: Id,
  bin_id: Id,
  set_as_primary: z.boolean().default(true),
});
export type PreferredBinChoice = z.infer<typeof PreferredBinChoice>;

export const PreferredBinChosen = z.strictObject({
  message: z.string(),
  item_id: Id,
  bin_id: Id,
  bin_code: z.string(),
});
export type PreferredBinChosen = z.infer<typeof PreferredBinChosen>;
