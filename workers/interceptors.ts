import {
  ApplicationFailure,
  ApplicationFailureCategory,
} from "@temporalio/common";
import type { ActivityInboundCallsInterceptor } from "@temporalio/worker";
import { DomainError } from "../src/problem.js";

/** A refusal ends the activity for good and travels to the caller as it is; anything else is retried by the engine. */
export const refusals: ActivityInboundCallsInterceptor = {
  async execute(input, next) {
    try {
      return await next(input);
    } catch (error) {
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
