import { z } from "zod";
import { scopeOf } from "../src/actor.js";
import { InvalidFields, RangeTooLarge } from "../src/dashboard/problems.js";
import { metrics, productivity } from "../src/dashboard/productivity.js";
import { rangeOf } from "../src/dashboard/range.js";
import { Day, Id, QueryInt, Text, Units } from "./fields.js";
import { page, route } from "./route.js";

/** Who did how much: spec 4.6, reference 07 §10. */

const Metric = z.enum(metrics);
const Counts = z.strictObject({
  picking: Units,
  packing: Units.optional().describe("Only while orders are packed"),
  shipped: Units,
  received_skus: Units,
  putaway_skus: Units,
} satisfies Record<z.output<typeof Metric>, z.ZodType>);

export const readProductivity = route("get /api/v1/dashboard/productivity", {
  for: page("dashboard"),
  summary:
    "Who did how much from one day to another, at most 90 days; both are required. Kept for a minute",
  query: z.object({
    start: Text(32, "2026-05-01").optional(),
    end: Text(32, "2026-05-06").optional(),
    warehouse_id: QueryInt.optional(),
  }),
  answers: {
    200: z.strictObject({
      range: z.strictObject({ start: Day, end: Day }),
      warehouse_id: Id.nullable(),
      events_visible: z.array(Metric),
      users: z.array(
        z.strictObject({
          user_id: Id.nullable(),
          username: z.string(),
          display_name: z.string(),
          metrics: Counts,
          total: Units,
        }),
      ),
      totals_per_event: Counts,
    }),
  },
  errors: [InvalidFields, RangeTooLarge],
  run: async ({ query: { start, end, warehouse_id }, by }) => {
    const range = rangeOf(start, end, (field, msg, missing) =>
      InvalidFields(
        {},
        {
          details: [
            { type: missing ? "missing" : "value_error", loc: [field], msg },
          ],
        },
      ),
    );
    const warehouses = warehouse_id ? [warehouse_id] : scopeOf(by);
    return {
      range,
      warehouse_id: warehouse_id ?? null,
      ...(await productivity(range, warehouses)),
    };
  },
});
