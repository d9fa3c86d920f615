import { z } from "zod";
import {
  archiveItem,
  createItem,
  deleteItem,
  updateItem,
} from "../activities/items.js";
import { scopeOf } from "../src/actor.js";
import {
  ItemAwaitsReview,
  ItemHasStock,
  ItemNamed,
  ItemNotFound,
  ItemPurchased,
  ItemSold,
  SkuExists,
  UnknownBin,
  UpcExists,
} from "../src/items/problems.js";
import { item, items } from "../src/items/queries.js";
import { WarehouseDenied } from "../src/problem.js";
import {
  Edit,
  Id,
  Message,
  Name,
  Paging,
  paged,
  QueryBool,
  QueryInt,
  Text,
  Time,
  Units,
  Weight,
  WholeNumber,
} from "./fields.js";
import { page, route } from "./route.js";

/** Items: spec 4.6, reference 03 §2. */

/** A length in inches, or a weight in pounds; zero is told as null. */
const Measure = Weight.nullable();

const CreatedItem = z.strictObject({
  item_id: Id,
  sku: z.string(),
  item_name: z.string(),
  description: z.string().nullable(),
  upc: z.string().nullable(),
  category: z.string().nullable(),
  weight_lbs: Measure,
  default_bin_id: Id.nullable(),
  is_active: z.boolean(),
  created_at: Time,
});

export const listItems = route("get /api/admin/items", {
  for: page("items"),
  summary: "Items",
  query: z.object({
    ...Paging,
    category: Text(128, "Kitchen").optional(),
    active: QueryBool.optional(),
    q: Text(256, "mug").optional(),
  }),
  answers: {
    200: paged(
      "items",
      CreatedItem.omit({ description: true }).extend({
        mpn: z.string().nullable(),
        default_bin_code: z.string().nullable(),
      }),
    ),
  },
  run: ({ query }) => items(query),
});

const params = z.strictObject({ item_id: QueryInt });

const PlaceOfItem = z.strictObject({
  bin_id: Id,
  bin_code: z.string(),
  zone_name: z.string(),
});

export const readItem = route("get /api/admin/items/:item_id", {
  for: page("items"),
  summary: "An item, where it lies and where it should lie",
  params,
  answers: {
    200: z.strictObject({
      item: CreatedItem.extend({
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
      }),
      inventory: z.array(
        PlaceOfItem.extend({
          quantity_on_hand: Units,
          quantity_allocated: Units,
        }),
      ),
      preferred_bins: z.array(
        PlaceOfItem.extend({ preferred_bin_id: Id, priority: z.int() }),
      ),
    }),
  },
  errors: [ItemNotFound],
  run: async ({ params, by }) => {
    const found = await item(params.item_id, scopeOf(by));
    if (!found) throw ItemNotFound();
    return found;
  },
});

/** An empty one is none. */
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

export const addItem = route("post /api/admin/items", {
  for: page("items"),
  summary: "Creates an item",
  body: z.strictObject(fields),
  answers: { 201: CreatedItem },
  errors: [SkuExists, UpcExists, UnknownBin, WarehouseDenied],
  run: ({ body, by }) => createItem(body, by),
});

export const editItem = route("put /api/admin/items/:item_id", {
  for: page("items"),
  summary: "Changes what is sent of an item",
  params,
  body: Edit({
    ...fields,
    reorder_point: WholeNumber,
    reorder_qty: WholeNumber,
    is_active: z.boolean(),
  }),
  answers: { 200: CreatedItem.extend({ updated_at: Time }) },
  errors: [ItemNotFound, SkuExists, UpcExists, UnknownBin, WarehouseDenied],
  run: ({ params, body, by }) => updateItem(params.item_id, body, by),
});

export const toggleItem = route("post /api/admin/items/:item_id/archive", {
  for: page("items"),
  summary: "Takes an item out of use, or back into it",
  params,
  answers: {
    200: Message.extend({ is_active: z.boolean() }),
  },
  errors: [ItemNotFound],
  run: ({ params, by }) => archiveItem(params.item_id, by),
});

export const removeItem = route("delete /api/admin/items/:item_id", {
  for: page("items"),
  summary: "Deletes an item that lies nowhere and that no order names",
  params,
  answers: { 200: Message },
  errors: [
    ItemNotFound,
    ItemHasStock,
    ItemSold,
    ItemPurchased,
    ItemAwaitsReview,
    ItemNamed,
  ],
  run: ({ params, by }) => deleteItem(params.item_id, by),
});
