import { z } from "zod";
import { shownWarehouses } from "../../src/platform/actor.js";
import * as field from "../../src/platform/fields/index.js";
import { Dashboard } from "../../src/reports/dashboard/shapes.js";
import { dashboard } from "../../src/reports/dashboard/summary.js";
import { route, signedIn } from "../http/route.js";

/** The dashboard of the panel: docs/interface.md, Dashboards. */

export const getDashboard = route("get /api/admin/dashboard", {
  for: signedIn,
  summary: "Counts of open work, and the latest activity, in the warehouses of the caller",
  query: z.object({ warehouse_id: field.WarehouseIdParam.optional() }),
  answers: { 200: Dashboard },
  run: ({ query: { warehouse_id }, by }) => dashboard(warehouse_id ? [warehouse_id] : shownWarehouses(by)),
});
