import { z } from "zod";
import * as activities from "../../activities/lots/hold-stock.js";
import { shownWarehouses } from "../../src/platform/actor.js";
import * as field from "../../src/platform/fields/index.js";
import { paged } from "../../src/platform/fields.js";
import { WarehouseDenied } from "../../src/platform/problem.js";
import {
  HoldHasFewer,
  HoldNotFound,
  NothingToHold,
  StockRowNotFound,
  UnderInspection,
} from "../../src/stock/holds/problems.js";
import { holds } from "../../src/stock/holds/queries.js";
import { HoldFilters, HoldRelease, holdList, NewStockHold, StockHold } from "../../src/stock/holds/shapes.js";
import { page, route } from "../http/route.js";
import { tellInspection } from "./inspection-workflow.js";

/** Holds of a part of what lies in a bin: docs/lots.md. */

export const listHolds = route("get /api/admin/holds", {
  for: page("inventory"),
  summary: "Units in bins that are on hold, in quarantine or damaged, the newest holds first",
  query: HoldFilters,
  answers: { 200: paged("holds", StockHold, "The holds, of units of one stock row each.", holdList.totals) },
  run: ({ query, by }) => holds(query, shownWarehouses(by, query.warehouse_id)),
});

export const holdStock = route("post /api/admin/inventory/:inventory_id/hold", {
  for: page("inventory"),
  summary: "Takes units in a bin out of sale; orders and picks get other units, as far as there are any",
  params: z.strictObject({ inventory_id: field.InventoryIdParam }),
  body: NewStockHold,
  answers: { 201: StockHold },
  errors: [StockRowNotFound, NothingToHold, WarehouseDenied],
  run: async ({ params, body, by }) => {
    const hold = await activities.holdStock(params.inventory_id, body, by);
    const { inspection_id: id, warehouse_id } = hold;
    if (id !== null) tellInspection({ id, warehouse_id }, by);
    return hold;
  },
});

export const releaseHold = route("post /api/admin/holds/:hold_id/release", {
  for: page("inventory"),
  summary: "Lets units that were held be sold again",
  params: z.strictObject({ hold_id: field.HoldIdParam }),
  body: HoldRelease,
  answers: { 200: StockHold },
  errors: [HoldNotFound, HoldHasFewer, UnderInspection, WarehouseDenied],
  run: ({ params, body, by }) => activities.releaseHold(params.hold_id, body, by),
});
