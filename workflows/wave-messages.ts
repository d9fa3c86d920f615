import * as wf from "@temporalio/workflow";
import { waveWorkflowId } from "../src/picking/wave.js";
import type { Actor } from "../src/platform/actor.js";
import { transferWorkflowId } from "../src/transfers/workflow.js";
import { startApart } from "./process.js";

/** Signals between waves and other workflows. The receiver may have ended already, or not exist. */

/** To a wave: a newer wave of the same picker has released it. */
export const superseded = wf.defineSignal<[number]>("superseded");
/** To a wave: the transfer order that it picks has released it; with the reason. */
export const released = wf.defineSignal<[string]>("released");
/** To a transfer order: one of its batches ended. It reads its rows, and does not depend on the signal. */
export const changed = wf.defineSignal("changed");

export const tellSuperseded = (earlier: number, batchId: number): Promise<void> =>
  tell(waveWorkflowId(earlier), superseded, batchId);
export const tellReleased = (batchId: number, why: string): Promise<void> =>
  tell(waveWorkflowId(batchId), released, why);
export const tellTransfer = (toId: number): Promise<void> => tell(transferWorkflowId(toId), changed);

async function tell<Args extends unknown[]>(
  workflowId: string,
  signal: wf.SignalDefinition<Args>,
  ...args: Args
): Promise<void> {
  try {
    await wf.getExternalWorkflowHandle(workflowId).signal(signal, ...args);
  } catch (error) {
    wf.log.info("a workflow to be told is not running", { workflowId, signal: signal.name, error });
  }
}

/** Starts the workflow of a batch whose rows exist. */
export const startWave = (batchId: number, staticSummary: string, by: Actor): Promise<void> =>
  startApart("pickWave", { workflowId: waveWorkflowId(batchId), args: [{ batchId }, by], staticSummary });
