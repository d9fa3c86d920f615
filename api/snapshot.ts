import { z } from "zod";
import { beginScan, readScan } from "../activities/snapshot.js";
import { ScopeViolation } from "../src/polling/problems.js";
import { cursorText, readCursor } from "../src/snapshot/cursor.js";
import {
  CursorScopeViolation,
  InvalidCursor,
  SnapshotExpired,
  SnapshotInFlight,
} from "../src/snapshot/problems.js";
import { Id, LotNumber, QueryInt, WholeNumber } from "./fields.js";
import { outbound, route } from "./route.js";

/** The inventory of a warehouse as of one moment, page by page: spec 4.9, reference 04 §3.4. */

const ExternalId = z
  .string()
  .describe("As the source system calls it, else our UUID.")
  .meta({ examples: ["0190c3a2-7d1e-4b6a-9f53-2c8e4d5f6a7b"] });

const Snapshot = z.strictObject({
  snapshot_event_id: z
    .int()
    .nonnegative()
    .describe("The rows hold what all events up to this one did."),
  rows: z.array(
    z.strictObject({
      item_external_id: ExternalId,
      warehouse_id: Id,
      bin_external_id: ExternalId,
      quantity_on_hand: WholeNumber,
      quantity_allocated: WholeNumber,
      quantity_available: WholeNumber,
      lot_number: LotNumber.nullable(),
      serial_number: z.null(),
    }),
  ),
  next_cursor: z
    .string()
    .nullable()
    .describe("Gives the next page; null on the last one.")
    .meta({ examples: [null] }),
});

export const inventorySnapshot = route("get /api/v1/snapshot/inventory", {
  for: outbound("snapshot.inventory"),
  summary:
    "A page of a warehouse's inventory as of one moment; without cursor the first one",
  query: z.object({
    warehouse_id: QueryInt,
    cursor: z
      .string()
      .max(2048)
      .optional()
      .describe("The next_cursor of the page before."),
    limit: QueryInt.max(2000).default(500),
  }),
  answers: { 200: Snapshot },
  errors: [
    ScopeViolation,
    InvalidCursor,
    CursorScopeViolation,
    SnapshotExpired,
    SnapshotInFlight,
  ],
  run: async ({ query: { warehouse_id, cursor, limit }, token }) => {
    if (!token.warehouse_ids.includes(warehouse_id))
      throw ScopeViolation({}, { field: "warehouse_id" });
    const who = { token_id: token.token_id, warehouse_id };
    const { scan_id, after } =
      cursor === undefined
        ? { scan_id: await beginScan(who), after: 0 }
        : readCursor(cursor);
    const page = await readScan(scan_id, after, limit, who);
    const isLast = page.rows.length < limit;
    const next_cursor = isLast
      ? null
      : cursorText({ scan_id, after: after + limit });
    return { ...page, next_cursor };
  },
});
