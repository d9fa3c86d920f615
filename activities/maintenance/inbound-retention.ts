import { type Resource, resources } from "../../src/auth/tokens/scope.js";
import { int } from "../../src/platform/db/columns.js";
import { db } from "../../src/platform/db/db.js";
import { cleanupRun } from "./cleanup-run.js";

const BATCH = 2_000;

/**
 * Deletes the payloads of senders, resource by resource, once they are older than the configured days; the records
 * stay. Each resource leaves a row in `inbound_cleanup_runs`, and one that fails does not stop the others. Returns how
 * many payloads of each were deleted.
 */
export async function clearPayloads(days: number): Promise<Partial<Record<Resource, number>>> {
  const cleared: Partial<Record<Resource, number>> = {};
  let failure: unknown;
  for (const resource of resources) {
    try {
      cleared[resource] = await clearResource(resource, days);
    } catch (error) {
      failure = error;
    }
  }
  if (failure) throw failure;
  return cleared;
}

async function clearResource(resource: Resource, days: number): Promise<number> {
  const run = await db.row(
    { run_id: int },
    `with lost as (
       update inbound_cleanup_runs set status = 'failed', finished_at = now(), error_message = 'It was cut off'
       where resource = $1 and status = 'running'
     )
     insert into inbound_cleanup_runs (resource, retention_days) values ($1, $2) returning run_id`,
    [resource, days],
  );
  const runId = run?.run_id as number;
  const clear = () => clearBatch(resource, days, runId);
  return cleanupRun("inbound_cleanup_runs", runId, clear, BATCH);
}

/** The oldest first. They are counted in the run's row in the same transaction. */
async function clearBatch(resource: Resource, days: number, runId: number): Promise<number> {
  const cleared = await db.row(
    { n: int },
    `with cleared as (
       update inbound_${resource} set source_payload = null
       where inbound_id in (select inbound_id from inbound_${resource}
                            where source_payload is not null and received_at < now() - make_interval(days => $1)
                            order by received_at limit $2)
       returning inbound_id
     ), counted as (
       update inbound_cleanup_runs set rows_nullified = rows_nullified + (select count(*) from cleared)
         where run_id = $3
     )
     select count(*) as n from cleared`,
    [days, BATCH, runId],
  );
  return cleared?.n as number;
}

/** Deletes old refusals; returns how many. */
export async function forgetRefusals(days: number): Promise<number> {
  let total = 0;
  for (let n = BATCH; n === BATCH; total += n)
    n = await db.run(
      `delete from inbound_refusals where refusal_id in
         (select refusal_id from inbound_refusals where received_at < now() - make_interval(days => $1)
          order by received_at limit $2)`,
      [days, BATCH],
    );
  return total;
}

/** Deletes refused records of connectors that no sync could write in all this time; returns how many. */
export function forgetRefusedRecords(days: number): Promise<number> {
  return db.run("delete from connector_refusals where first_refused_at < now() - make_interval(days => $1)", [days]);
}
