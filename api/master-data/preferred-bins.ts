import { z } from "zod";
import { addPreferredBin, movePreferredBin, removePreferredBin } from "../../activities/master-data/preferred-bins.js";
import { allPreferredBins, preferredBins } from "../../src/master-data/preferred-bins/queries.js";
import {
  NewPreferredBin,
  PreferredBin,
  PreferredBinChanges,
  PreferredBinFilters,
} from "../../src/master-data/preferred-bins/shapes.js";
import { ItemNotFound, PreferredBinNotFound } from "../../src/master-data/problems.js";
import { visibleWarehouses } from "../../src/platform/actor.js";
import { Listing } from "../../src/platform/db/listing.js";
import { Message, paged, QueryInt } from "../../src/platform/fields.js";
import { JsonText } from "../../src/platform/json-text.js";
import { WarehouseDenied } from "../../src/platform/problem.js";
import { BinNotFound, BinNotPickable, FaceInReserve, FaceLimits } from "../../src/stock/problems.js";
import { page, route } from "../http/route.js";

/** The preferred bins of items: docs/interface.md, Items and stock. An item's priorities are always 1..K. */

const params = z.strictObject({ preferred_bin_id: QueryInt.describe("Id of the preference of a bin for an item.") });

export const listPreferredBins = route("get /api/admin/preferred-bins", {
  for: page("preferred-bins"),
  summary: "Preferred bins by SKU and priority: all of them, unless a page is asked for",
  query: PreferredBinFilters,
  answers: { 200: paged("preferred_bins", PreferredBin, "The bins that items are put into first.") },
  run: async ({ query, by }) => {
    const warehouseIds = visibleWarehouses(by);
    const bins = await preferredBins({ page: 1, per_page: 50, ...query }, warehouseIds);
    if (query.page || query.per_page || query.cursor) return bins;
    return new Listing(async () => new JsonText(await allPreferredBins(query, warehouseIds)), bins.batches);
  },
});

export const createPreferredBin = route("post /api/admin/preferred-bins", {
  for: page("preferred-bins"),
  summary: "Adds a Pickable bin to the preferred bins of an item, at a priority, and may make it a pick face",
  body: NewPreferredBin,
  answers: { 200: Message },
  errors: [ItemNotFound, BinNotFound, BinNotPickable, FaceLimits, FaceInReserve, WarehouseDenied],
  run: ({ body, by }) => addPreferredBin(body, by),
});

export const updatePreferredBin = route("put /api/admin/preferred-bins/:preferred_bin_id", {
  for: page("preferred-bins"),
  summary: "Changes the priority of a preferred bin, and what makes it a pick face",
  params,
  body: PreferredBinChanges,
  answers: { 200: Message },
  errors: [PreferredBinNotFound, FaceLimits, FaceInReserve, WarehouseDenied],
  run: ({ params, body, by }) => movePreferredBin(params.preferred_bin_id, body, by),
});

export const deletePreferredBin = route("delete /api/admin/preferred-bins/:preferred_bin_id", {
  for: page("preferred-bins"),
  summary: "Removes a preferred bin, if it exists",
  params,
  answers: { 200: Message },
  errors: [WarehouseDenied],
  run: ({ params, by }) => removePreferredBin(params.preferred_bin_id, by),
});
