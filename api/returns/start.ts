import type { Actor } from "../../src/platform/actor.js";
import { log } from "../../src/platform/log.js";
import { WORKFLOW_TASK_TIMEOUT } from "../../src/platform/temporal/connection.js";
import { type OfWarehouse, ofWarehouse } from "../../src/platform/temporal/priorities.js";
import { returnWorkflowId } from "../../src/returns/workflow.js";
import type * as returns from "../../workflows/rma.js";
import { startFromRows, taskQueue, temporalClient } from "../http/workflow-updates.js";

/** Starts the workflow of a return that a till made, without waiting for it: a customer waits there. */
export const startReturnOfTill = ({ id, warehouse_id: warehouseId }: OfWarehouse, by: Actor): void =>
  startFromRows<typeof returns.rma>("rma", returnWorkflowId(id), {
    ...{ args: [id, by], warehouseId, staticSummary: `Return ${id}, made at a till` },
  });

const TELL_WITHIN_MS = 5_000;

/**
 * Signals the workflow of a return that its rows were changed without a step of it, so that it reads them again; if it
 * has ended, it is started again. While Temporal is unavailable, the job `reconcile` does it.
 */
export function tellReturn({ id, warehouse_id }: OfWarehouse, by: Actor): void {
  const client = temporalClient();
  const workflowId = returnWorkflowId(id);
  client
    .withDeadline(Date.now() + TELL_WITHIN_MS, () =>
      client.workflow.signalWithStart<typeof returns.rma>("rma", {
        ...{ workflowId, taskQueue, args: [id, by], workflowTaskTimeout: WORKFLOW_TASK_TIMEOUT },
        ...{ signal: "changed", staticSummary: `Return ${id}, from its rows`, priority: ofWarehouse(warehouse_id) },
      }),
    )
    .catch((err) => log.warn({ err, workflowId }, "the workflow of a return was not told of a change yet"));
}
