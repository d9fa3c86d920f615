import { z } from "zod";
import { checkWarehouse } from "../../src/platform/actor.js";
import * as field from "../../src/platform/fields/index.js";
import { QueryBool, QueryLimit } from "../../src/platform/fields.js";
import { WarehouseDenied } from "../../src/platform/problem.js";
import { floorWork } from "../../src/reports/work/queries.js";
import { FloorWork, MOST_NAMED } from "../../src/reports/work/shapes.js";
import { route, signedIn } from "../http/route.js";

/** The work that people on the floor can begin, for users without the panel's pages. */

export const getFloorWork = route("get /api/work", {
  for: signedIn,
  summary: "What waits on the floor of a warehouse, by function",
  query: z.object({
    warehouse_id: field.WarehouseIdParam,
    limit: QueryLimit(MOST_NAMED).optional().describe("How many of each are named."),
    mine: QueryBool.optional().describe("Counts only what the caller's functions are for: of others there is none."),
  }),
  answers: { 200: FloorWork },
  errors: [WarehouseDenied],
  run: ({ query: { warehouse_id, limit, mine }, by }) => {
    checkWarehouse(by, warehouse_id);
    return floorWork(warehouse_id, { limit, mineOf: mine ? by.userId : null });
  },
});
