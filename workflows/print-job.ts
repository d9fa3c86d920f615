import * as wf from "@temporalio/workflow";
import type * as rows from "../activities/printing/attempt.js";
import type * as jobs from "../activities/printing/jobs.js";
import { FAULT } from "../src/platform/temporal/failures.js";
import { warehouseAttributes } from "../src/platform/temporal/search-attributes.js";
import { PRINT_ATTEMPTS, type PrintActivities, type PrintEnded, type PrintSummary } from "../src/printing/workflow.js";
import { databaseActivities } from "./database-activities.js";
import { type Retried, type RetryEnding, retry } from "./retry.js";

export interface PrintEnd {
  job_id: number;
  ended: PrintEnded;
}

// Drawing, sending and watching have limits of their own, of a minute and a half together.
const { attemptPrint } = wf.proxyActivities<PrintActivities>({
  startToCloseTimeout: "3m",
  heartbeatTimeout: "10s",
  retry: { initialInterval: "1s", maximumInterval: "10s", nonRetryableErrorTypes: [FAULT] },
});

const { describePrint } = databaseActivities<Pick<typeof rows, "describePrint">>({
  describePrint: "Reads what is to be printed",
});
const { giveUpPrint } = databaseActivities<Pick<typeof jobs, "giveUpPrint">>({
  giveUpPrint: "Gives it up for the Temporal UI",
});

/** The job was cancelled, or is to be printed again: look at its row instead of waiting on. */
export const changed = wf.defineSignal("changed");

/**
 * Sends something to a printer: six attempts, with timers between, of a quarter of an hour in the end. What the printer
 * may have printed is not sent again; then it fails, and somebody looks.
 */
export async function printJob(job_id: number): Promise<PrintEnd> {
  const ended = await retry(
    () => describePrint(job_id),
    (summary) => printed(job_id, summary),
    changed,
  );
  return { job_id, ended };
}

function printed(job_id: number, { what, printer_name: name, ...of }: PrintSummary): Retried<PrintEnded> {
  /** What the last attempt said. */
  let said = "";
  return {
    title: what,
    ...{ name, what, undone: `${name} has not printed ${what} yet` },
    behind: "other jobs go on",
    waiting: "waits for its next attempt",
    mend: `mend the cause, then have it printed again: POST /api/printing/jobs/${job_id}/again`,
    stage: "printing",
    attributes: warehouseAttributes(of),
    attempts: PRINT_ATTEMPTS,
    failure: "somebody asked for it",
    counted: {
      first: of.attempts + 1,
      summary: (attempt) => `Attempt ${attempt} of ${PRINT_ATTEMPTS}: prints ${what} on ${name}`,
      during: (attempt) => ({
        where: `is sent to ${name}: attempt ${attempt} of ${PRINT_ATTEMPTS}`,
        next: attempt < PRINT_ATTEMPTS ? "another attempt, should this one fail" : "this is the last attempt",
      }),
    },
    // Somebody may have it printed again while it ends.
    resumes: true,
    async attempt(summary, attempt) {
      const { why, ...came } = await attemptPrint.executeWithOptions({ summary }, [job_id]);
      said = why ?? "";
      return { ...came, ...(came.next && { failure: `attempt ${attempt} failed: ${why}` }) };
    },
    async giveUp(commandId) {
      const { ended, why } = await giveUpPrint(job_id, commandId);
      said = why ?? "";
      return ended;
    },
    ending: (ended) => ending(ended, { job_id, what, name, said }),
  };
}

function ending(
  ended: PrintEnded,
  { job_id, what, name, said }: { job_id: number; what: string; name: string; said: string },
): RetryEnding {
  if (ended === "printed") return { ended: "printed", why: `${name} took it`, next: "nothing" };
  if (ended === "failed")
    return {
      ended: "failed",
      why: said,
      next: `mend the cause, then have it printed again: POST /api/printing/jobs/${job_id}/again`,
      failure: ["PrintFailed", `${name} did not print ${what}`],
    };
  const why = ended === "gone" ? "its printer was deleted" : "somebody cancelled it";
  return { ended: "stopped", why, next: "nothing: it is not printed" };
}
