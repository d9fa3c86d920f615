import type { UpdateDefinition } from "@temporalio/common";
import { activeBatchIn } from "../../src/picking/queries.js";
import { type Scan, waveWorkflowId } from "../../src/picking/wave.js";
import type { Actor } from "../../src/platform/actor.js";
import { log } from "../../src/platform/log.js";
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
  const ask = (otherwise: () => Promise<R>) =>
    runUpdate<typeof wave.pickWave, UpdateDefinition<R, [Actor, Scan[]]>>(
      call,
      { workflow: "pickWave", workflowId, args: [{ batchId }, call.by], openIn: () => activeBatchIn(batchId) },
      name,
      [call.by, takeUnsent<Scan>(workflowId)],
      otherwise,
    );
  return ask(async () => {
    const done = await directly(batchId, call.by);
    // A picker may have taken the batch meanwhile: its process, if it has begun, hears of it by the same command.
    void ask(async () => done).catch((err) => log.debug({ err, workflowId }, "not told of the end of its batch"));
    return done;
  });
}
