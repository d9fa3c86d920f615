import { z } from "zod";
import { confirmPutAway, updatePreferredBin } from "../activities/putaway.js";
import { scopeOf } from "../src/actor.js";
import { ItemNotFound } from "../src/lookup/problems.js";
import { WarehouseDenied } from "../src/problem.js";
import {
  BinNotPickable,
  DestinationElsewhere,
} from "../src/putaway/problems.js";
import {
  pendingItems,
  stagingBins,
  suggestBin,
} from "../src/putaway/queries.js";
import { BinNotFound } from "../src/receiving/problems.js";
import { InsufficientStock } from "../src/stock-problems.js";
import { Carried } from "./carried.js";
import { Id, QueryInt, Units } from "./fields.js";
import { floor, route } from "./route.js";

/** Put-away: from the staging bins to the shelves (spec 4.4, reference 02 §3). */

const OfWarehouse = z.strictObject({ warehouse_id: QueryInt });

const PendingItem = z.strictObject({
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
});

export const listPending = route("get /api/putaway/pending/:warehouse_id", {
  for: floor("putaway"),
  summary:
    "What lies in staging bins and waits to be put away, and where it should go",
  params: OfWarehouse,
  answers: { 200: z.strictObject({ pending_items: z.array(PendingItem) }) },
  errors: [WarehouseDenied],
  run: async ({ params }) => ({
    pending_items: await pendingItems(params.warehouse_id),
  }),
});

const StagingBin = z.strictObject({
  bin_id: Id,
  bin_code: z.string(),
  bin_type: z.string(),
  total_quantity: Units,
  items: z.array(
    z.strictObject({
      item_id: Id,
      sku: z.string(),
      item_name: z.string(),
      quantity: Units,
      lot_number: z.string().nullable(),
    }),
  ),
});

export const summarizeStaging = route("get /api/putaway/staging-summary", {
  for: floor("putaway"),
  summary: "Every staging bin of a warehouse with what lies in it",
  query: OfWarehouse,
  answers: { 200: z.strictObject({ bins: z.array(StagingBin) }) },
  errors: [WarehouseDenied],
  run: async ({ query }) => ({ bins: await stagingBins(query.warehouse_id) }),
});

const SuggestedBin = z.strictObject({
  bin_id: Id,
  bin_code: z.string(),
  bin_barcode: z.string(),
  zone_name: z.string(),
  priority: z.int(),
});

export const suggest = route("get /api/putaway/suggest/:item_id", {
  for: floor("putaway"),
  summary:
    "The bin to put an item into: its first preferred bin, else its default bin",
  params: z.strictObject({ item_id: QueryInt }),
  answers: {
    200: z.strictObject({
      item_id: Id,
      sku: z.string(),
      item_name: z.string(),
      preferred_bin: SuggestedBin.nullable(),
      suggested_bin: SuggestedBin.nullable(),
    }),
  },
  errors: [ItemNotFound],
  run: async ({ params, by }) => {
    const found = await suggestBin(params.item_id, scopeOf(by));
    if (!found) throw ItemNotFound();
    const { bin, ...item } = found;
    return { ...item, preferred_bin: bin, suggested_bin: bin };
  },
});

export const confirm = route("post /api/putaway/confirm", {
  for: floor("putaway"),
  summary: "Records that goods were carried from one bin to another",
  body: Carried,
  answers: {
    200: z.strictObject({
      message: z.string(),
      transfer_id: Id,
      item: z.string(),
      from_bin: z.string(),
      to_bin: z.string(),
      quantity: Units,
    }),
  },
  errors: [
    ItemNotFound,
    BinNotFound,
    WarehouseDenied,
    DestinationElsewhere,
    InsufficientStock,
  ],
  run: ({ body, by }) => confirmPutAway(body, by),
});

export const updatePreferred = route("post /api/putaway/update-preferred", {
  for: floor("putaway"),
  summary: "Makes a bin the first choice for an item",
  body: z.strictObject({
    item_id: Id,
    bin_id: Id,
    set_as_primary: z.boolean().default(true),
  }),
  answers: {
    200: z.strictObject({
      message: z.string(),
      item_id: Id,
      bin_id: Id,
      bin_code: z.string(),
    }),
  },
  errors: [ItemNotFound, BinNotFound, WarehouseDenied, BinNotPickable],
  run: ({ body, by }) => updatePreferredBin(body, by),
});
