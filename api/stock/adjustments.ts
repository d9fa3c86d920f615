import { adjustDirectly } from "../../activities/stock/adjustments.js";
import { notingShortage } from "../../activities/stock/shortages.js";
import { ItemNotFound } from "../../src/master-data/problems.js";
import { shownWarehouses } from "../../src/platform/actor.js";
import { paged } from "../../src/platform/fields.js";
import { WarehouseDenied } from "../../src/platform/problem.js";
import { unadjustable } from "../../src/serials/problems.js";
import { adjustments } from "../../src/stock/adjustments/queries.js";
import {
  AdjustmentFilters,
  DirectAdjustment,
  DirectAdjustmentDone,
  ListedAdjustment,
} from "../../src/stock/adjustments/shapes.js";
import { BinNotFound, InsufficientStock, PromisedToPicks, unlikePolicy } from "../../src/stock/problems.js";
import { page, route } from "../http/route.js";

/** Corrections of stock: docs/interface.md, Adjustments. */

export const adjustStock = route("post /api/admin/adjustments/direct", {
  for: page("adjustments"),
  stepUp: ({ quantity }, { adjustmentUnits }) => adjustmentUnits > 0 && quantity > adjustmentUnits,
  summary: "Adds units of an item to a bin, or removes some",
  body: DirectAdjustment,
  answers: { 201: DirectAdjustmentDone },
  errors: [
    ...[ItemNotFound, BinNotFound, InsufficientStock, PromisedToPicks, ...unlikePolicy, ...unadjustable],
    WarehouseDenied,
  ],
  run: ({ body, by }) => notingShortage(body.bin_id, () => adjustDirectly(body, by)),
});

export const listAdjustments = route("get /api/admin/adjustments/list", {
  for: page("adjustments"),
  summary: "Adjustments of every kind, newest first",
  query: AdjustmentFilters,
  answers: { 200: paged("adjustments", ListedAdjustment, "Corrections of stock, each of one item in one bin.") },
  run: ({ query, by }) => adjustments(query, shownWarehouses(by, query.warehouse_id)),
});
