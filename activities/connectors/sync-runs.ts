import type { SyncType } from "../../src/connectors/connector.js";
import type { Counts, SyncRun } from "../../src/connectors/sync.js";
import { db } from "../../src/platform/db/db.js";
import type { Tx } from "../command.js";

/** The rows of `sync_runs`, which people see. The run itself depends on `sync_state` alone. */

type Begun = Pick<SyncRun, "run_id" | "connector" | "warehouse_id" | "sync_type" | "workflow_id" | "started_at">;

/** Inserts a new run, and marks the one that it took over from as ended. */
export async function beginRun(tx: Tx, run: Begun): Promise<void> {
  const { run_id, connector, warehouse_id, sync_type, workflow_id, started_at } = run;
  await endRunsOf(tx, connector, warehouse_id, sync_type);
  await tx.run(
    `insert into sync_runs (run_id, connector_name, warehouse_id, sync_type, workflow_id, started_at)
     values (:run_id, :connector, :warehouse_id, :sync_type, :workflow_id, :started_at)`,
    { run_id, connector, warehouse_id, sync_type, workflow_id, started_at },
  );
}

export async function endRun(tx: Tx, runId: string, status: "completed" | "failed" | "cancelled"): Promise<void> {
  await tx.run("update sync_runs set status = $2, ended_at = now() where run_id = $1 and status = 'running'", [
    runId,
    status,
  ]);
}

/** Ends the runs that no longer hold their row, of one type or of all. */
export async function endRunsOf(
  tx: Tx,
  connector: string,
  warehouseId: number,
  syncType: SyncType | null,
): Promise<void> {
  await tx.run(
    `update sync_runs set status = 'superseded', ended_at = now()
     where connector_name = $1 and warehouse_id = $2 and ($3::text is null or sync_type = $3) and status = 'running'`,
    [connector, warehouseId, syncType],
  );
}

/** Notes an attempt that failed. */
export async function noteFailure(tx: Tx, runId: string, message: string): Promise<void> {
  await tx.run("update sync_runs set failures = failures + 1, error_message = $2 where run_id = $1", [runId, message]);
}

/** Notes what a run waits for; that is not a failure. */
export const noteWait = (runId: string, message: string): Promise<number> =>
  db.run("update sync_runs set error_message = $2 where run_id = $1 and status = 'running'", [runId, message]);

/** Notes the progress of a run, as totals, so that a page that is read again counts once. */
export async function noteProgress(runId: string, pages: number, counts: Counts): Promise<void> {
  const { read, written, known, refused } = counts;
  await db.run(
    `update sync_runs set pages = :pages, read = :read, written = :written, known = :known, refused = :refused
     where run_id = :runId`,
    { runId, pages, read, written, known, refused },
  );
}

/** Deletes old runs; returns how many. */
export const forgetSyncRuns = (days: number): Promise<number> =>
  db.run("delete from sync_runs where started_at < now() - make_interval(days => $1) and status <> 'running'", [days]);
