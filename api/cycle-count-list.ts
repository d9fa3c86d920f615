import { z } from "zod";
import { scopeOf } from "../src/actor.js";
import { cycleCounts } from "../src/cycle-counts/list.js";
import { Id, Paging, paged, QueryInt, Time, Units } from "./fields.js";
import { page, route } from "./route.js";

/** Cycle counts as admins see them: spec 4.6, reference 03 §8. */
export const listCounts = route("get /api/admin/cycle-counts", {
  for: page("cycle-counts"),
  summary: "Cycle counts with their lines, newest first",
  query: z.object({
    ...Paging,
    // Clients of this list know no pages and expect all counts at once.
    per_page: Paging.per_page.unwrap().default(1000),
    warehouse_id: QueryInt.optional(),
  }),
  answers: {
    200: paged(
      "cycle_counts",
      z.strictObject({
        count_id: Id,
        bin_code: z.string(),
        status: z.string(),
        assigned_to: z.string().nullable(),
        created_at: Time,
        completed_at: Time.nullable(),
        lines: z.array(
          z.strictObject({
            count_line_id: Id,
            sku: z.string(),
            item_name: z.string(),
            expected_quantity: Units,
            counted_quantity: Units.nullable(),
            unexpected: z.boolean(),
            variance: Units.nullable(),
          }),
        ),
      }),
    ),
  },
  run: ({ query, by }) => cycleCounts(query, scopeOf(by)),
});
