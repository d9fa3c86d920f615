import { z } from "zod";
import { abandonScan, beginScan, readScan } from "../../activities/outbound/snapshot.js";
import {
  CursorScopeViolation,
  InvalidCursor,
  ScopeViolation,
  SnapshotExpired,
  SnapshotInFlight,
  SnapshotNotFound,
} from "../../src/outbound/problems.js";
import { cursorText, readCursor, Snapshot } from "../../src/outbound/snapshot/shapes.js";
import * as field from "../../src/platform/fields/index.js";
import { outbound, route } from "../http/route.js";

/** The inventory of a warehouse as of one moment, page by page: docs/interface.md, Polling and Snapshot. */

const Cursor = z.string().max(2048);

export const snapshotInventory = route("get /api/v1/snapshot/inventory", {
  for: outbound("snapshot.inventory"),
  summary: "A page of a warehouse's inventory as of one moment; without cursor the first one",
  query: z.object({
    warehouse_id: field.WarehouseIdParam,
    cursor: Cursor.optional().meta({ description: "The next_cursor of the page before.", examples: ["MTIwMDoxMDAw"] }),
    limit: field.LimitParam.default(500),
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

export const abandonSnapshot = route("delete /api/v1/snapshot/inventory", {
  for: outbound("snapshot.inventory"),
  summary: "Ends the scan that the token is in the middle of, so that it may begin another one at once",
  query: z.object({
    cursor: Cursor.optional().meta({
      description: "A next_cursor of the scan that is meant: no other one is ended.",
      examples: ["MTIwMDoxMDAw"],
    }),
  }),
  answers: { 200: z.strictObject({ abandoned: z.boolean().describe("Whether there was such a scan.") }) },
  errors: [InvalidCursor, SnapshotNotFound],
  run: async ({ query: { cursor }, token }) => ({
    abandoned: await abandonScan(token.token_id, cursor === undefined ? null : readCursor(cursor).scan_id),
  }),
});
