import { z } from "zod";
import { checkWarehouse } from "../../src/platform/actor.js";
import * as field from "../../src/platform/fields/index.js";
import { WarehouseDenied } from "../../src/platform/problem.js";
import { floorWork } from "../../src/reports/work/queries.js";
import { FloorWork } from "../../src/reports/work/shapes.js";
import { route, signedIn } from "../http/route.js";

/** The work that people on the floor can begin, for users without the panel's pages. */

export const getFloorWork = route("get /api/work", {
  for: signedIn,
  summary: "What waits on the floor of a warehouse, by function",
  query: z.object({ warehouse_id: field.WarehouseIdParam }),
  answers: { 200: FloorWork },
  errors: [WarehouseDenied],
  run: ({ query: { warehouse_id }, by }) => {
    checkWarehouse(by, warehouse_id);
    return floorWork(warehouse_id);
  },
});
