import type { WorkflowClientInterceptor } from "@temporalio/client";
import { currentSpan } from "../tracing/tracing.js";
import { withParent } from "./trace-header.js";

/**
 * Passes the trace to workflows that are started and updated. Not with signals: those of several requests are sent as
 * one (api/http/workflow-signals.ts).
 */
export const traceClient: WorkflowClientInterceptor = {
  startWithDetails: (input, next) => next({ ...input, headers: withParent(input.headers, currentSpan()) }),
  startUpdate: (input, next) => next({ ...input, headers: withParent(input.headers, currentSpan()) }),
  startUpdateWithStart(input, next) {
    const parent = currentSpan();
    return next({
      ...input,
      workflowStartHeaders: withParent(input.workflowStartHeaders, parent),
      updateHeaders: withParent(input.updateHeaders, parent),
    });
  },
};
