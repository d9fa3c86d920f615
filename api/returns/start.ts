import { WorkflowIdConflictPolicy } from "@temporalio/client";
import type { Actor } from "../../src/platform/actor.js";
import { log } from "../../src/platform/log.js";
import { WORKFLOW_TASK_TIMEOUT } from "../../src/platform/temporal/connection.js";
import { returnWorkflowId } from "../../src/returns/workflow.js";
import type * as returns from "../../workflows/rma.js";
import { taskQueue, temporalClient } from "../http/workflow-updates.js";

const START_WITHIN_MS = 5_000;

/**
 * Starts the workflow of a return whose rows are committed, without waiting for it: a customer waits at the till. While
 * Temporal is unavailable, the job `reconcile` starts it.
 */
export function startReturnSoon(soId: number, by: Actor): void {
  const client = temporalClient();
  const workflowId = returnWorkflowId(soId);
  client
    .withDeadline(Date.now() + START_WITHIN_MS, () =>
      client.workflow.start<typeof returns.rma>("rma", {
        ...{ workflowId, taskQueue, args: [soId, by], workflowTaskTimeout: WORKFLOW_TASK_TIMEOUT },
        workflowIdConflictPolicy: WorkflowIdConflictPolicy.USE_EXISTING,
        staticSummary: `Return ${soId}, made at a till`,
      }),
    )
    .catch((err) => log.warn({ err, workflowId }, "the workflow of a return is not started yet"));
}

/**
 * Signals the workflow of a return that its rows were changed without a step of it, so that it reads them again; if it
 * has ended, it is started again. While Temporal is unavailable, the job `reconcile` does it.
 */
export function tellReturn(soId: number, by: Actor): void {
  const client = temporalClient();
  const workflowId = returnWorkflowId(soId);
  client
    .withDeadline(Date.now() + START_WITHIN_MS, () =>
      client.workflow.signalWithStart<typeof returns.rma>("rma", {
        ...{ workflowId, taskQueue, args: [soId, by], workflowTaskTimeout: WORKFLOW_TASK_TIMEOUT },
        ...{ signal: "changed", staticSummary: `Return ${soId}, from its rows` },
      }),
    )
    .catch((err) => log.warn({ err, workflowId }, "the workflow of a return was not told of a change yet"));
}
