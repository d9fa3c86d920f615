import { log } from "../../src/platform/log.js";
import { temporalClient } from "./workflow-updates.js";

const WITHIN_MS = 2_000;

/**
 * Asks Temporal about the schedule of a row, which the log names; undefined where it does not answer. A worker makes
 * the schedule as soon as Temporal is back (workers/row-schedules.ts).
 */
export async function temporally<T>(row: object, ask: () => Promise<T>): Promise<T | undefined> {
  try {
    return await temporalClient().withDeadline(Date.now() + WITHIN_MS, ask);
  } catch (err) {
    log.warn({ err, ...row }, "Temporal did not answer about a schedule");
    return undefined;
  }
}
