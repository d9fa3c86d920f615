import { z } from "zod";
import { ItemNotFound } from "../../src/master-data/problems.js";
import { shownWarehouses, visibleWarehouses } from "../../src/platform/actor.js";
import { AmbiguousBarcode } from "../../src/platform/barcodes/problems.js";
import { clockOf } from "../../src/platform/db/days.js";
import * as field from "../../src/platform/fields/index.js";
import { QueryInt, TimeZone } from "../../src/platform/fields.js";
import { JsonText } from "../../src/platform/json-text.js";
import { WarehouseDenied } from "../../src/platform/problem.js";
import * as queries from "../../src/reports/lookup/queries.js";
import {
  BinWithItems,
  FoundBin,
  FoundItem,
  FoundOrder,
  ItemWithLocations,
  WarehouseChoice,
} from "../../src/reports/lookup/shapes.js";
import { BinNotFound } from "../../src/reports/problems.js";
import { SoNotFound } from "../../src/sales-orders/problems.js";
import { floor, route, signedIn } from "../http/route.js";

/** Lookups: what is this barcode, and where is it (docs/interface.md, Lookups). */

const Scanned = z.strictObject({ barcode: field.Scanned });
const Search = z.strictObject({ q: field.SearchParam.default("") });

export const lookUpItem = route("get /api/lookup/item/:barcode", {
  for: floor("lookup"),
  summary: "An item by UPC, SKU, alias or GS1 label, its stock by bin, and what else the label says",
  params: Scanned,
  query: z.object({ item_id: QueryInt.optional().describe("Which one is meant of several items with this code.") }),
  answers: { 200: ItemWithLocations },
  errors: [ItemNotFound, AmbiguousBarcode],
  run: async ({ params, query, by }) => {
    const found = await queries.itemByBarcode(params.barcode, query.item_id, visibleWarehouses(by));
    if (!found) throw ItemNotFound();
    return new JsonText(found);
  },
});

export const searchItems = route("get /api/lookup/item/search", {
  for: floor("lookup"),
  summary:
    "Up to 50 items whose SKU, name, UPC, MPN or alias contains a text, or is its GTIN; with `warehouse_id` how many " +
    "units of each can still be sold there",
  query: Search.extend({ warehouse_id: field.WarehouseIdParam.optional() }),
  answers: { 200: z.array(FoundItem) },
  run: async ({ query: { q, warehouse_id }, by }) => {
    const hidesSandboxes = warehouse_id === undefined && by.shownWarehouseIds !== undefined;
    const items = q ? await queries.searchItems(q, visibleWarehouses(by), hidesSandboxes) : [];
    if (warehouse_id === undefined) return items;
    const ids = items.map(({ item_id }) => item_id);
    const free = await queries.freeUnits(ids, warehouse_id);
    return items.map((item) => ({ ...item, quantity_free: free.get(item.item_id) ?? 0 }));
  },
});

export const lookUpBin = route("get /api/lookup/bin/:barcode", {
  for: floor("lookup"),
  summary: "A bin by barcode or code, and the stock in it",
  params: Scanned,
  query: z.object({
    warehouse_id: QueryInt.optional().describe("Where the scanner is: of bins with the same code, the one here."),
  }),
  answers: { 200: BinWithItems },
  errors: [BinNotFound, WarehouseDenied],
  run: async ({ params, query, by }) => {
    const found = await queries.binByBarcode(params.barcode, query.warehouse_id, visibleWarehouses(by));
    if (!found) throw BinNotFound();
    return found;
  },
});

export const searchBins = route("get /api/lookup/bin/search", {
  for: floor("lookup"),
  summary: "Up to 50 bins whose code or barcode contains a text",
  query: Search,
  answers: { 200: z.array(FoundBin) },
  run: ({ query, by }) => (query.q ? queries.searchBins(query.q, shownWarehouses(by)) : []),
});

export const lookUpSalesOrder = route("get /api/lookup/so/:barcode", {
  for: floor("lookup"),
  summary: "A sales order by number or barcode, in any status, with its lines",
  params: Scanned,
  answers: { 200: z.strictObject({ sales_order: FoundOrder }) },
  errors: [SoNotFound],
  run: async ({ params, by }) => {
    const sales_order = await queries.orderByBarcode(params.barcode, visibleWarehouses(by));
    if (!sales_order) throw SoNotFound();
    return { sales_order };
  },
});

export const listOwnWarehouses = route("get /api/warehouses/list", {
  for: signedIn,
  summary: "The active warehouses that the caller may use, by name",
  answers: {
    200: z.strictObject({
      warehouses: z.array(WarehouseChoice).describe("The warehouses, by their codes."),
      timezone: TimeZone.describe("By whose clock all of them are, or, where they differ, the company's."),
    }),
  },
  run: async ({ by }) => {
    const [warehouses, { timezone }] = await Promise.all([
      queries.activeWarehouses(shownWarehouses(by)),
      clockOf(shownWarehouses(by)),
    ]);
    return { warehouses, timezone };
  },
});
