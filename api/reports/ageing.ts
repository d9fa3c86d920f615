import { z } from "zod";
import { shownWarehouses } from "../../src/platform/actor.js";
import * as field from "../../src/platform/fields/index.js";
import { ageing } from "../../src/reports/dashboard/ageing.js";
import { Ageing } from "../../src/reports/dashboard/shapes.js";
import { page, route } from "../http/route.js";

/** How old what is there is. */

export const getAgeing = route("get /api/v1/dashboard/ageing", {
  for: page("dashboard"),
  summary: "How old open orders are, and for how long stock has lain undisturbed. Cached for a minute",
  query: z.object({ warehouse_id: field.WarehouseIdParam.optional() }),
  answers: { 200: Ageing },
  run: ({ query, by }) => ageing(query.warehouse_id ? [query.warehouse_id] : shownWarehouses(by)),
});
