import { z } from "zod";
import * as field from "../../platform/fields/index.js";
import { AnyText, Moment, Text, Time } from "../../platform/fields.js";
import { list, type SortKey, withTies } from "../../platform/list.js";

/** The audit log: docs/interface.md, Audit. */

/** A moment, or a day by the clock of each row's warehouse; its year is one for which Postgres can add a day. */
const DayOrMoment = z
  .union([z.iso.date().refine((day) => day >= "0001" && day < "9999", "Not a date of this calendar"), Moment])
  .meta({ examples: ["2026-05-06"] });

/** One of these words; any other, which some clients send, is read as the first. */
const orUsual = <W extends string>(usual: W, ...others: W[]) =>
  z
    .string()
    .max(64)
    .default(usual)
    .transform((text) => others.find((word) => word === text) ?? usual)
    .describe(`${[usual, ...others].join(", ")}; anything else is taken as ${usual}.`);

const NEWEST: SortKey[] = [{ column: "a.created_at", order: "asc" }];

export const auditList = withTies(
  list("log_id", ...["log_id", "action_type", "entity_type", "entity_id", "user_id as username", "a.created_at"]),
  { action_type: NEWEST, user_id: NEWEST, entity_type: [{ column: "entity_id", order: "asc" }] },
);

/** From `start_date` to `end_date`; an end that is a day counts whole. */
export const AuditLogFilters = z.object({
  ...auditList.parameters,
  action_type: Text(50, "RECEIVE").optional().describe("What was done."),
  user_id: Text(150, "admin").optional().describe("Only what this user did, by username."),
  start_date: DayOrMoment.optional().describe("The first day."),
  end_date: DayOrMoment.optional().describe("The last day."),
  item_id: field.ItemIdParam.optional(),
  warehouse_id: field.WarehouseIdParam.optional(),
  sort_by: orUsual("created_at", "action_type", "user_id", "entity_type"),
  sort_direction: orUsual("desc", "asc"),
});
export type AuditLogFilters = z.infer<typeof AuditLogFilters>;

export const AuditLogEntry = z
  .strictObject({
    log_id: z.int().describe("Id of the entry of the log."),
    action_type: AnyText("RECEIVE").describe("What was done."),
    entity_type: AnyText("SO").describe("What kind of record."),
    entity_id: z.int().describe("Id of the record."),
    entity_name: AnyText("SO-1001").nullable().describe("Number or name of the record."),
    username: AnyText("ann").nullable().describe("Who did it."),
    actor_name: z
      .string()
      .nullable()
      .meta({
        description: "What people call them: a person, a token, a connector or a source; null for the service itself.",
        examples: ["Ada Lovelace"],
      }),
    device_id: AnyText("scanner-07").nullable().describe("The device that it was done with."),
    warehouse_id: field.WarehouseId.nullable(),
    warehouse_code: field.WarehouseCode.nullable(),
    details: z.record(z.string(), z.unknown()).nullable().describe("More about it."),
    created_at: field.CreatedAt,
  })
  .meta({ id: "AuditLogEntry", description: "A row of the audit log: who did what, to which record." });
export type AuditLogEntry = z.infer<typeof AuditLogEntry>;

const Hash = z.string().meta({ examples: ["497666d1f65680c6d21d44b4e9a89406b948dccc508859141843b75496c45989"] });

export const AuditSeal = z
  .strictObject({
    seal_no: z.int().nonnegative().describe("Number of the newest sealed row; they are numbered without gaps."),
    head: Hash.describe("Hash of that row, in hex, over itself and the hash of the row before it."),
    unsealed: z.int().nonnegative().describe("Rows that are sealed within the next moments."),
  })
  .meta({ id: "AuditSeal", description: "How far the audit log is sealed." });
export type AuditSeal = z.infer<typeof AuditSeal>;

export const SealedAuditLogEntry = z
  .strictObject({
    entry: AuditLogEntry,
    seal_no: z.int().nullable().describe("Its number in the chain of sealed rows; null as long as it is not sealed."),
    row_hash: Hash.nullable().describe("The hash that seals it, in hex."),
  })
  .meta({ id: "SealedAuditLogEntry", description: "A row of the audit log with its seal." });
export type SealedAuditLogEntry = z.infer<typeof SealedAuditLogEntry>;

export const Activity = z
  .strictObject({
    action: AnyText("RECEIVE").describe("What was done."),
    user: field.User.nullable(),
    detail: field.Detail,
    time: Time.describe("When it happened."),
  })
  .meta({ id: "Activity", description: "A row of the audit log in words." });
export type Activity = z.infer<typeof Activity>;
