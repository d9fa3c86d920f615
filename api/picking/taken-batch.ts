import { waveWorkflowId } from "../../src/picking/wave.js";
import type { Actor } from "../../src/platform/actor.js";
import type * as wave from "../../workflows/pick-wave.js";
import { startFromRows, tellFromRows, type WorkflowCall } from "../http/workflow-updates.js";

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

/** Tells the process of a wave whose it is now; where it does not run, it begins from its rows. */
export function tellHandedOver({ by, res }: WorkflowCall, taken: TakenWave, picker: string): void {
  const { batchId, warehouseId } = taken;
  const workflowId = waveWorkflowId(batchId);
  res.setHeader("X-Service-Workflow-Id", workflowId);
  tellFromRows<typeof wave.pickWave>(
    "pickWave",
    { workflowId, args: [{ batchId }, by], staticSummary: summaryOf(taken) },
    { warehouseId, signal: "handedOver", signalArgs: [picker] },
  );
}
