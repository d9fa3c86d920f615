import { db } from "../src/db.js";

/** The next run goes on where this one stopped (reference 05 §7). */
const LONGEST_MS = 600_000;

/**
 * Runs a job of maintenance and leaves a row of it in `hygiene_runs`, where runs are kept as long as deliveries. `clear` is asked
 * again as long as it gives a whole batch. Gives how many rows were changed.
 */
export async function hygieneRun(
  job: string,
  clear: () => Promise<number>,
  batch = Number.POSITIVE_INFINITY,
): Promise<number> {
  const run = await db.row<{ run_id: number }>(
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
  const until = Date.now() + LONGEST_MS;
  try {
    let total = 0;
    let n: number;
    do {
      n = await clear();
      total += n;
      await db.run(
        "update hygiene_runs set rows_changed = $2 where run_id = $1",
        [runId, total],
      );
    } while (n >= batch && Date.now() < until);
    await finish(runId, "succeeded", null);
    return total;
  } catch (error) {
    await finish(runId, "failed", String(error)).catch(() => {});
    throw error;
  }
}

async function finish(
  runId: number,
  status: "succeeded" | "failed",
  message: string | null,
): Promise<void> {
  await db.run(
    "update hygiene_runs set status = $2, finished_at = now(), error_message = $3 where run_id = $1",
    [runId, status, message],
  );
}
