import { replenishmentWorkflowId } from "../../src/picking/replenishment/workflow.js";
import type { Actor } from "../../src/platform/actor.js";
import { log } from "../../src/platform/log.js";
import { WORKFLOW_TASK_TIMEOUT } from "../../src/platform/temporal/connection.js";
import { ofWarehouse } from "../../src/platform/temporal/priorities.js";
import type * as replenishment from "../../workflows/replenishment.js";
import { taskQueue, temporalClient } from "../http/workflow-updates.js";

const TELL_WITHIN_MS = 5_000;

/**
 * Signals the replenishment of a warehouse that something was carried, released or set, without waiting for it; if it
 * does not run, it is started. While Temporal is unavailable, its next look or the job `reconcile` sees it.
 */
export function tellReplenishment(warehouseId: number, by: Actor): void {
  const client = temporalClient();
  const workflowId = replenishmentWorkflowId(warehouseId);
  client
    .withDeadline(Date.now() + TELL_WITHIN_MS, () =>
      client.workflow.signalWithStart<typeof replenishment.replenishment>("replenishment", {
        ...{ workflowId, taskQueue, args: [warehouseId, by], workflowTaskTimeout: WORKFLOW_TASK_TIMEOUT },
        ...{ signal: "changed", staticSummary: `Replenishment of warehouse ${warehouseId}` },
        priority: ofWarehouse(warehouseId),
      }),
    )
    .catch((err) => log.warn({ err, workflowId }, "the replenishment of a warehouse was not told of a change yet"));
}
