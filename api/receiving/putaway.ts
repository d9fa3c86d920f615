import { z } from "zod";
import * as activities from "../../activities/receiving/putaway.js";
import { notingShortage } from "../../activities/stock/shortages.js";
import { ItemNotFound } from "../../src/master-data/problems.js";
import { checkWarehouse, shownWarehouses } from "../../src/platform/actor.js";
import { misread } from "../../src/platform/barcodes/problems.js";
import * as field from "../../src/platform/fields/index.js";
import { LotNumber, QueryInt } from "../../src/platform/fields.js";
import { WarehouseDenied } from "../../src/platform/problem.js";
import { pendingItems, stagingBins, suggestBin } from "../../src/receiving/putaway/queries.js";
import {
  PendingItem,
  PreferredBinChoice,
  PreferredBinChosen,
  PutAwayConfirmed,
  StagingBin,
  SuggestedBin,
  WhyBin,
} from "../../src/receiving/putaway/shapes.js";
import {
  BinInactive,
  BinNotFound,
  BinNotPickable,
  DestinationElsewhere,
  InsufficientStock,
} from "../../src/stock/problems.js";
import { BinTransfer } from "../../src/stock/transfers/shapes.js";
import { floor, route } from "../http/route.js";

/** Put-away: from the staging bins to the shelves (docs/interface.md, Put-away). */

const StagingSummary = z
  .strictObject({ bins: z.array(StagingBin).describe("The bins, one entry for each.") })
  .meta({ id: "StagingSummary", description: "Every staging bin of a warehouse with the stock in it." });
const OfWarehouse = z.strictObject({ warehouse_id: field.WarehouseIdParam });

export const listPendingPutAway = route("get /api/putaway/pending/:warehouse_id", {
  for: floor("putaway"),
  summary: "Stock in staging bins that is to be put away, with the suggested bins",
  params: OfWarehouse,
  answers: {
    200: z.strictObject({ pending_items: z.array(PendingItem).describe("What waits in staging bins to be put away.") }),
  },
  errors: [WarehouseDenied],
  run: async ({ params }) => ({ pending_items: await pendingItems(params.warehouse_id) }),
});

export const getStagingSummary = route("get /api/putaway/staging-summary", {
  for: floor("putaway"),
  summary: "Every staging bin of a warehouse with the stock in it",
  query: OfWarehouse,
  answers: { 200: StagingSummary },
  errors: [WarehouseDenied],
  run: async ({ query }) => ({ bins: await stagingBins(query.warehouse_id) }),
});

/** The same, with the path that scanners use. */
export const getStagingSummaryOfWarehouse = route("get /api/putaway/staging-summary/:warehouse_id", {
  for: floor("putaway"),
  summary: "Every staging bin of a warehouse with the stock in it",
  params: OfWarehouse,
  answers: { 200: StagingSummary },
  errors: [WarehouseDenied],
  run: async ({ params }) => ({ bins: await stagingBins(params.warehouse_id) }),
});

export const suggestPutAwayBin = route("get /api/putaway/suggest/:item_id", {
  for: floor("putaway"),
  summary: "The bin to put an item into: its first preferred bin, else its default bin, else by the rules",
  params: z.strictObject({ item_id: field.ItemIdParam }),
  query: z.object({
    warehouse_id: field.WarehouseIdParam.optional().describe("Only bins of this warehouse, by its rules."),
    quantity: QueryInt.optional().describe("How many units are to fit; 1 by default."),
    lot_number: LotNumber.optional().describe("Their lot."),
  }),
  answers: {
    200: z.strictObject({
      item_id: field.ItemId,
      sku: field.Sku,
      item_name: field.ItemName,
      preferred_bin: SuggestedBin.nullable().describe("The bin that the item is put into first."),
      suggested_bin: SuggestedBin.nullable().describe("Where the item is best put."),
      why: WhyBin.optional(),
    }),
  },
  errors: [ItemNotFound, WarehouseDenied],
  run: async ({ params, query: { warehouse_id, quantity = 1, lot_number = null }, by }) => {
    if (warehouse_id) checkWarehouse(by, warehouse_id);
    const warehouses = warehouse_id ? [warehouse_id] : shownWarehouses(by);
    const found = await suggestBin({ item_id: params.item_id, quantity, lot_number }, warehouses);
    if (!found) throw ItemNotFound();
    const { bin, why, is_ruled: _, ...item } = found;
    const preferred_bin = why?.rule_id ? null : bin;
    return { ...item, preferred_bin, suggested_bin: bin, ...(why && { why }) };
  },
});

export const confirmPutAway = route("post /api/putaway/confirm", {
  for: floor("putaway"),
  summary: "Records that units were put away from one bin into another",
  body: BinTransfer,
  answers: { 200: PutAwayConfirmed },
  errors: [
    ItemNotFound,
    BinNotFound,
    WarehouseDenied,
    DestinationElsewhere,
    BinInactive,
    InsufficientStock,
    ...misread,
  ],
  run: ({ body, by }) => notingShortage(body.from_bin_id, () => activities.confirmPutAway(body, by)),
});

export const setPreferredBin = route("post /api/putaway/update-preferred", {
  for: floor("putaway"),
  summary: "Makes a bin the first choice for an item",
  body: PreferredBinChoice,
  answers: { 200: PreferredBinChosen },
  errors: [ItemNotFound, BinNotFound, WarehouseDenied, BinNotPickable],
  run: ({ body, by }) => activities.updatePreferredBin(body, by),
});
