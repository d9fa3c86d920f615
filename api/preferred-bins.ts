import { z } from "zod";
import {
  dropPreferredBin,
  movePreferredBin,
  preferBin,
} from "../activities/preferred-bins.js";
import { scopeOf } from "../src/actor.js";
import { ItemNotFound } from "../src/lookup/problems.js";
import { PreferredBinNotFound } from "../src/preferred-bins/problems.js";
import { preferredBins } from "../src/preferred-bins/queries.js";
import { WarehouseDenied } from "../src/problem.js";
import { BinNotPickable } from "../src/putaway/problems.js";
import { BinNotFound } from "../src/receiving/problems.js";
import { Id, Message, QueryInt, Text, Time } from "./fields.js";
import { page, route } from "./route.js";

/** Where items should lie: spec 4.6, reference 03 §2. An item's priorities are always 1..K. */

const Priority = z
  .int()
  .min(1)
  .max(100)
  .meta({ examples: [1] });

const params = z.strictObject({ preferred_bin_id: QueryInt });

export const listPreferredBins = route("get /api/admin/preferred-bins", {
  for: page("preferred-bins"),
  summary: "Preferred bins by SKU and priority, all on one page",
  query: z.object({
    item_id: QueryInt.optional(),
    bin_id: QueryInt.optional(),
    q: Text(256, "mug").optional(),
  }),
  answers: {
    200: z.strictObject({
      preferred_bins: z.array(
        z.strictObject({
          preferred_bin_id: Id,
          item_id: Id,
          bin_id: Id,
          priority: Priority,
          notes: z.string().nullable(),
          updated_at: Time,
          sku: z.string(),
          item_name: z.string(),
          bin_code: z.string(),
          zone_name: z.string(),
        }),
      ),
    }),
  },
  run: async ({ query, by }) => ({
    preferred_bins: await preferredBins(query, scopeOf(by)),
  }),
});

export const addPreferredBin = route("post /api/admin/preferred-bins", {
  for: page("preferred-bins"),
  summary: "Puts a Pickable bin at a place among those of an item",
  body: z.strictObject({
    item_id: Id,
    bin_id: Id,
    priority: Priority.default(1),
  }),
  answers: { 200: Message },
  errors: [ItemNotFound, BinNotFound, BinNotPickable, WarehouseDenied],
  run: ({ body, by }) => preferBin(body, by),
});

export const editPreferredBin = route(
  "put /api/admin/preferred-bins/:preferred_bin_id",
  {
    for: page("preferred-bins"),
    summary: "Moves a preferred bin to another place",
    params,
    body: z.strictObject({ priority: Priority }),
    answers: { 200: Message },
    errors: [PreferredBinNotFound, WarehouseDenied],
    run: ({ params, body, by }) =>
      movePreferredBin(params.preferred_bin_id, body.priority, by),
  },
);

export const removePreferredBin = route(
  "delete /api/admin/preferred-bins/:preferred_bin_id",
  {
    for: page("preferred-bins"),
    summary: "Takes a bin from an item's preferred ones, if it is one of them",
    params,
    answers: { 200: Message },
    errors: [WarehouseDenied],
    run: ({ params, by }) => dropPreferredBin(params.preferred_bin_id, by),
  },
);
