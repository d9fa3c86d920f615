import { z } from "zod";
import { shownWarehouses } from "../../src/platform/actor.js";
import { clockOf } from "../../src/platform/db/days.js";
import * as field from "../../src/platform/fields/index.js";
import { DayText } from "../../src/platform/fields.js";
import { dayAtAGlance } from "../../src/reports/dashboard/day.js";
import { DayAtAGlance } from "../../src/reports/dashboard/shapes.js";
import { page, route } from "../http/route.js";

/** The start page of the console. */

export const getDay = route("get /api/v1/dashboard/day", {
  for: page("dashboard"),
  summary: "What was done hour by hour; today, when no day is given; with the orders that are late, held or wait",
  query: z.object({ warehouse_id: field.WarehouseIdParam.optional(), day: DayText.optional() }),
  answers: { 200: DayAtAGlance },
  run: async ({ query, by }) => {
    const warehouse_id = query.warehouse_id ?? null;
    const warehouses = warehouse_id ? [warehouse_id] : shownWarehouses(by);
    const { timezone, today } = await clockOf(warehouses);
    const day = query.day ?? today;
    return { day, timezone, warehouse_id, ...(await dayAtAGlance(day, timezone, warehouses)) };
  },
});
