import { waveWorkflowId } from "../../src/picking/wave.js";
import type * as wave from "../../workflows/pick-wave.js";
import { startFromRows, type WorkflowCall } from "../http/workflow-updates.js";

/** Begins the process of a batch that waited and was taken, perhaps not for the first time. */
export function startTakenBatch(
  { by, res }: WorkflowCall,
  batchId: number,
  warehouseId: number,
  takenBy: string,
): void {
  const workflowId = waveWorkflowId(batchId);
  res.setHeader("X-Service-Workflow-Id", workflowId);
  const again = true;
  startFromRows<typeof wave.pickWave>(
    "pickWave",
    workflowId,
    { args: [{ batchId }, by], warehouseId, staticSummary: `Batch ${batchId}: taken by ${takenBy}` },
    again,
  );
}
