import { z } from "zod";
import * as field from "../../platform/fields/index.js";
import { AnyText, Id, Units } from "../../platform/fields.js";

const SuggestedBinCode = z
  .string()
  .nullable()
  .meta({ description: "Code of the bin that the item should be put into.", examples: ["A-01-02"] });

/** Why a bin is suggested, or none (docs/put-away.md). */
export const WhyBin = z
  .strictObject({
    code: z
      .enum(["preferred_bin", "default_bin", "rule", "no_bin", "no_rule"])
      .describe("What decided: a bin of the item, a rule, that no bin of its rules has room, or that none is for it."),
    rule_id: Id.nullable().describe("The rule that decided."),
    rule_name: AnyText("Heavy goods").nullable().describe("What people call the rule that decided."),
    words: AnyText("Its first preferred bin with room").describe("The same, for people."),
    lost: z
      .array(
        z.strictObject({
          bin_id: Id.nullable().describe("A bin of the item that came first."),
          bin_code: AnyText("A-01-02").nullable().describe("What people call that bin."),
          rule_id: Id.nullable().describe("Or a rule that came first."),
          rule_name: AnyText("Heavy goods").nullable().describe("What people call that rule."),
          zone_code: AnyText("A").nullable().describe("Or a zone of the rule that decided, which came first."),
          lacks: z
            .enum(["units", "weight", "volume", "bin"])
            .describe("Room for which the bin lacks, or that no bin of the rule has room."),
        }),
      )
      .describe("What came before and was not taken, in its order."),
  })
  .meta({ id: "WhyBin", description: "Why this bin is suggested; only in a warehouse with put-away rules." });
export type WhyBin = z.infer<typeof WhyBin>;

export const PendingItem = z
  .strictObject({
    inventory_id: field.InventoryId,
    item_id: field.ItemId,
    sku: field.Sku,
    item_name: field.ItemName,
    upc: field.Upc.nullable(),
    quantity: field.UnitCount,
    bin_id: field.BinId,
    bin_code: field.BinCode,
    lot_number: field.Lot.nullable(),
    suggested_bin_id: Id.nullable().describe("Id of the bin that the item is best put into."),
    suggested_bin_code: AnyText("A-01-02").nullable().describe("Code of the bin that the item is best put into."),
    suggested_bin: SuggestedBinCode,
    why: WhyBin.optional(),
  })
  .meta({ id: "PendingPutAway", description: "Stock in a staging bin, and the bin that it should be put into." });
export type PendingItem = z.infer<typeof PendingItem>;

export const StagingBin = z
  .strictObject({
    bin_id: field.BinId,
    bin_code: field.BinCode,
    bin_type: field.BinType,
    sku_count: z.int().describe("How many different items."),
    total_qty: Units.describe("How many units."),
    total_quantity: field.TotalQuantity,
    items: z
      .array(
        z.strictObject({
          inventory_id: field.InventoryId,
          item_id: field.ItemId,
          sku: field.Sku,
          item_name: field.ItemName,
          upc: field.Upc.nullable(),
          quantity_on_hand: field.QuantityOnHand,
          quantity: field.UnitCount,
          suggested_bin: SuggestedBinCode,
          lot_number: field.Lot.nullable(),
        }),
      )
      .describe("The items, one entry for each."),
  })
  .meta({ id: "StagingBin", description: "A staging bin with the stock in it." });
export type StagingBin = z.infer<typeof StagingBin>;

export const SuggestedBin = z
  .strictObject({
    bin_id: field.BinId,
    bin_code: field.BinCode,
    bin_barcode: field.BinBarcode,
    zone_name: field.ZoneName,
    priority: field.Priority,
  })
  .meta({ id: "SuggestedBin", description: "The bin that an item should be put into." });
export type SuggestedBin = z.infer<typeof SuggestedBin>;

export const PutAwayConfirmed = z.strictObject({
  message: field.Done,
  transfer_id: field.TransferId,
  item: AnyText("MUG-01").describe("The item that was asked for or written."),
  from_bin: AnyText("A-01-02").describe("The bin that units leave."),
  to_bin: AnyText("B-02-01").describe("The bin that units come into."),
  quantity: field.UnitCount,
});
export type PutAwayConfirmed = z.infer<typeof PutAwayConfirmed>;

export const PreferredBinChoice = z.strictObject({
  item_id: field.ItemId,
  bin_id: field.BinId,
  set_as_primary: z.boolean().default(true).describe("Whether the bin becomes the item's first."),
});
export type PreferredBinChoice = z.infer<typeof PreferredBinChoice>;

export const PreferredBinChosen = z.strictObject({
  message: field.Done,
  item_id: field.ItemId,
  bin_id: field.BinId,
  bin_code: field.BinCode,
});
export type PreferredBinChosen = z.infer<typeof PreferredBinChosen>;
