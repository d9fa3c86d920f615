import { z } from "zod";
import * as field from "../../platform/fields/index.js";
import { AnyText, Days, Edit, ExternalId, Name, Text, Weight, WholeNumber } from "../../platform/fields.js";
import {
  BarcodeCell,
  BooleanCell,
  Cell,
  ChoiceCell,
  CodeCell,
  IntCell,
  NumberCell,
} from "../../platform/files/cells.js";
import { list } from "../../platform/list.js";
import * as pushed from "../../platform/pushed-columns.js";
import { Face } from "../preferred-bins/shapes.js";
import { ComingUnits } from "./coming.js";
import { customs, givenCustoms, importedCustoms, pushedCustoms } from "./customs.js";
import { SharedCode } from "./shared-codes.js";

/** What an item asks of its units (docs/lots.md): an item that says nothing asks for nothing. */
const asked = {
  lot_policy: z.enum(["none", "optional", "required"]).describe("Whether units come with the number of their lot."),
  requires_expiry: z.boolean().describe("Whether the last day has to be known of units that come in."),
  serial_policy: z
    .enum(["none", "at_receipt", "at_shipping"])
    .describe("Where the serial number of each unit is asked for."),
  shelf_life_from: z.enum(["production", "receipt"]).describe("The day from which the shelf life counts."),
  lot_picking: z
    .enum(["exact", "any_of_bin", "first_expired_only"])
    .describe("Which lots a picker may take: the planned one, any of the bin, or one that expires no later."),
};
const limits = {
  shelf_life_days: Days.positive()
    .nullable()
    .describe("For how many days units are kept, where nobody tells their last day."),
  min_days_at_receipt: Days.nullable().describe("Units with fewer days left are not received."),
  min_days_at_shipping: Days.nullable().describe("Units with fewer days left are not sold."),
};

/** A length in inches or a weight in pounds; zero in the database is null in answers. */
const Measure = Weight.nullable();

export const Item = z
  .strictObject({
    item_id: field.ItemId,
    external_id: ExternalId,
    sku: field.Sku,
    item_name: field.ItemName,
    description: AnyText("Mug of blue enamel, 350 ml").nullable().describe("Free text about the record."),
    upc: field.Upc.nullable(),
    category: field.Category.nullable(),
    weight_lbs: Measure.describe("Weight of one unit, in pounds."),
    default_bin_id: field.DefaultBinId.nullable(),
    is_active: field.IsActive,
    created_at: field.CreatedAt,
  })
  .meta({ id: "Item", description: "An item that is bought, stored and sold." });
export type Item = z.infer<typeof Item>;

export const UpdatedItem = Item.extend({ updated_at: field.UpdatedAt }).meta({
  id: "UpdatedItem",
  description: "An item after an edit.",
});
export type UpdatedItem = z.infer<typeof UpdatedItem>;

/** The fields of an item in its list, besides the code of its bin. */
export const ListedItem = Item.omit({ description: true }).extend({
  mpn: field.Mpn.nullable(),
  updated_at: field.UpdatedAt,
});

export const ItemSummary = ListedItem.extend({ default_bin_code: field.DefaultBinCode.nullable() }).meta({
  id: "ItemSummary",
  description: "An item in a list.",
});
export type ItemSummary = z.infer<typeof ItemSummary>;

/** The columns of an item's row. */
export const ItemRow = Item.extend({
  mpn: field.Mpn.nullable(),
  barcode_aliases: z.array(AnyText("0400000000022")).nullable().describe("Other barcodes that stand for the item."),
  length_in: Measure.describe("Length of one unit, in inches."),
  width_in: Measure.describe("Width of one unit, in inches."),
  height_in: Measure.describe("Height of one unit, in inches."),
  reorder_point: z.int().describe("Stock at or below this is low."),
  reorder_qty: z.int().describe("How many units to order again."),
  is_lot_tracked: z.boolean().describe("Whether lot numbers are kept for the item."),
  is_serial_tracked: z.boolean().describe("Whether serial numbers are kept for the item."),
  ...asked,
  ...limits,
  ...customs,
  updated_at: field.UpdatedAt,
});
export type ItemRow = z.infer<typeof ItemRow>;

const ItemDetail = ItemRow.extend({ default_bin_code: field.DefaultBinCode.nullable() }).meta({
  id: "ItemDetail",
  description: "All fields of an item.",
});

const BinOfItem = z.strictObject({
  bin_id: field.BinId,
  bin_code: field.BinCode,
  zone_name: field.ZoneName,
  warehouse_code: field.WarehouseCode,
});

export const ItemWithBins = z.strictObject({
  item: ItemDetail,
  inventory: z
    .array(BinOfItem.extend({ quantity_on_hand: field.QuantityOnHand, quantity_allocated: field.QuantityAllocated }))
    .describe("Stock, a row for each item, bin and lot."),
  preferred_bins: z
    .array(BinOfItem.extend({ preferred_bin_id: field.PreferredBinId, priority: field.Priority, ...Face.shape }))
    .describe("The bins that items are put into first."),
  coming: z
    .array(ComingUnits)
    .describe(
      "Open purchase orders that still bring units of it, the one that is expected first at first; 20 at most.",
    ),
  shared_codes: z.array(SharedCode).describe("Its codes that other active items have, too."),
});
export type ItemWithBins = z.infer<typeof ItemWithBins>;

