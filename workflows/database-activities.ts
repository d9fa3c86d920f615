import * as wf from "@temporalio/workflow";
import { DATABASE_BUSY, FAULT, REFUSAL } from "../src/platform/temporal/failures.js";

/** For local activities. An attempt in progress then ends; quick ones end with the eighth, after 4.5 s. */
export const WITHIN_5_S = {
  scheduleToCloseTimeout: "5s",
  retry: {
    ...{ initialInterval: "100ms", maximumInterval: "1s", maximumAttempts: 8 },
    nonRetryableErrorTypes: [FAULT, DATABASE_BUSY],
  },
} satisfies wf.LocalActivityOptions;

/**
 * Activities that write to the database, each with the summary that the Temporal UI shows. Each is tried in two ways.
 * As a local activity it is fast, but the UI shows nothing until it ends, so it has 5 s, less than a route waits. If it
 * has to wait longer, such as for a locked row, it continues as a normal activity, which the UI shows with its attempts
 * and the last failure. Refusals and faults are not tried again.
 */
export function databaseActivities<A extends wf.UntypedActivities>(
  summaries: {
    [Name in keyof A]?: string;
  },
): wf.ActivityInterfaceFor<A> {
  const attempt = (name: string, summary: string): Activity => {
    const fast = wf.proxyLocalActivities<wf.UntypedActivities>({ ...WITHIN_5_S, summary })[name] as Activity;
    const visible = wf.proxyActivities<wf.UntypedActivities>({
      startToCloseTimeout: "2m",
      retry: { initialInterval: "1s", maximumInterval: "10s", nonRetryableErrorTypes: [FAULT] },
      // A statement in progress in the database cannot be cancelled.
      cancellationType: wf.ActivityCancellationType.WAIT_CANCELLATION_COMPLETED,
      summary: `${summary}; waits for the database`,
    })[name] as Activity;
    return (...args) =>
      fast(...args).catch((error) => {
        if (!mayWait(error)) throw error;
        return visible(...args);
      });
  };
  const named = summaries as Record<string, string | undefined>;
  return new Proxy({} as wf.ActivityInterfaceFor<A>, {
    get: (_, name) => attempt(String(name), named[String(name)] ?? String(name)),
  });
}

type Activity = (...args: unknown[]) => Promise<unknown>;

/** Any failure of an activity, or its timeout, that is neither a refusal nor a fault. */
export function mayWait(error: unknown): boolean {
  return error instanceof wf.TemporalFailure && !wf.isCancellation(error) && ![REFUSAL, FAULT].includes(typeOf(error));
}

/** Whether an activity failed for a fault of the program or of the database. */
export const isFault = (error: unknown): boolean => typeOf(error) === FAULT;

/** Whether an activity was refused: the request is not allowed, or names something that does not exist. */
export const isRefusal = (error: unknown): boolean => typeOf(error) === REFUSAL;

/** A local activity's failure comes as it is, a normal activity's as the cause of an ActivityFailure. */
function typeOf(error: unknown): string {
  const failure = error instanceof wf.ActivityFailure ? error.cause : error;
  return (failure instanceof wf.ApplicationFailure && failure.type) || "";
}
