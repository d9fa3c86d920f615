import { z } from "zod";
import type { SessionUser } from "../../src/auth/queries.js";
import type { PageKey } from "../../src/auth/rights.js";
import { shownWarehouses } from "../../src/platform/actor.js";
import * as field from "../../src/platform/fields/index.js";
import { AnyText } from "../../src/platform/fields.js";
import { TooShort } from "../../src/reports/problems.js";
import { search } from "../../src/reports/search/queries.js";
import { type Kind, kinds, SearchResult } from "../../src/reports/search/shapes.js";
import { route, signedIn } from "../http/route.js";

/** Search over the whole panel: docs/interface.md, Lookups. */

const MIN_LENGTH = 2;

/** The page that a user needs to find records of the kind. */
const pageOf: Record<Kind, PageKey> = {
  item: "items",
  bin: "bins",
  po: "purchase-orders",
  so: "sales-orders",
  customer: "sales-orders",
  lot: "inventory",
  serial: "inventory",
};

export const searchEverything = route("get /api/admin/search", {
  for: signedIn,
  summary:
    "Items, bins, orders and customers whose names hold a text, sales orders that go to an address with its words, " +
    "and lots and serial numbers that begin with it, ten of each; a user finds what the granted pages show",
  query: z.object({ q: field.SearchParam.default(""), warehouse_id: field.WarehouseIdParam.optional() }),
  answers: {
    200: z.strictObject({
      query: AnyText("mug").describe("What was looked for."),
      warehouse_id: field.WarehouseId.nullable(),
      results: z.array(SearchResult).max(50).describe("What was found."),
    }),
  },
  errors: [TooShort],
  run: async ({ query: { q, warehouse_id }, by, res }) => {
    if (q.length < MIN_LENGTH)
      throw TooShort({}, { min_length: MIN_LENGTH, detail: `q must have at least ${MIN_LENGTH} characters` });
    const { page_keys } = res.locals.session as SessionUser;
    const wanted = kinds.filter((kind) => by.role === "ADMIN" || page_keys.includes(pageOf[kind]));
    const warehouses = warehouse_id ? [warehouse_id] : shownWarehouses(by);
    const hidesSandboxes = !warehouse_id && by.shownWarehouseIds !== undefined;
    const results = await search(q, wanted, warehouses, { hidesSandboxes });
    return { query: q, warehouse_id: warehouse_id ?? null, results };
  },
});
