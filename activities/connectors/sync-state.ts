import { randomUUID } from "node:crypto";
import { ApplicationFailure } from "@temporalio/common";
import type { SyncType } from "../../src/connectors/connector.js";
import { SyncRunning } from "../../src/connectors/problems.js";
import { RUN_LOST, type SyncKey, type SyncRun } from "../../src/connectors/sync.js";
import type { Actor } from "../../src/platform/actor.js";
import { text, time } from "../../src/platform/db/columns.js";
import { db } from "../../src/platform/db/db.js";
import { systemActor } from "../../src/platform/system-actor.js";
import { command, type Tx } from "../command.js";
import { lockWarehouse } from "./lock-warehouse.js";
import { beginRun, endRun, endRunsOf, noteFailure } from "./sync-runs.js";

/**
 * The state of syncs (docs/interface.md, Connectors). A run holds its row as long as the row has its run id. A run that
 * was reset, or that another one took over from after an hour, finds another id and writes nothing more.
 */

const KEY = "connector_name = :connector and warehouse_id = :warehouse_id and sync_type = :sync_type";

/**
 * The source's clock may be off, and changes may become visible late: so each run reads the end of the last one again.
 */
export const OVERLAP = "5 minutes";
const TAKEN_OVER_AFTER = "1 hour";

/** Takes the row for a new run; 409 while another run holds it that is less than an hour old. */
export function claimSync(key: SyncKey, workflowId: string, by: Actor): Promise<SyncRun> {
  return command("connectors.startSync", by, key, async (tx) => {
    const run = await claim(tx, key, workflowId, by);
    const { connector, warehouse_id, sync_type } = key;
    tx.audit({
      ...{ action: "SYNC_START", entity: "CONNECTOR", entityId: warehouse_id, warehouseId: warehouse_id },
      details: { connector, sync_type },
    });
    return run;
  });
}

/** The same for a scheduled run; without an audit row, as it may start each minute. */
export function claimScheduledSync(key: SyncKey, workflowId: string, runId: string): Promise<SyncRun> {
  const by = systemActor(`sync:${runId}`);
  return command("connectors.startScheduledSync", by, key, (tx) => claim(tx, key, workflowId, by));
}

const ClaimRow = { started_at: time, since: text.nullable() };

async function claim(tx: Tx, key: SyncKey, workflow_id: string, by: Actor): Promise<SyncRun> {
  const { connector, warehouse_id, sync_type } = key;
  const run_id = randomUUID();
  const warehouse = await lockWarehouse(tx, warehouse_id, by);
  const claimed = await tx.row(
    ClaimRow,
    `insert into sync_state as s
       (connector_name, warehouse_id, sync_type, sync_status, running_since, run_id, workflow_id)
     values (:connector, :warehouse_id, :sync_type, 'running', clock_timestamp(), :run_id, :workflow_id)
     on conflict (connector_name, warehouse_id, sync_type) do update
     set sync_status = 'running', running_since = excluded.running_since, run_id = excluded.run_id,
         workflow_id = excluded.workflow_id
     where s.sync_status <> 'running' or s.running_since < now() - interval '${TAKEN_OVER_AFTER}'
     returning watermark - interval '${OVERLAP}' as since, running_since as started_at`,
    { ...key, run_id, workflow_id },
  );
  if (!claimed) throw SyncRunning({}, { connector, warehouse_id, sync_type });
  await beginRun(tx, { ...key, run_id, workflow_id, started_at: claimed.started_at });
  return { ...key, run_id, workflow_id, ...warehouse, ...claimed };
}

const HeldSyncRow = { warehouse_code: text, run_id: text, started_at: time, since: text.nullable() };

/** The run that holds the row of a workflow which was lost and is started again; null if there is none. */
export async function heldSync(key: SyncKey, workflow_id: string): Promise<SyncRun | null> {
  const held = await db.row(
    HeldSyncRow,
    `select run_id, warehouse_code, watermark - interval '${OVERLAP}' as since, running_since as started_at
     from sync_state join warehouses using (warehouse_id) where ${KEY} and workflow_id = :workflow_id`,
    { ...key, workflow_id },
  );
  return held ? { ...key, ...held, workflow_id } : null;
}

/** Throws `RunLost` unless the run still holds its row. */
export async function checkHeld(run: SyncRun): Promise<void> {
  const held = await db.row({}, `select from sync_state where ${KEY} and run_id = :run_id`, { ...run });
  if (!held) throw runLost();
}

const runLost = () =>
  ApplicationFailure.create({ type: RUN_LOST, nonRetryable: true, message: "the run was reset or taken over" });

/** The columns that every end of a run sets: the row is free for the next run. */
const FREE = "running_since = null, run_id = null, workflow_id = null";

