import { db } from "../../src/platform/db/db.js";

/** The longest that one run takes; the next one continues where it stopped (docs/interface.md, Inbound). */
const LONGEST_MS = 600_000;

/** Tables with a row for each run of a cleanup job. */
type Runs = "hygiene_runs" | "inbound_cleanup_runs";

/**
 * Clears batches as long as they are full, and notes the outcome in the run's row. Returns how many rows were cleared.
 * @param clear Clears a batch and returns how many rows it had.
 */
export async function cleanupRun(
  runs: Runs,
  runId: number,
  clear: () => Promise<number>,
  batch: number,
): Promise<number> {
  const until = Date.now() + LONGEST_MS;
  const finish = (status: "succeeded" | "failed", message: string | null) =>
    db.run(`update ${runs} set status = $2, finished_at = now(), error_message = $3 where run_id = $1`, [
      runId,
      status,
      message,
    ]);
  try {
    let total = 0;
    for (let n = batch; n >= batch && Date.now() < until; total += n) n = await clear();
    await finish("succeeded", null);
    return total;
  } catch (error) {
    await finish("failed", String(error)).catch(() => {});
    throw error;
  }
}
