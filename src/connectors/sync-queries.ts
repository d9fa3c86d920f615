import { z } from "zod";
import { bool, int, text, time } from "../platform/db/columns.js";
import { db } from "../platform/db/db.js";
import { builder, type Page } from "../platform/db/list.js";
import { listPage } from "../platform/db/listing.js";
import { type SyncType, syncTypes } from "./connector.js";
import { type SyncKey, syncWorkflowId } from "./sync.js";
import { RefusedRecord, refusedList, SyncRunRecord, SyncState, SyncTypeName, syncRunList } from "./sync-shapes.js";

const Key = { connector: text, warehouse_id: int, sync_type: SyncTypeName };

/** Syncs that hold their row, with their workflows; for the job `reconcile`. */
export const runningSyncs = (): Promise<(SyncKey & { workflow_id: string })[]> =>
  db.rows(
    { ...Key, workflow_id: text },
    `select connector_name as connector, warehouse_id, sync_type, workflow_id
     from sync_state where sync_status = 'running' order by running_since`,
  );

/** The records that a connector could not write for a warehouse, newest first. */
export function refusedRecords(filter: Omit<SyncKey, "sync_type"> & { sync_type?: SyncType } & Page) {
  const { connector, warehouse_id, sync_type, ...page } = filter;
  const query = builder("connector_refusals")
    .select(
      { connector: "connector_name" },
      ...["warehouse_id", "sync_type", "external_id", "external_version", "error_kind", "error_message", "attempts"],
      ...["first_refused_at", "last_refused_at"],
    )
    .where({ connector_name: connector, warehouse_id })
    .orderBy([{ column: "last_refused_at", order: "desc" }, { column: "sync_type" }, { column: "external_id" }]);
  if (sync_type) query.where({ sync_type });
  return listPage(RefusedRecord, "refused_records", query, page, refusedList);
}

/** The runs of a connector's syncs for a warehouse, the newest first. */
export function syncRuns(filter: Omit<SyncKey, "sync_type"> & { sync_type?: SyncType; status?: string } & Page) {
  const { connector, warehouse_id, sync_type, status, ...page } = filter;
  const query = builder("sync_runs")
    .select(
      { connector: "connector_name" },
      ...["run_id", "warehouse_id", "sync_type", "status", "started_at", "ended_at"],
      ...["pages", "read", "written", "known", "refused", "failures", "error_message", "workflow_id"],
    )
    .where({ connector_name: connector, warehouse_id })
    .orderBy([{ column: "started_at", order: "desc" }, { column: "run_id" }]);
  if (sync_type) query.where({ sync_type });
  if (status) query.where({ status });
  return listPage(SyncRunRecord, "sync_runs", query, page, syncRunList);
}

/** The schedule of each type of records. */
export const ScheduleRow = z.strictObject({
  ...Key,
  interval_minutes: int.nullable(),
  enabled: bool,
  updated_at: time,
});
export type ScheduleRow = z.infer<typeof ScheduleRow>;

const SCHEDULE = "connector_name as connector, warehouse_id, sync_type, interval_minutes, enabled, updated_at";

export const scheduleRows = (): Promise<ScheduleRow[]> =>
  db.rows(ScheduleRow, `select ${SCHEDULE} from connector_schedules order by connector_name, warehouse_id, sync_type`);

export const schedulesOf = (connector: string, warehouseId: number): Promise<ScheduleRow[]> =>
  db.rows(ScheduleRow, `select ${SCHEDULE} from connector_schedules where connector_name = $1 and warehouse_id = $2`, [
    connector,
    warehouseId,
  ]);

const SyncStatesRow = SyncState.omit({ workflow_id: true });

/** The state of each sync type, also of those that were never synced. */
export async function syncStates(connector: string, warehouse_id: number): Promise<SyncState[]> {
  const rows = await db.rows(
    SyncStatesRow,
    `select $1 as connector_name, $2::int as warehouse_id, sync_type, coalesce(sync_status, 'idle') as sync_status,
       last_synced_at, last_success_at, last_error_at, last_error_message,
       coalesce(consecutive_errors, 0) as consecutive_errors
     from unnest($3::text[]) as t (sync_type)
     left join (select * from sync_state where connector_name = $1 and warehouse_id = $2) s using (sync_type)
     order by sync_type`,
    [connector, warehouse_id, syncTypes],
  );
  return rows.map((row) => ({
    ...row,
    workflow_id: syncWorkflowId({ connector, warehouse_id, sync_type: row.sync_type }),
  }));
}
