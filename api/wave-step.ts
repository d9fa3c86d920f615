import type { UpdateDefinition } from "@temporalio/common";
import type { Actor } from "../src/actor.js";
import { isBatchActive } from "../src/picking/queries.js";
import { type Scan, waveWorkflowId } from "../src/picking/wave.js";
import type * as wave from "../workflows/pick-wave.js";
import { type Asking, step } from "./process.js";
import { takeNews } from "./signals.js";

/** A step of a walk goes through its process. */
export function stepOf<R>(
  call: Asking,
  batchId: number,
  name: "complete" | "cancel",
  directly: (batchId: number, by: Actor) => Promise<R>,
): Promise<R> {
  const workflowId = waveWorkflowId(batchId);
  return step<typeof wave.pickWave, UpdateDefinition<R, [Actor, Scan[]]>>(
    call,
    {
      workflow: "pickWave",
      workflowId,
      args: [{ batchId }, call.by],
      isOpen: () => isBatchActive(batchId),
    },
    name,
    [call.by, takeNews<Scan>(workflowId)],
    () => directly(batchId, call.by),
  );
}
