import { z } from "zod";
import * as activities from "../../activities/master-data/bins.js";
import { BinMap, binMap } from "../../src/master-data/bins/map.js";
import { bin, bins } from "../../src/master-data/bins/queries.js";
import { Bin, BinChanges, BinFilters, BinWithStock, BinWithZone, NewBin } from "../../src/master-data/bins/shapes.js";
import {
  BinExists,
  BinHasStock,
  BinIsPreferred,
  BinNamed,
  BinReceives,
  UnknownWarehouse,
  UnknownZone,
} from "../../src/master-data/problems.js";
import { checkWarehouse, shownWarehouses } from "../../src/platform/actor.js";
import * as field from "../../src/platform/fields/index.js";
import { Message, paged } from "../../src/platform/fields.js";
import { WarehouseDenied } from "../../src/platform/problem.js";
import { BinNotFound } from "../../src/stock/problems.js";
import { page, route, signedIn } from "../http/route.js";

/** Bins: docs/interface.md, Places. */

const params = z.strictObject({ bin_id: field.BinIdParam });

export const listBins = route("get /api/admin/bins", {
  for: signedIn,
  summary: "Bins of the caller's warehouses",
  query: BinFilters,
  answers: { 200: paged("bins", BinWithZone, "The bins, one entry for each.") },
  run: ({ query, by }) => bins(query, shownWarehouses(by, query.warehouse_id)),
});

export const getBinMap = route("get /api/admin/bins/map", {
  for: page("bins"),
  summary: "The active bins of a warehouse with how full, how busy and how long undisturbed each is",
  query: z.object({ warehouse_id: field.WarehouseIdParam, zone_id: field.ZoneIdParam.optional() }),
  answers: { 200: BinMap },
  errors: [WarehouseDenied],
  run: ({ query: { warehouse_id, zone_id }, by }) => {
    checkWarehouse(by, warehouse_id);
    return binMap(warehouse_id, zone_id);
  },
});

export const getBin = route("get /api/admin/bins/:bin_id", {
  for: signedIn,
  summary: "A bin and the stock in it",
  params,
  answers: { 200: BinWithStock },
  errors: [BinNotFound, WarehouseDenied],
  run: async ({ params, by }) => {
    const found = await bin(params.bin_id);
    if (!found) throw BinNotFound(params);
    checkWarehouse(by, found.bin.warehouse_id);
    return found;
  },
});

export const createBin = route("post /api/admin/bins", {
  for: page("bins"),
  summary: "Creates a bin; the first Staging bin becomes the default receiving bin",
  body: NewBin,
  answers: { 201: Bin },
  errors: [UnknownWarehouse, UnknownZone, BinExists, WarehouseDenied],
  run: ({ body, by }) => activities.createBin(body, by),
});

export const updateBin = route("put /api/admin/bins/:bin_id", {
  for: page("bins"),
  summary: "Changes what is sent of a bin",
  params,
  body: BinChanges,
  answers: { 200: BinWithZone },
  errors: [BinNotFound, UnknownZone, BinExists, WarehouseDenied],
  run: ({ params, body, by }) => activities.updateBin(params.bin_id, body, by),
});

export const deleteBin = route("delete /api/admin/bins/:bin_id", {
  for: page("bins"),
  summary: "Deletes a bin that is empty and was never used",
  params,
  answers: { 200: Message },
  errors: [BinNotFound, BinHasStock, BinIsPreferred, BinReceives, BinNamed, WarehouseDenied],
  run: ({ params, by }) => activities.deleteBin(params.bin_id, by),
});
