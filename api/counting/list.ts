import { scopeOf } from "../../src/actor.js";
import { cycleCounts } from "../../src/counting/queries.js";
import { CountFilters, CycleCountSummary } from "../../src/counting/shapes.js";
import { paged } from "../../src/fields.js";
import { page, route } from "../http/route.js";

/** Cycle counts as admins see them: spec 4.6, reference 03 §8. */
export const listCounts = route("get /api/admin/cycle-counts", {
  for: page("cycle-counts"),
  summary: "Cycle counts with their lines, newest first",
  query: CountFilters,
  answers: { 200: paged("cycle_counts", CycleCountSummary) },
  run: ({ query, by }) => cycleCounts(query, scopeOf(by)),
});
