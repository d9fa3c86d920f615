import { z } from "zod";
import {
  Edit,
  ExternalId,
  Id,
  Name,
  QueryInt,
  SearchText,
  Text,
  Time,
  Units,
  WholeNumber,
} from "../../platform/fields.js";
import { list } from "../../platform/list.js";

export const BinType = z.enum(["Pickable", "PickableStaging", "Staging"]);

export const Bin = z
  .strictObject({
    bin_id: Id,
    external_id: ExternalId,
    zone_id: Id,
    warehouse_id: Id,
    bin_code: z.string(),
    bin_barcode: z.string(),
    bin_type: BinType,
    aisle: z.string().nullable(),
    row_num: z.string().nullable(),
    level_num: z.string().nullable(),
    position_num: z.string().nullable(),
    pick_sequence: z.int(),
    putaway_sequence: z.int(),
    is_active: z.boolean(),
  })
  .meta({ id: "Bin", description: "A place where stock is kept." });
export type Bin = z.infer<typeof Bin>;

export const BinWithZone = Bin.extend({
  zone_name: z.string(),
  updated_at: Time,
  warehouse_code: z.string(),
}).meta({
  id: "BinWithZone",
  description: "A bin with the name of its zone and the code of its warehouse.",
});
export type BinWithZone = z.infer<typeof BinWithZone>;

export const BinWithStock = z.strictObject({
  bin: BinWithZone,
  inventory: z.array(
    z.strictObject({
      item_id: Id,
      sku: z.string(),
      item_name: z.string(),
      quantity_on_hand: Units,
      quantity_allocated: Units,
    }),
  ),
});
export type BinWithStock = z.infer<typeof BinWithStock>;

export const binList = list(
  "b.bin_id",
  ...["b.bin_id", "b.bin_code", "b.bin_barcode", "b.bin_type", "b.aisle", "b.pick_sequence", "b.putaway_sequence"],
  ...["z.zone_name", "b.updated_at"],
);

export const BinFilters = z.object({
  ...binList.parameters,
  warehouse_id: QueryInt.optional(),
  zone_id: QueryInt.optional(),
  bin_type: BinType.optional(),
  q: SearchText("A-01").optional(),
});
export type BinFilters = z.infer<typeof BinFilters>;

/** As it is painted on the shelf: text, in answers too. Some clients send it as a number. */
const Label = z
  .union([Text(32), WholeNumber.transform(String)])
  .nullish()
  .meta({ examples: ["01"] });

const fields = {
  zone_id: Id,
  bin_code: Name(64, "A-01-01"),
  bin_barcode: Name(128, "A-01-01"),
  bin_type: BinType,
  aisle: Text(32, "A").nullish(),
  row_num: Label,
  level_num: Label,
  position_num: Label,
};

export const NewBin = z.strictObject({
  ...fields,
  warehouse_id: Id,
  pick_sequence: WholeNumber.default(0),
  putaway_sequence: WholeNumber.default(0),
});
export type NewBin = z.infer<typeof NewBin>;

export const BinChanges = Edit({
  ...fields,
  pick_sequence: WholeNumber,
  putaway_sequence: WholeNumber,
  is_active: z.boolean(),
});
export type BinChanges = z.infer<typeof BinChanges>;
