import { ApplicationFailure, ApplicationFailureCategory } from "@temporalio/common";
import { CancellationScope } from "@temporalio/workflow";

/** Runs what a cancellation of the workflow must not interrupt: it would come half-way through an activity. */
export const uninterrupted = <T>(run: () => Promise<T>): Promise<T> => CancellationScope.nonCancellable(run);

/** A failure that is no fault of the service: people see it in the list, and no alarm is raised. */
export function businessFailure(type: string, message: string): ApplicationFailure {
  const category = ApplicationFailureCategory.BENIGN;
  const failure = ApplicationFailure.create({ message, type, nonRetryable: true, category });
  // Lines of code say nothing to who reads the reason.
  failure.stack = "";
  return failure;
}

export const refusal = (why: string): ApplicationFailure => businessFailure("Refused", why);
