import { z } from "zod";
import { scopeOf } from "../src/actor.js";
import { auditLog } from "../src/audit/queries.js";
import { Id, Paging, paged, QueryInt, Text, Time } from "./fields.js";
import { page, route } from "./route.js";

/** The audit log: spec 4.6, reference 03 §7. */

/** A day, or a moment with its offset, of a year that Postgres and the calendar both have a next day for. */
const Moment = z
  .union([z.iso.date(), z.iso.datetime({ offset: true })])
  .refine(
    (text) => text >= "0001" && text < "9999",
    "Not a date of this calendar",
  )
  .meta({ examples: ["2026-05-06"] });

export const listAuditLog = route("get /api/admin/audit-log", {
  for: page("audit-log"),
  summary: "Who did what, newest first",
  query: z.object({
    ...Paging,
    action_type: Text(50, "RECEIVE").optional(),
    user_id: Text(150, "admin").optional(),
    start_date: Moment.optional(),
    end_date: Moment.optional(),
    item_id: QueryInt.optional(),
    sort_by: z
      .enum(["created_at", "action_type", "user_id", "entity_type"])
      .default("created_at"),
    sort_direction: z.enum(["asc", "desc"]).default("desc"),
  }),
  answers: {
    200: paged(
      "entries",
      z.strictObject({
        log_id: z.int(),
        action_type: z.string(),
        entity_type: z.string(),
        entity_id: z.int(),
        entity_name: z.string().nullable(),
        username: z.string().nullable(),
        device_id: z.string().nullable(),
        warehouse_id: Id.nullable(),
        warehouse_code: z.string().nullable(),
        details: z.record(z.string(), z.unknown()).nullable(),
        created_at: Time,
      }),
    ),
  },
  run: ({ query, by }) => auditLog(query, scopeOf(by)),
});
