import { z } from "zod";
import * as activities from "../../activities/sales-orders/cancel-backorder.js";
import { decideShort } from "../../activities/sales-orders/decide-short.js";
import { partialFulfill } from "../../activities/sales-orders/partial-fulfill.js";
import { shownWarehouses } from "../../src/platform/actor.js";
import * as field from "../../src/platform/fields/index.js";
import { WarehouseDenied } from "../../src/platform/problem.js";
import * as problems from "../../src/sales-orders/backorder-problems.js";
import { backorders } from "../../src/sales-orders/backorder-queries.js";
import {
  Backorder,
  BackorderCancellation,
  BackorderCancelled,
  BackorderFilters,
  BackorderTab,
  PartialFulfilment,
  PartiallyFulfilled,
  ShortDecided,
  ShortDecision,
} from "../../src/sales-orders/backorder-shapes.js";
import { EditForbidden } from "../../src/sales-orders/problems.js";
import { page, route } from "../http/route.js";

/** Orders that are filled in part, and the backorders for the rest: docs/interface.md, Sales orders and Backorders. */

const params = z.strictObject({ so_id: field.SoIdParam });

export const fulfilSalesOrderInPart = route("post /api/admin/sales-orders/:so_id/partial-fulfill", {
  for: page("sales-orders"),
  summary: "Cuts an order by what is short and opens a backorder for it; a PICKED order needs ADMIN or `so-full-edit`",
  params,
  body: PartialFulfilment,
  answers: { 200: PartiallyFulfilled },
  errors: [
    problems.ShortOrderNotFound,
    WarehouseDenied,
    EditForbidden,
    problems.NotDivisible,
    problems.NotDivisibleNow,
    problems.DividedInBatch,
    problems.ShortLineNotOnOrder,
    problems.OverShort,
    problems.NothingLeft,
  ],
  run: ({ params, body, by }) => partialFulfill({ ...params, ...body }, by),
});

export const decideShortSalesOrder = route("post /api/admin/sales-orders/:so_id/short-decision", {
  for: page("sales-orders"),
  summary:
    "Decides what becomes of the rest of an order that was picked short; all but `ship_short` needs ADMIN or " +
    "`so-full-edit`",
  params,
  body: ShortDecision,
  answers: { 200: ShortDecided },
  errors: [
    problems.ShortOrderNotFound,
    WarehouseDenied,
    problems.NotShort,
    EditForbidden,
    problems.NotDivisible,
    problems.NotDivisibleNow,
    problems.NothingLeft,
  ],
  run: ({ params, body, by }) => decideShort({ ...params, ...body }, by),
});

export const cancelBackorder = route("post /api/admin/sales-orders/:so_id/cancel-backorder", {
  for: page("sales-orders"),
  destructive: true,
  summary: "Cancels a backorder; with the reason `refunded` it is REFUNDED",
  params,
  body: BackorderCancellation,
  answers: { 200: BackorderCancelled },
  errors: [
    problems.BackorderNotFound,
    WarehouseDenied,
    problems.NotABackorder,
    problems.DividedInBatch,
    problems.BackorderUnderWay,
  ],
  run: ({ params, body, by }) => activities.cancelBackorder({ ...params, ...body }, by),
});

export const listBackorders = route("get /api/admin/backorders", {
  for: page("backorders"),
  summary: "Backorders, the oldest first: those that wait for stock, or those that may be shipped since it came",
  query: BackorderFilters,
  answers: {
    200: z.strictObject({
      tab: BackorderTab,
      backorders: z.array(Backorder).describe("The backorders, the oldest first."),
    }),
  },
  run: async ({ query: { tab, warehouse_id }, by }) => ({
    tab,
    backorders: await backorders(tab, warehouse_id ?? null, shownWarehouses(by, warehouse_id)),
  }),
});
