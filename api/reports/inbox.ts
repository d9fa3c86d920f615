import { z } from "zod";
import { markInbox } from "../../activities/reports/inbox.js";
import { checkWarehouse } from "../../src/platform/actor.js";
import * as field from "../../src/platform/fields/index.js";
import { CappedLimit, QueryBool } from "../../src/platform/fields.js";
import { WarehouseDenied } from "../../src/platform/problem.js";
import { inbox, readerOf } from "../../src/reports/inbox/queries.js";
import { Inbox, InboxKind, InboxMark, InboxMarkChange, MOST_ENTRIES } from "../../src/reports/inbox/shapes.js";
import { InboxEntryNotFound, SnoozeOutOfRange } from "../../src/reports/problems.js";
import { route, signedIn } from "../http/route.js";

/** What needs a person now: docs/inbox.md. */

export const getInbox = route("get /api/admin/inbox", {
  for: signedIn,
  summary: "What needs a person now, of the kinds that the caller has the pages for",
  query: z.object({
    warehouse_id: field.WarehouseIdParam.optional(),
    kind: InboxKind.optional().describe("Only entries of this kind."),
    snoozed: QueryBool.optional().describe("The entries that are put off, instead of the others."),
    mine: QueryBool.optional().describe("Only entries that the caller has taken."),
    limit: CappedLimit(MOST_ENTRIES)
      .optional()
      .describe(`How many entries of each kind are named; more than ${MOST_ENTRIES} are taken as ${MOST_ENTRIES}.`),
  }),
  answers: { 200: Inbox },
  errors: [WarehouseDenied],
  run: ({ query: { warehouse_id, ...filter }, by }) => {
    if (warehouse_id !== undefined) checkWarehouse(by, warehouse_id);
    return inbox(readerOf(by, warehouse_id), filter);
  },
});

export const markInboxEntry = route("put /api/admin/inbox/mark", {
  for: signedIn,
  summary: "Takes an entry, gives it back, or puts it off for a while",
  body: InboxMarkChange,
  answers: { 200: InboxMark },
  errors: [InboxEntryNotFound, SnoozeOutOfRange],
  run: ({ body, by }) => markInbox(body, by),
});
