import { z } from "zod";
import * as field from "../../platform/fields/index.js";
import { AnyText, Edit, ExternalId, Name, SearchText, Text, WholeNumber } from "../../platform/fields.js";
import { list } from "../../platform/list.js";

export const BinType = z
  .enum(["Pickable", "PickableStaging", "Staging"])
  .describe("What the bin is for; it decides whether stock in it can be picked.");

/** What fits into a bin; put-away rules ask for it (docs/put-away.md). */
export const MOST_UNITS = 100_000_000;
export const MOST_WEIGHT_OR_VOLUME = 99_999_999;
const Most = z.number().nonnegative().max(MOST_WEIGHT_OR_VOLUME);
const MaxUnits = z.int().positive().max(MOST_UNITS).describe("How many units fit into the bin; null: any number.");
const MaxWeight = Most.meta({ description: "How many pounds fit into the bin; null: any weight.", examples: [400] });
const MaxVolume = Most.meta({ description: "How many cubic feet fit into the bin; null: any.", examples: [12.5] });

const IsReserve = z
  .boolean()
  .describe("Whether it holds what pick faces are filled up from; pickers are not sent there.");

export const Bin = z
  .strictObject({
    bin_id: field.BinId,
    external_id: ExternalId,
    zone_id: field.ZoneId,
    warehouse_id: field.WarehouseId,
    bin_code: field.BinCode,
    bin_barcode: field.BinBarcode,
    bin_type: BinType,
    aisle: field.Aisle.nullable(),
    row_num: field.RowNum.nullable(),
    level_num: field.LevelNum.nullable(),
    position_num: AnyText("1").nullable().describe("The bin's position on the level."),
    pick_sequence: field.PickSequence,
    putaway_sequence: z.int().describe("Where the bin comes on the way of putting away; lower first."),
    is_active: field.IsActive,
    max_units: MaxUnits.nullable(),
    max_weight_lbs: MaxWeight.nullable(),
    max_volume_cuft: MaxVolume.nullable(),
    is_reserve: IsReserve,
  })
  .meta({ id: "Bin", description: "A place where stock is kept." });
export type Bin = z.infer<typeof Bin>;

export const BinWithZone = Bin.extend({
  zone_name: field.ZoneName,
  updated_at: field.UpdatedAt,
  warehouse_code: field.WarehouseCode,
}).meta({ id: "BinWithZone", description: "A bin with the name of its zone and the code of its warehouse." });
export type BinWithZone = z.infer<typeof BinWithZone>;

export const BinWithStock = z.strictObject({
  bin: BinWithZone,
  inventory: z
    .array(
      z.strictObject({
        item_id: field.ItemId,
        sku: field.Sku,
        item_name: field.ItemName,
        quantity_on_hand: field.QuantityOnHand,
        quantity_allocated: field.QuantityAllocated,
      }),
    )
    .describe("Stock, a row for each item, bin and lot."),
});
export type BinWithStock = z.infer<typeof BinWithStock>;

export const binList = list(
  "b.bin_id",
  ...["b.bin_id", "b.bin_code", "b.bin_barcode", "b.bin_type", "b.aisle", "b.pick_sequence", "b.putaway_sequence"],
  ...["z.zone_name", "b.updated_at"],
);

export const BinFilters = z.object({
  ...binList.parameters,
  warehouse_id: field.WarehouseIdParam.optional(),
  zone_id: field.ZoneIdParam.optional(),
  bin_type: BinType.optional(),
  q: SearchText("A-01").optional().describe("Words to look for."),
});
export type BinFilters = z.infer<typeof BinFilters>;

/** As it is painted on the shelf: text, in answers too. Some clients send it as a number. */
const Label = (example: string) =>
  z
    .union([Text(32, example), WholeNumber.transform(String)])
    .nullish()
    .meta({ examples: ["01"] });

const fields = {
  zone_id: field.ZoneId,
  bin_code: Name(64, "A-01-01").describe("Code of the bin, unique in its warehouse."),
  bin_barcode: Name(128, "A-01-01").describe("What the scanner reads at the bin."),
  bin_type: BinType,
  aisle: Text(32, "A").nullish().describe("The bin's aisle."),
  row_num: Label("01").describe("The bin's row in the aisle."),
  level_num: Label("02").describe("The bin's level in the row."),
  position_num: Label("1").describe("The bin's position on the level."),
  max_units: MaxUnits.nullish(),
  max_weight_lbs: MaxWeight.nullish(),
  max_volume_cuft: MaxVolume.nullish(),
};

export const NewBin = z.strictObject({
  ...fields,
  warehouse_id: field.WarehouseId,
  is_reserve: IsReserve.default(false),
  pick_sequence: field.GivenPickSequence.default(0),
  putaway_sequence: field.PutawaySequence.default(0),
});
export type NewBin = z.infer<typeof NewBin>;

export const BinChanges = Edit({
  ...fields,
  pick_sequence: field.GivenPickSequence,
  putaway_sequence: field.PutawaySequence,
  is_active: field.IsActive,
  is_reserve: IsReserve,
});
export type BinChanges = z.infer<typeof BinChanges>;
