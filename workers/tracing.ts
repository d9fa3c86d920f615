import { Context } from "@temporalio/activity";
import type { ActivityInboundCallsInterceptor, InjectedSinks } from "@temporalio/worker";
import { parentIn } from "../src/platform/temporal/trace-header.js";
import { inSpanFrom, isTracing, recordSpan } from "../src/platform/tracing/tracing.js";
import type { TraceSinks } from "../workflows/tracing.js";

/** A span of each attempt of an activity, under the workflow's span where there is one. */
export const tracedActivity: ActivityInboundCallsInterceptor = {
  execute(input, next) {
    if (!isTracing()) return next(input);
    const { activityType, attempt, workflowExecution } = Context.current().info;
    const attributes = { "temporal.workflow.id": workflowExecution?.workflowId, "temporal.attempt": attempt };
    return inSpanFrom(parentIn(input.headers), `activity ${activityType}`, attributes, () => next(input));
  },
};

/** The spans that workflows have ended; a replay reports none again. */
export const traceSinks: InjectedSinks<TraceSinks> = {
  traces: {
    ended: {
      fn: ({ workflowId, runId }, span) =>
        recordSpan(span, { "temporal.workflow.id": workflowId, "temporal.run.id": runId }),
      callDuringReplay: false,
    },
  },
};
