import { z } from "zod";
import {
  Edit,
  ExternalId,
  Id,
  Name,
  QueryBool,
  SearchText,
  Text,
  Time,
  Units,
  Weight,
  WholeNumber,
} from "../../platform/fields.js";
import { list } from "../../platform/list.js";
import { SharedCode } from "./shared-codes.js";

/** A length in inches or a weight in pounds; zero in the database is null in answers. */
const Measure = Weight.nullable();

export const Item = z
  .strictObject({
    item_id: Id,
    external_id: ExternalId,
    sku: z.string(),
    item_name: z.string(),
    description: z.string().nullable(),
    upc: z.string().nullable(),
    category: z.string().nullable(),
    weight_lbs: Measure,
    default_bin_id: Id.nullable(),
    is_active: z.boolean(),
    created_at: Time,
  })
  .meta({ id: "Item", description: "An item that is bought, stored and sold." });
export type Item = z.infer<typeof Item>;

export const UpdatedItem = Item.extend({ updated_at: Time }).meta({
  id: "UpdatedItem",
  description: "An item after an edit.",
});
export type UpdatedItem = z.infer<typeof UpdatedItem>;

export const ItemSummary = Item.omit({ description: true })
  .extend({ mpn: z.string().nullable(), default_bin_code: z.string().nullable(), updated_at: Time })
  .meta({ id: "ItemSummary", description: "An item in a list." });
export type ItemSummary = z.infer<typeof ItemSummary>;

const ItemDetail = Item.extend({
  default_bin_code: z.string().nullable(),
  mpn: z.string().nullable(),
  barcode_aliases: z.array(z.string()).nullable(),
  length_in: Measure,
  width_in: Measure,
  height_in: Measure,
  reorder_point: z.int(),
  reorder_qty: z.int(),
  is_lot_tracked: z.boolean(),
  is_serial_tracked: z.boolean(),
  updated_at: Time,
}).meta({ id: "ItemDetail", description: "All fields of an item." });

const BinOfItem = z.strictObject({
  bin_id: Id,
  bin_code: z.string(),
  zone_name: z.string(),
  warehouse_code: z.string(),
});

export const ItemWithBins = z.strictObject({
  item: ItemDetail,
  inventory: z.array(BinOfItem.extend({ quantity_on_hand: Units, quantity_allocated: Units })),
  preferred_bins: z.array(BinOfItem.extend({ preferred_bin_id: Id, priority: z.int() })),
  shared_codes: z.array(SharedCode).describe("Its codes that other active items have, too."),
});
export type ItemWithBins = z.infer<typeof ItemWithBins>;

export const itemList = list(
  "i.item_id",
  ...["i.item_id", "sku", "item_name", "upc", "mpn", "category", "i.is_active", "created_at", "updated_at"],
);

export const ItemFilters = z.object({
  ...itemList.parameters,
  category: Text(128, "Kitchen").optional(),
  active: QueryBool.optional(),
  q: SearchText("mug").optional(),
});
export type ItemFilters = z.infer<typeof ItemFilters>;

/** An empty UPC is stored as null. */
const Upc = Text(128)
  .transform((upc) => upc.trim() || null)
  .nullish()
  .meta({ examples: ["0400000000015"] });

const fields = {
  sku: Name(128, "SKU-1"),
  item_name: Name(256, "Blue mug"),
  description: Text(1000, "holds 300 ml").nullish(),
  upc: Upc,
  mpn: Text(64, "BM-300").nullish(),
  // Not in the reference, whose items get their aliases from upstream only.
  barcode_aliases: z.array(Name(128, "0400000000022")).max(100).nullish(),
  category: Text(128, "Kitchen").nullish(),
  weight_lbs: z.number().min(0).max(99_999).nullish(),
  default_bin_id: Id.nullish(),
};

export const NewItem = z.strictObject(fields);
export type NewItem = z.infer<typeof NewItem>;

export const ItemChanges = Edit({
  ...fields,
  reorder_point: WholeNumber,
  reorder_qty: WholeNumber,
  is_active: z.boolean(),
});
export type ItemChanges = z.infer<typeof ItemChanges>;