export const itemList = list(
  "i.item_id",
  ...["i.item_id", "sku", "item_name", "upc", "mpn", "category", "i.is_active", "created_at", "updated_at"],
);

export const ItemFilters = z.object({
  ...itemList.parameters,
  category: field.GivenCategory.optional(),
  active: field.ActiveParam.optional(),
  q: field.SearchParam.optional(),
});
export type ItemFilters = z.infer<typeof ItemFilters>;

/** An empty UPC is stored as null. */
const Upc = Text(128)
  .transform((upc) => upc.trim() || null)
  .nullish()
  .meta({ description: "The barcode on the item.", examples: ["0400000000015"] });

const Side = z.number().min(0).max(9_999_999).nullish();

const fields = {
  sku: Name(128, "SKU-1").describe("Stock keeping unit: the item's own code, unique."),
  item_name: Name(256, "Blue mug").describe("Name of the item, as people read it on screens and tickets."),
  description: Text(1000, "holds 300 ml").nullish().describe("Free text about the record."),
  upc: Upc,
  mpn: Text(64, "BM-300").nullish().describe("The manufacturer's part number."),
  // Items of other systems get their aliases from there; these are added by hand.
  barcode_aliases: z
    .array(Name(128, "0400000000022"))
    .max(100)
    .nullish()
    .describe("Other barcodes that stand for the item."),
  category: field.GivenCategory.nullish(),
  weight_lbs: z.number().min(0).max(99_999).nullish().describe("Weight of one unit, in pounds."),
  length_in: Side.describe("Length of one unit, in inches."),
  width_in: Side.describe("Width of one unit, in inches."),
  height_in: Side.describe("Height of one unit, in inches."),
  default_bin_id: field.DefaultBinId.nullish(),
  shelf_life_days: limits.shelf_life_days.optional(),
  min_days_at_receipt: limits.min_days_at_receipt.optional(),
  min_days_at_shipping: limits.min_days_at_shipping.optional(),
  ...givenCustoms,
};

export const NewItem = z.strictObject({
  ...fields,
  lot_policy: asked.lot_policy.default("optional"),
  requires_expiry: asked.requires_expiry.default(false),
  serial_policy: asked.serial_policy.default("none"),
  shelf_life_from: asked.shelf_life_from.default("production"),
  lot_picking: asked.lot_picking.default("exact"),
  is_hazardous: customs.is_hazardous.default(false),
});
export type NewItem = z.infer<typeof NewItem>;

export const ItemChanges = Edit({
  ...fields,
  ...asked,
  is_hazardous: customs.is_hazardous,
  reorder_point: WholeNumber.describe("Stock at or below this is low."),
  reorder_qty: WholeNumber.describe("How many units to order again."),
  is_active: field.IsActive,
});
export type ItemChanges = z.infer<typeof ItemChanges>;

/** What a row of an import may say of an item; where its units lie, it says in other columns. */
export const importedItem = {
  sku: CodeCell(128),
  item_name: Cell(256),
  description: Cell(1000).optional(),
  upc: BarcodeCell(128).optional(),
  mpn: CodeCell(64).optional(),
  category: Cell(128).optional(),
  weight_lbs: NumberCell(0, 99_999).optional(),
  length_in: NumberCell(0, 9_999_999).optional(),
  width_in: NumberCell(0, 9_999_999).optional(),
  height_in: NumberCell(0, 9_999_999).optional(),
  lot_policy: ChoiceCell(asked.lot_policy).default("optional"),
  requires_expiry: BooleanCell.default(false),
  serial_policy: ChoiceCell(asked.serial_policy).default("none"),
  shelf_life_days: IntCell(1, 36_500).optional(),
  shelf_life_from: ChoiceCell(asked.shelf_life_from).default("production"),
  min_days_at_receipt: IntCell(0, 36_500).optional(),
  min_days_at_shipping: IntCell(0, 36_500).optional(),
  lot_picking: ChoiceCell(asked.lot_picking).default("exact"),
  ...importedCustoms,
};

/** What another system may say of an item. */
export const pushedItem: pushed.Columns = {
  sku: pushed.required(pushed.text(128)),
  item_name: pushed.required(pushed.text(256)),
  description: pushed.text(1000),
  upc: pushed.text(128),
  mpn: pushed.text(64),
  barcode_aliases: { kind: "textList", maxLength: 128, max: 100 },
  category: pushed.text(128),
  weight_lbs: pushed.measure(10, 4),
  length_in: pushed.measure(10, 2),
  width_in: pushed.measure(10, 2),
  height_in: pushed.measure(10, 2),
  reorder_point: pushed.filled(pushed.integer(0)),
  reorder_qty: pushed.filled(pushed.integer(0)),
  is_lot_tracked: pushed.boolean,
  is_serial_tracked: pushed.boolean,
  lot_policy: pushed.oneOf(asked.lot_policy.enum),
  requires_expiry: pushed.boolean,
  serial_policy: pushed.oneOf(asked.serial_policy.enum),
  shelf_life_days: pushed.integer(1, 36_500),
  shelf_life_from: pushed.oneOf(asked.shelf_life_from.enum),
  min_days_at_receipt: pushed.integer(0, 36_500),
  min_days_at_shipping: pushed.integer(0, 36_500),
  lot_picking: pushed.oneOf(asked.lot_picking.enum),
  ...pushedCustoms,
  is_active: pushed.boolean,
  default_bin_id: pushed.integer(1),
};
