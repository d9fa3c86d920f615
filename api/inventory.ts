import { z } from "zod";
import { scopeOf } from "../src/actor.js";
import { inventory } from "../src/inventory/queries.js";
import { Id, Paging, paged, QueryInt, Text, Time, Units } from "./fields.js";
import { page, route } from "./route.js";

/** The inventory view: spec 4.6, reference 03 §2. */

export const listInventory = route("get /api/admin/inventory", {
  for: page("inventory"),
  summary: "What lies where, and what is promised of it",
  query: z.object({
    ...Paging,
    warehouse_id: QueryInt.optional(),
    item_id: QueryInt.optional(),
    bin_id: QueryInt.optional(),
    q: Text(256, "mug").optional(),
  }),
  answers: {
    200: paged(
      "inventory",
      z.strictObject({
        inventory_id: Id,
        item_id: Id,
        sku: z.string(),
        item_name: z.string(),
        bin_id: Id,
        bin_code: z.string(),
        zone_name: z.string(),
        quantity_on_hand: Units,
        quantity_allocated: Units,
        quantity_available: Units,
        committed_to_orders: Units,
        lot_number: z.string().nullable(),
        last_counted_at: Time.nullable(),
      }),
    ),
  },
  run: ({ query, by }) => inventory(query, scopeOf(by)),
});
