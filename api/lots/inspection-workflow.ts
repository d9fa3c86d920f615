import type { OfInspection } from "../../src/lots/inspections/queries.js";
import { inspectionWorkflowId } from "../../src/lots/inspections/workflow.js";
import type { Actor } from "../../src/platform/actor.js";
import { log } from "../../src/platform/log.js";
import { WORKFLOW_TASK_TIMEOUT } from "../../src/platform/temporal/connection.js";
import { ofWarehouse } from "../../src/platform/temporal/priorities.js";
import type * as inspections from "../../workflows/inspection.js";
import { taskQueue, temporalClient } from "../http/workflow-updates.js";

const TELL_WITHIN_MS = 5_000;

/**
 * Signals the workflow of an inspection that its rows were made or changed, without waiting for it; if it does not run,
 * it is started. While Temporal is unavailable, the job `reconcile` does it.
 */
export function tellInspection({ id, warehouse_id }: OfInspection, by: Actor): void {
  const client = temporalClient();
  const workflowId = inspectionWorkflowId(id);
  client
    .withDeadline(Date.now() + TELL_WITHIN_MS, () =>
      client.workflow.signalWithStart<typeof inspections.inspection>("inspection", {
        ...{ workflowId, taskQueue, args: [id, by], workflowTaskTimeout: WORKFLOW_TASK_TIMEOUT },
        ...{ signal: "changed", staticSummary: `Inspection ${id}, opened by ${by.username}` },
        ...(warehouse_id !== null && { priority: ofWarehouse(warehouse_id) }),
      }),
    )
    .catch((err) => log.warn({ err, workflowId }, "the workflow of an inspection was not told of a change yet"));
}
