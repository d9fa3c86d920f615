import { z } from "zod";
import { CountNotFound } from "../../src/counting/problems.js";
import { allCycleCounts, countToReview, cycleCounts } from "../../src/counting/queries.js";
import { CountFilters, CycleCountSummary, CycleCountToReview } from "../../src/counting/shapes.js";
import { checkWarehouse, shownWarehouses } from "../../src/platform/actor.js";
import { Listing } from "../../src/platform/db/listing.js";
import * as field from "../../src/platform/fields/index.js";
import { paged } from "../../src/platform/fields.js";
import { JsonText } from "../../src/platform/json-text.js";
import { WarehouseDenied } from "../../src/platform/problem.js";
import { page, route } from "../http/route.js";

/** Cycle counts as admins see them: docs/interface.md, Adjustments. */
export const listCycleCounts = route("get /api/admin/cycle-counts", {
  for: page("cycle-counts"),
  summary: "Cycle counts with their lines, newest first: all of them, unless a page is asked for",
  query: CountFilters,
  answers: { 200: paged("cycle_counts", CycleCountSummary, "The counts, each of one bin, with their lines.") },
  run: ({ query, by }) => {
    const warehouseIds = shownWarehouses(by, query.warehouse_id);
    const counts = cycleCounts({ page: 1, per_page: 50, ...query }, warehouseIds);
    if (query.page || query.per_page || query.cursor) return counts;
    return new Listing(async () => new JsonText(await allCycleCounts(query, warehouseIds)), counts.batches);
  },
});

export const getCycleCountToReview = route("get /api/admin/cycle-counts/:count_id", {
  for: page("cycle-counts"),
  summary: "A cycle count with its lines, and the adjustments that wait for review or were reviewed",
  params: z.strictObject({ count_id: field.CountIdParam }),
  answers: { 200: CycleCountToReview },
  errors: [CountNotFound, WarehouseDenied],
  run: async ({ params, by }) => {
    const found = await countToReview(params.count_id);
    if (!found) throw CountNotFound();
    checkWarehouse(by, found.warehouse_id);
    return found;
  },
});
