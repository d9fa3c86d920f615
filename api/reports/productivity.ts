import { z } from "zod";
import { shownWarehouses } from "../../src/platform/actor.js";
import { clockOf } from "../../src/platform/db/days.js";
import * as field from "../../src/platform/fields/index.js";
import { productivity } from "../../src/reports/dashboard/productivity.js";
import { rangeOf } from "../../src/reports/dashboard/range.js";
import { DayRange, Productivity, TimeZoneOfDays } from "../../src/reports/dashboard/shapes.js";
import { InvalidFields, RangeTooLarge } from "../../src/reports/problems.js";
import { page, route } from "../http/route.js";

/** Work by user: docs/interface.md, Dashboards. */

export const getProductivityReport = route("get /api/v1/dashboard/productivity", {
  for: page("dashboard"),
  summary: "Who did how much from one day to another, at most 90 days; both are required. Cached for a minute",
  query: z.object({
    start: field.Start.optional(),
    end: field.End.optional(),
    warehouse_id: field.WarehouseIdParam.optional(),
  }),
  answers: {
    200: z.strictObject({
      ...{ range: DayRange, timezone: TimeZoneOfDays, warehouse_id: field.WarehouseId.nullable() },
      ...Productivity.shape,
    }),
  },
  errors: [InvalidFields, RangeTooLarge],
  run: async ({ query: { start, end, warehouse_id }, by }) => {
    const range = rangeOf(start, end, (field, msg, missing) =>
      InvalidFields({}, { details: [{ type: missing ? "missing" : "value_error", loc: [field], msg }] }),
    );
    const warehouses = warehouse_id ? [warehouse_id] : shownWarehouses(by);
    const { timezone } = await clockOf(warehouses);
    return {
      ...{ range, timezone, warehouse_id: warehouse_id ?? null },
      ...(await productivity(range, timezone, warehouses)),
    };
  },
});
