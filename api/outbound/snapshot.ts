import { z } from "zod";
import { beginScan, readScan } from "../../activities/outbound/snapshot.js";
import { QueryInt, QueryLimit } from "../../src/fields.js";
import { ScopeViolation } from "../../src/outbound/polling/problems.js";
import { cursorText, readCursor } from "../../src/outbound/snapshot/cursor.js";
import {
  CursorScopeViolation,
  InvalidCursor,
  SnapshotExpired,
  SnapshotInFlight,
} from "../../src/outbound/snapshot/problems.js";
import { Snapshot } from "../../src/outbound/snapshot/shapes.js";
import { outbound, route } from "../http/route.js";

/** The inventory of a warehouse as of one moment, page by page: spec 4.9, reference 04 §3.4. */

export const inventorySnapshot = route("get /api/v1/snapshot/inventory", {
  for: outbound("snapshot.inventory"),
  summary: "A page of a warehouse's inventory as of one moment; without cursor the first one",
  query: z.object({
    warehouse_id: QueryInt,
    cursor: z.string().max(2048).optional().describe("The next_cursor of the page before."),
    limit: QueryLimit(2000).default(500),
  }),
  answers: { 200: Snapshot },
  errors: [ScopeViolation, InvalidCursor, CursorScopeViolation, SnapshotExpired, SnapshotInFlight],
  run: async ({ query: { warehouse_id, cursor, limit }, token }) => {
    if (!token.warehouse_ids.includes(warehouse_id)) throw ScopeViolation({}, { field: "warehouse_id" });
    const who = { token_id: token.token_id, warehouse_id };
    const { scan_id, after } = cursor === undefined ? { scan_id: await beginScan(who), after: 0 } : readCursor(cursor);
    const page = await readScan(scan_id, after, limit, who);
    const isLast = page.rows.length < limit;
    const next_cursor = isLast ? null : cursorText({ scan_id, after: after + limit });
    return { ...page, next_cursor };
  },
});
