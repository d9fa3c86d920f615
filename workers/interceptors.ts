import { ApplicationFailure, ApplicationFailureCategory } from "@temporalio/common";
import type { ActivityInboundCallsInterceptor } from "@temporalio/worker";
import { refusedValue } from "../src/db/refused-value.js";
import { DomainError } from "../src/problem.js";

/** A refusal fails the activity without retries and is passed to the caller; any other error is retried by Temporal. */
export const refusals: ActivityInboundCallsInterceptor = {
  async execute(input, next) {
    try {
      return await next(input);
    } catch (thrown) {
      const error = refusedValue(thrown) ?? thrown;
      if (!(error instanceof DomainError)) throw error;
      const { message, kind, status, body } = error;
      throw ApplicationFailure.create({
        message,
        type: "DomainError",
        details: [kind, status, body],
        nonRetryable: true,
        category: ApplicationFailureCategory.BENIGN,
      });
    }
  },
};
