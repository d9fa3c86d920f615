import { z } from "zod";
import { adjustDirectly } from "../activities/adjustments.js";
import { scopeOf } from "../src/actor.js";
import { adjustments } from "../src/adjustments/queries.js";
import { ItemNotFound } from "../src/items/problems.js";
import { WarehouseDenied } from "../src/problem.js";
import { BinNotFound } from "../src/receiving/problems.js";
import { InsufficientStock, PromisedToPicks } from "../src/stock-problems.js";
import { AdjustmentLine } from "./adjustment-line.js";
import {
  Id,
  Name,
  OrderQuantity,
  Paging,
  paged,
  QueryInt,
  Time,
  Units,
} from "./fields.js";
import { page, route } from "./route.js";

/** Corrections of stock: spec 4.6, reference 03 §8. */

const AdjustmentType = z
  .string()
  .trim()
  .toUpperCase()
  .pipe(z.enum(["ADD", "REMOVE"]))
  .meta({ examples: ["ADD"] });

export const adjust = route("post /api/admin/adjustments/direct", {
  for: page("adjustments"),
  summary: "Adds units of an item to a bin, or removes some",
  body: z.strictObject({
    item_id: Id,
    bin_id: Id,
    warehouse_id: Id,
    adjustment_type: AdjustmentType,
    quantity: OrderQuantity,
    reason: Name(500, "found behind the rack"),
  }),
  answers: {
    201: z.strictObject({
      adjustment_id: Id,
      item_id: Id,
      sku: z.string(),
      bin_id: Id,
      bin_code: z.string(),
      warehouse_id: Id,
      adjustment_type: z.enum(["ADD", "REMOVE"]),
      quantity_change: Units,
      reason: z.string(),
      status: z.literal("APPROVED"),
      adjusted_at: Time,
    }),
  },
  errors: [
    ItemNotFound,
    BinNotFound,
    InsufficientStock,
    PromisedToPicks,
    WarehouseDenied,
  ],
  run: ({ body, by }) => adjustDirectly(body, by),
});

export const listAdjustments = route("get /api/admin/adjustments/list", {
  for: page("adjustments"),
  summary: "Adjustments of every kind, newest first",
  query: z.object({ ...Paging, warehouse_id: QueryInt.optional() }),
  answers: {
    200: paged(
      "adjustments",
      AdjustmentLine.extend({ username: z.string().nullable() }),
    ),
  },
  run: ({ query, by }) => adjustments(query, scopeOf(by)),
});
