import { int } from "../../src/platform/db/columns.js";
import { db } from "../../src/platform/db/db.js";
import { cleanupRun } from "./cleanup-run.js";

/**
 * Runs a maintenance job and records it in `hygiene_runs`, where runs are kept as long as deliveries. `clear` is called
 * as long as it returns a whole batch. Returns how many rows were changed.
 */
export async function hygieneRun(
  job: string,
  clear: () => Promise<number>,
  batch = Number.POSITIVE_INFINITY,
): Promise<number> {
  const run = await db.row(
    { run_id: int },
    `with lost as (
       update hygiene_runs set status = 'failed', finished_at = now(), error_message = 'It was cut off'
       where job = $1 and status = 'running'
     ), old as (
       delete from hygiene_runs where job = $1 and started_at < now() - interval '90 days' and status <> 'running'
     )
     insert into hygiene_runs (job) values ($1) returning run_id`,
    [job],
  );
  const runId = run?.run_id as number;
  const counted = async () => {
    const n = await clear();
    await db.run("update hygiene_runs set rows_changed = rows_changed + $2 where run_id = $1", [runId, n]);
    return n;
  };
  return cleanupRun("hygiene_runs", runId, counted, batch);
}
