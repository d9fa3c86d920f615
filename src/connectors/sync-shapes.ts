import { z } from "zod";
import * as field from "../platform/fields/index.js";
import { Text, Time, Units, WholeNumber } from "../platform/fields.js";
import { list } from "../platform/list.js";
import { syncTypes } from "./connector.js";
import { ConnectorName } from "./shapes.js";

/** Syncs, their schedules and refused records: docs/interface.md, Connectors. */

export const SyncTypeName = z.enum(syncTypes).meta({ description: "What is synced.", examples: ["orders"] });

export const StartedSync = z
  .strictObject({
    message: Text(200, "Sync started").describe("What was done, in words."),
    task_id: Text(200, "connector-sync-shopify-1-orders").describe("Id of the workflow, as in the Temporal UI."),
    connector: ConnectorName.describe("The connector, by its name."),
    warehouse_id: field.WarehouseId,
    sync_type: SyncTypeName,
  })
  .meta({ id: "StartedSync", description: "A sync that was started and goes on by itself." });

export const SyncReset = z
  .strictObject({
    message: Text(200, "Reset 1 sync(s)").describe("What was done, in words."),
    connector: ConnectorName.describe("The connector, by its name."),
    warehouse_id: field.WarehouseId,
    sync_type: SyncTypeName.nullable(),
    rows_reset: Units.describe("How many syncs were ended."),
  })
  .meta({ id: "SyncReset", description: "Which syncs were ended, so that others can be started." });

const Minutes = z
  .int()
  .min(1)
  .max(10_080)
  .meta({ description: "Minutes from one sync to the next; null where it is not synced by itself.", examples: [15] });

export const SyncSchedule = z
  .strictObject({
    sync_type: SyncTypeName,
    interval_minutes: Minutes.nullable(),
    enabled: z.boolean().describe("Whether the sync runs by itself."),
    last_run_at: Time.nullable().describe("When it began last; null for never, or where Temporal does not answer."),
    next_run_at: Time.nullable().describe("When it begins next; null where it is off, or Temporal does not answer."),
  })
  .meta({ id: "SyncSchedule", description: "How often a type of records is synced by itself." });
export type SyncSchedule = z.infer<typeof SyncSchedule>;

export const NewSyncSchedule = z
  .strictObject({
    warehouse_id: field.WarehouseId,
    sync_type: SyncTypeName,
    interval_minutes: Minutes.nullable(),
    enabled: z.boolean().optional().describe("Whether the sync runs by itself; it does unless said otherwise."),
  })
  .meta({ id: "SyncScheduleInput", description: "How often to sync a type of records; null for never." });
export type NewSyncSchedule = z.infer<typeof NewSyncSchedule>;

export const RefusedRecord = z
  .strictObject({
    connector: ConnectorName.describe("The connector, by its name."),
    warehouse_id: field.WarehouseId,
    sync_type: SyncTypeName,
    external_id: field.IdInSource,
    external_version: field.ExternalVersion,
    error_kind: Text(64, "cross_system_lookup_miss").describe("The kind of failure."),
    error_message: Text(500, "shopify-1 has not sent item 4711 yet").describe("Why it was refused, in words."),
    attempts: Units.describe("How often it was tried."),
    first_refused_at: Time.describe("When it was refused for the first time."),
    last_refused_at: Time.describe("When it was tried last."),
  })
  .meta({ id: "RefusedRecord", description: "A record that a sync could not write; the next one tries it again." });
export type RefusedRecord = z.infer<typeof RefusedRecord>;

export const refusedList = list(
  "refusal_id",
  ...["sync_type", "external_id", "error_kind", "attempts", "first_refused_at", "last_refused_at"],
);

const runStatuses = ["running", "completed", "failed", "cancelled", "superseded"] as const;
export const SyncRunStatus = z
  .enum(runStatuses)
  .meta({ description: "Only runs that ended so, or go on.", examples: ["completed"] });

export const SyncRunRecord = z
  .strictObject({
    run_id: z.guid().meta({ description: "Names the run.", examples: ["0190c3a2-7d1e-4b6a-9f53-2c8e4d5f6a7b"] }),
    connector: ConnectorName.describe("The connector, by its name."),
    warehouse_id: field.WarehouseId,
    sync_type: SyncTypeName,
    status: SyncRunStatus.describe("`superseded`: it was reset, or another run took over."),
    started_at: Time.describe("When it began."),
    ended_at: Time.nullable().describe("When it ended; null while it goes on."),
    pages: WholeNumber.describe("Pages that were read so far."),
    read: WholeNumber.describe("Records that the source has sent so far."),
    written: WholeNumber.describe("Records that were written."),
    known: WholeNumber.describe("Records that were here in this version already, or are of no concern."),
    refused: WholeNumber.describe("Records that could not be written; the next sync tries them again."),
    failures: WholeNumber.describe("Attempts that failed."),
    error_message: Text(500, "The source answered with HTTP status 502")
      .nullable()
      .describe("Why one failed last, or what was waited for."),
    workflow_id: Text(200, "connector-sync-shopify-1-orders").describe("Its workflow, as in the Temporal UI."),
  })
  .meta({ id: "SyncRun", description: "A run of a sync: how far it is, or how it ended." });
export type SyncRunRecord = z.infer<typeof SyncRunRecord>;

export const syncRunList = list(
  "run_id",
  ...["sync_type", "status", "started_at", "ended_at", "read", "written", "refused", "failures"],
);

export const SyncState = z
  .strictObject({
    connector_name: ConnectorName.describe("The connector, by name."),
    warehouse_id: field.WarehouseId,
    sync_type: SyncTypeName,
    sync_status: z
      .enum(["idle", "running", "error"])
      .describe("Whether a run is under way; `error` from the third failure in a row on."),
    last_synced_at: Time.nullable().describe("When the last run ended; null before the first one."),
    last_success_at: Time.nullable().describe("When a run last ended without a failure."),
    last_error_at: Time.nullable().describe("When a run last failed."),
    last_error_message: Text(500, "The source answered with HTTP status 502")
      .nullable()
      .describe("Why it failed, in words; the newest failure, also when a run succeeded since."),
    consecutive_errors: WholeNumber.describe("Failed attempts since the last success."),
    workflow_id: Text(200, "connector-sync-shopify-1-orders").describe(
      "The workflow of its syncs, as in the Temporal UI.",
    ),
  })
  .meta({ id: "ConnectorSyncState", description: "How the last sync of a type went, and whether one is under way." });
export type SyncState = z.infer<typeof SyncState>;
