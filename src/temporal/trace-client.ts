import type { WorkflowClientInterceptor } from "@temporalio/client";
import { placeInTrace } from "../monitoring/tracing.js";
import { withPlace } from "./trace-header.js";

/**
 * Tells workflows which trace they are started and updated from. Not with signals: those of several requests are sent
 * as one (api/http/workflow-signals.ts).
 */
export const traceClient: WorkflowClientInterceptor = {
  startWithDetails: (input, next) => next({ ...input, headers: withPlace(input.headers, placeInTrace()) }),
  startUpdate: (input, next) => next({ ...input, headers: withPlace(input.headers, placeInTrace()) }),
  startUpdateWithStart(input, next) {
    const place = placeInTrace();
    return next({
      ...input,
      workflowStartHeaders: withPlace(input.workflowStartHeaders, place),
      updateHeaders: withPlace(input.updateHeaders, place),
    });
  },
};
