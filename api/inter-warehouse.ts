import { z } from "zod";
import { transferBetweenWarehouses } from "../activities/inter-warehouse.js";
import { scopeOf } from "../src/actor.js";
import { interWarehouseTransfers } from "../src/inter-warehouse/queries.js";
import { ItemNotFound } from "../src/items/problems.js";
import { WarehouseDenied } from "../src/problem.js";
import { BinNotFound } from "../src/receiving/problems.js";
import { InsufficientStock, PromisedToPicks } from "../src/stock-problems.js";
import { Id, Quantity, Text, Time, Units } from "./fields.js";
import { page, route } from "./route.js";

/** Stock that goes from one warehouse to another at once: spec 4.6, reference 03 §8. */

const Other = Id.meta({ examples: [2] });

export const transfer = route("post /api/admin/inter-warehouse-transfer", {
  for: page("inter-warehouse-transfers"),
  summary:
    "Moves units of an item to another warehouse: free ones first, then reserved ones, whose orders lose them; never those that pick tasks are about to take",
  body: z
    .strictObject({
      item_id: Id,
      from_bin_id: Id,
      from_warehouse_id: Id,
      to_bin_id: Other,
      to_warehouse_id: Other,
      quantity: Quantity,
      reason: Text(500, "closer to the customers").nullish(),
    })
    .refine((move) => move.from_warehouse_id !== move.to_warehouse_id, {
      error: "Source and destination warehouse are the same",
    }),
  answers: {
    201: z.strictObject({
      transfer_id: Id,
      item_id: Id,
      sku: z.string(),
      from_bin_id: Id,
      from_bin_code: z.string(),
      from_warehouse_id: Id,
      to_bin_id: Id,
      to_bin_code: z.string(),
      to_warehouse_id: Id,
      quantity: Units,
      reason: z.string().nullable(),
      transferred_at: Time,
    }),
  },
  errors: [
    WarehouseDenied,
    ItemNotFound,
    BinNotFound,
    InsufficientStock,
    PromisedToPicks,
  ],
  run: ({ body, by }) => transferBetweenWarehouses(body, by),
});

export const listTransfers = route("get /api/admin/inter-warehouse-transfers", {
  for: page("inter-warehouse-transfers"),
  summary: "The newest transfers between warehouses",
  query: z.object({
    limit: z.coerce.number().int().positive().max(500).default(50),
  }),
  answers: {
    200: z.strictObject({
      transfers: z.array(
        z.strictObject({
          transfer_id: Id,
          item_id: Id,
          sku: z.string(),
          item_name: z.string(),
          from_bin_id: Id,
          from_bin_code: z.string(),
          from_warehouse_id: Id,
          from_warehouse_name: z.string(),
          from_warehouse_code: z.string(),
          to_bin_id: Id,
          to_bin_code: z.string(),
          to_warehouse_id: Id,
          to_warehouse_name: z.string(),
          to_warehouse_code: z.string(),
          quantity: Units,
          transferred_by: z.string().nullable(),
          transferred_at: Time,
          status: z.literal("completed"),
        }),
      ),
    }),
  },
  run: async ({ query, by }) => ({
    transfers: await interWarehouseTransfers(query.limit, scopeOf(by)),
  }),
});