/** Ends a run that has read everything. `newest` is the newest change that it saw, by the source's clock. */
export function finishSync(run: SyncRun, newest: string | null): Promise<Held> {
  // A clock that runs ahead must not make the next run begin in the future.
  return change(
    run,
    "finish",
    { newest },
    `
    sync_status = 'idle', ${FREE}, last_synced_at = now(), last_success_at = now(), consecutive_errors = 0,
    watermark = greatest(watermark, least(:newest::timestamptz, :started_at::timestamptz))`,
    (tx) => endRun(tx, run.run_id, "completed"),
  );
}

/** Records a failed attempt; the run still holds its row. */
export function failAttempt(run: SyncRun, attempt: number, message: string): Promise<Held> {
  const error = message.slice(0, 500);
  return change(run, `fail:${attempt}`, { error }, FAILED, (tx) => noteFailure(tx, run.run_id, error));
}

/** Records the last failed attempt, which ends the run. */
export function failSync(run: SyncRun, message: string): Promise<Held> {
  const error = message.slice(0, 500);
  return change(
    run,
    "fail",
    { error },
    `
    ${FAILED}, ${FREE},
    sync_status = case when consecutive_errors + 1 >= ${ERRORS} then 'error' else 'idle' end`,
    async (tx) => {
      await noteFailure(tx, run.run_id, error);
      await endRun(tx, run.run_id, "failed");
    },
  );
}

/** Ends a run whose cancellation was requested; what it wrote stays. */
export const stopSync = (run: SyncRun): Promise<Held> =>
  change(run, "stop", {}, `sync_status = 'idle', ${FREE}`, (tx) => endRun(tx, run.run_id, "cancelled"));

/** Failures in a row from which on the status is `error` (docs/interface.md, Connectors). */
const ERRORS = 3;
const FAILED = `last_synced_at = now(), last_error_at = now(), last_error_message = :error,
    consecutive_errors = consecutive_errors + 1`;

/** Whether the run still held its row. */
interface Held {
  held: boolean;
}

function change(
  run: SyncRun,
  what: string,
  values: Readonly<Record<string, unknown>>,
  set: string,
  noteRun: (tx: Tx) => Promise<void>,
): Promise<Held> {
  return command("connectors.sync", systemActor(`${run.run_id}:${what}`), { run: run.run_id, what }, async (tx) => {
    const where = `${KEY} and run_id = :run_id`;
    const changed = await tx.run(`update sync_state set ${set} where ${where}`, { ...run, ...values });
    if (changed === 1) await noteRun(tx);
    return { held: changed === 1 };
  });
}

interface Freed {
  connector: string;
  warehouse_id: number;
  /** Null for all types. */
  sync_type: SyncType | null;
}

/**
 * Frees the rows of runs that hang (docs/interface.md, Connectors), of one type or of all; returns their workflows.
 * @param full Whether the next syncs read everything.
 */
export function resetSyncs(
  { connector, warehouse_id, sync_type }: Freed,
  full: boolean,
  by: Actor,
): Promise<{ workflow_ids: string[] }> {
  const input = { connector, warehouse_id, sync_type, ...(full && { full }) };
  return command("connectors.resetSync", by, input, async (tx) => {
    await lockWarehouse(tx, warehouse_id, by);
    const workflow_ids = await freeSyncs(tx, { connector, warehouse_id, sync_type }, { full });
    tx.audit({
      ...{ action: "SYNC_RESET", entity: "CONNECTOR", entityId: warehouse_id, warehouseId: warehouse_id },
      details: { connector, sync_type, rows_reset: workflow_ids.length, ...(full && { full }) },
    });
    return { workflow_ids };
  });
}

/** Ends the runs in progress, and with `full` forgets what was read before; returns the workflows of the runs. */
export async function freeSyncs(
  tx: Tx,
  { connector, warehouse_id, sync_type }: Freed,
  { full }: { full: boolean },
): Promise<string[]> {
  const which = "connector_name = $1 and warehouse_id = $2 and ($3::text is null or sync_type = $3)";
  const key = [connector, warehouse_id, sync_type];
  const reset = await tx.rows(
    { workflow_id: text },
    `with held as (
       select sync_type, workflow_id from sync_state
       where ${which} and sync_status = 'running' order by sync_type for update
     )
     update sync_state s set sync_status = 'idle', ${FREE} from held
     where connector_name = $1 and warehouse_id = $2 and s.sync_type = held.sync_type
     returning held.workflow_id`,
    key,
  );
  await endRunsOf(tx, connector, warehouse_id, sync_type);
  if (full) {
    await tx.run(`update sync_state set watermark = null where ${which}`, key);
    if (sync_type === null || sync_type === "inventory")
      await tx.run("delete from connector_stock where connector_name = $1 and warehouse_id = $2", key.slice(0, 2));
  }
  return reset.map(({ workflow_id }) => workflow_id);
}
