import type { UpdateDefinition } from "@temporalio/common";
import { activeBatchIn } from "../../src/picking/queries.js";
import { type Scan, waveWorkflowId } from "../../src/picking/wave.js";
import type { Actor } from "../../src/platform/actor.js";
import type * as wave from "../../workflows/pick-wave.js";
import { takeUnsent } from "../http/workflow-signals.js";
import { runUpdate, type WorkflowCall } from "../http/workflow-updates.js";

/**
 * Completes, cancels or gives back a wave by an update of its workflow; a wave without a running workflow is started
 * again or, when it has ended or waits for a picker, handled `directly`.
 */
export function updateWave<R>(
  call: WorkflowCall,
  batchId: number,
  name: "complete" | "cancel" | "giveBack",
  directly: (batchId: number, by: Actor) => Promise<R>,
): Promise<R> {
  const workflowId = waveWorkflowId(batchId);
  return runUpdate<typeof wave.pickWave, UpdateDefinition<R, [Actor, Scan[]]>>(
    call,
    { workflow: "pickWave", workflowId, args: [{ batchId }, call.by], openIn: () => activeBatchIn(batchId) },
    name,
    [call.by, takeUnsent<Scan>(workflowId)],
    () => directly(batchId, call.by),
  );
}
