import { waveWorkflowId } from "../../src/picking/wave.js";
import type { Actor } from "../../src/platform/actor.js";
import { log } from "../../src/platform/log.js";
import { WORKFLOW_TASK_TIMEOUT } from "../../src/platform/temporal/connection.js";
import { ofWarehouse } from "../../src/platform/temporal/priorities.js";
import type * as wave from "../../workflows/pick-wave.js";
import { startFromRows, taskQueue, temporalClient, type WorkflowCall } from "../http/workflow-updates.js";

interface TakenWave {
  batchId: number;
  warehouseId: number;
  /** Whose it is now, in words. */
  takenBy: string;
}

const summaryOf = ({ batchId, takenBy }: TakenWave) => `Batch ${batchId}: taken by ${takenBy}`;

/** The picker of a wave that was given to that one at the desk. */
export const assignedBy = (picker: string, by: Actor): string => `${picker}, as ${by.username} wants it`;

/** Begins the process of a batch that waited and was taken, perhaps not for the first time. */
export function startTakenBatch({ by, res }: WorkflowCall, taken: TakenWave): void {
  const { batchId, warehouseId } = taken;
  const workflowId = waveWorkflowId(batchId);
  res.setHeader("X-Service-Workflow-Id", workflowId);
  const again = true;
  startFromRows<typeof wave.pickWave>(
    "pickWave",
    workflowId,
    { args: [{ batchId }, by], warehouseId, staticSummary: summaryOf(taken) },
    again,
  );
}

const TELL_WITHIN_MS = 5_000;

/** Tells the process of a wave whose it is now; where it does not run, it begins from its rows. */
export function tellHandedOver({ by, res }: WorkflowCall, taken: TakenWave, picker: string): void {
  const { batchId, warehouseId } = taken;
  const workflowId = waveWorkflowId(batchId);
  res.setHeader("X-Service-Workflow-Id", workflowId);
  const client = temporalClient();
  client
    .withDeadline(Date.now() + TELL_WITHIN_MS, () =>
      client.workflow.signalWithStart<typeof wave.pickWave, [string]>("pickWave", {
        ...{ workflowId, taskQueue, args: [{ batchId }, by], workflowTaskTimeout: WORKFLOW_TASK_TIMEOUT },
        ...{ signal: "handedOver", signalArgs: [picker], staticSummary: summaryOf(taken) },
        priority: ofWarehouse(warehouseId),
      }),
    )
    .catch((err) => log.warn({ err, workflowId }, "a wave was not told of its new picker"));
}
