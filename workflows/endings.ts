import { ApplicationFailure, ApplicationFailureCategory } from "@temporalio/common";
import { CancellationScope } from "@temporalio/workflow";
import { innermost } from "../src/platform/temporal/details.js";
import { FAULT } from "../src/platform/temporal/failures.js";
import { isFault } from "./database-activities.js";

/** Runs work that a cancellation of the workflow must not interrupt: otherwise it could stop within an activity. */
export const uninterrupted = <T>(run: () => Promise<T>): Promise<T> => CancellationScope.nonCancellable(run);

/** A failure that is no fault of the service: people see it in the list, and no alarm is raised. */
export function businessFailure(type: string, message: string): ApplicationFailure {
  const category = ApplicationFailureCategory.BENIGN;
  const failure = ApplicationFailure.create({ message, type, nonRetryable: true, category });
  // A stack means nothing to the people who read the reason.
  failure.stack = "";
  return failure;
}

export const refusal = (why: string): ApplicationFailure => businessFailure("Refused", why);

/** The next step after a fault: the job `reconcile` runs every minute. */
export const AFTER_FAULT = "the fault is mended; until then it is tried again every minute, from its row";

/**
 * Runs a process that continues from its row. At a fault it fails, so that the list shows it with the reason; its row
 * stays as it is, and the job `reconcile` starts it again.
 * @param what What has not been done; printed before the reason.
 * @param tell Shows that it has ended, and why.
 */
export async function endAtFault<T>(what: string, run: () => Promise<T>, tell: (why: string) => void): Promise<T> {
  try {
    return await run();
  } catch (error) {
    if (!isFault(error)) throw error;
    const why = (innermost(error) as Error).message;
    tell(why);
    throw ApplicationFailure.create({ message: `${what}: ${why}`, type: FAULT, nonRetryable: true });
  }
}
