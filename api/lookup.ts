import { z } from "zod";
import { scopeOf } from "../src/actor.js";
import { BinNotFound, ItemNotFound } from "../src/lookup/problems.js";
import {
  activeWarehouses,
  binByBarcode,
  itemByBarcode,
  orderByBarcode,
  searchBins,
  searchItems,
} from "../src/lookup/queries.js";
import { SoNotFound } from "../src/sales-orders/problems.js";
import { Barcode, Id, Text, Units, Weight } from "./fields.js";
import { floor, route, signedIn } from "./route.js";

/** Lookups: what is this barcode, and where is it (spec 4.4, reference 02 §1). */

const Scanned = z.strictObject({ barcode: Barcode });
const Search = z.strictObject({ q: Text(256, "mug").trim().default("") });

const Item = z.strictObject({
  item_id: Id,
  sku: z.string(),
  item_name: z.string(),
  upc: z.string().nullable(),
  category: z.string().nullable(),
  weight_lbs: Weight.nullable(),
});

const Bin = z.strictObject({
  bin_id: Id,
  bin_code: z.string(),
  bin_barcode: z.string(),
  bin_type: z.string(),
  zone_name: z.string(),
  aisle: z.string().nullable(),
  row_num: z.string().nullable(),
  level_num: z.string().nullable(),
});

const held = {
  quantity_on_hand: Units,
  quantity_allocated: Units,
  quantity_available: Units,
  lot_number: z.string().nullable(),
};

const Location = z.strictObject({
  bin_id: Id,
  bin_code: z.string(),
  bin_type: z.string(),
  zone_name: z.string(),
  ...held,
});

export const lookUpItem = route("get /api/lookup/item/:barcode", {
  for: floor("lookup"),
  summary: "An item by UPC, SKU or alias, and where it lies",
  params: Scanned,
  answers: {
    200: z.strictObject({
      item: Item.extend({ mpn: z.string().nullable() }),
      locations: z.array(Location),
    }),
  },
  errors: [ItemNotFound],
  run: async ({ params, by }) => {
    const found = await itemByBarcode(params.barcode, scopeOf(by));
    if (!found) throw ItemNotFound();
    return found;
  },
});

export const searchForItems = route("get /api/lookup/item/search", {
  for: floor("lookup"),
  summary: "Up to 50 items whose SKU, name, UPC, MPN or alias contains a text",
  query: Search,
  answers: { 200: z.array(Item) },
  run: ({ query, by }) => (query.q ? searchItems(query.q, scopeOf(by)) : []),
});

const BinItem = z.strictObject({
  item_id: Id,
  sku: z.string(),
  item_name: z.string(),
  upc: z.string().nullable(),
  ...held,
});

export const lookUpBin = route("get /api/lookup/bin/:barcode", {
  for: floor("lookup"),
  summary: "A bin by barcode or code, and what lies in it",
  params: Scanned,
  answers: { 200: z.strictObject({ bin: Bin, items: z.array(BinItem) }) },
  errors: [BinNotFound],
  run: async ({ params, by }) => {
    const found = await binByBarcode(params.barcode, scopeOf(by));
    if (!found) throw BinNotFound();
    return found;
  },
});

export const searchForBins = route("get /api/lookup/bin/search", {
  for: floor("lookup"),
  summary: "Up to 50 bins whose code or barcode contains a text",
  query: Search,
  answers: { 200: z.array(Bin) },
  run: ({ query, by }) => (query.q ? searchBins(query.q, scopeOf(by)) : []),
});

const Order = z.strictObject({
  so_id: Id,
  so_number: z.string(),
  so_barcode: z.string().nullable(),
  customer_name: z.string().nullable(),
  customer_phone: z.string().nullable(),
  customer_address: z.string().nullable(),
  ship_address: z.string().nullable(),
  status: z.string(),
  warehouse_id: Id,
  memo: z.string().nullable(),
  lines: z.array(
    z.strictObject({
      sku: z.string(),
      item_name: z.string(),
      quantity_ordered: Units,
      quantity_picked: Units,
      quantity_packed: Units,
      quantity_shipped: Units,
    }),
  ),
});

export const lookUpOrder = route("get /api/lookup/so/:barcode", {
  for: floor("lookup"),
  summary: "A sales order by number or barcode, in any status, with its lines",
  params: Scanned,
  answers: { 200: z.strictObject({ sales_order: Order }) },
  errors: [SoNotFound],
  run: async ({ params, by }) => {
    const sales_order = await orderByBarcode(params.barcode, scopeOf(by));
    if (!sales_order) throw SoNotFound();
    return { sales_order };
  },
});

export const listWarehouses = route("get /api/warehouses/list", {
  for: signedIn,
  summary: "The active warehouses, by name",
  answers: {
    200: z.strictObject({
      warehouses: z.array(
        z.strictObject({ id: Id, name: z.string(), code: z.string() }),
      ),
    }),
  },
  run: async () => ({ warehouses: await activeWarehouses() }),
});
