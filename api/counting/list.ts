import { scopeOf } from "../../src/actor.js";
import { allCycleCounts, cycleCounts } from "../../src/counting/queries.js";
import { CountFilters, CycleCountSummary } from "../../src/counting/shapes.js";
import { Listing } from "../../src/db/listing.js";
import { paged } from "../../src/fields.js";
import { JsonText, page, route } from "../http/route.js";

/** Cycle counts as admins see them: spec 4.6, reference 03 §8. */
export const listCounts = route("get /api/admin/cycle-counts", {
  for: page("cycle-counts"),
  summary: "Cycle counts with their lines, newest first: all of them, unless a page is asked for",
  query: CountFilters,
  answers: { 200: paged("cycle_counts", CycleCountSummary) },
  run: ({ query, by }) => {
    const scope = scopeOf(by);
    const counts = cycleCounts({ page: 1, per_page: 50, ...query }, scope);
    if (query.page || query.per_page) return counts;
    return new Listing(async () => new JsonText(await allCycleCounts(query, scope)), counts.batches);
  },
});
