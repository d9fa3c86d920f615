import * as wf from "@temporalio/workflow";
import type * as picking from "../activities/picking/index.js";
import type { Actor } from "../src/actor.js";
import type { CompletedBatch } from "../src/picking/shapes.js";
import {
  firstNumbers,
  type Scan,
  type WaveRequest,
  type WaveStarted,
  waveAttributes,
  waveWorkflowId,
} from "../src/picking/wave.js";
import { SoNumbers } from "../src/temporal/search-attributes.js";
import { setAttributes } from "./attributes.js";
import { isFault, steps } from "./steps.js";

export interface WaveEnd {
  batch_id: number;
  ended: "completed" | "cancelled" | "superseded" | "idle" | "refused" | "repeated";
}

const { createWave, resumeWave, completeWave, cancelWave, releaseIfIdle } = steps<typeof picking>();

/** The first update: waits until the wave is created. */
export const created = wf.defineUpdate<WaveStarted>("created");
const complete = wf.defineUpdate<CompletedBatch, [Actor, Scan[]?]>("complete");
const cancel = wf.defineUpdate<{ message: string }, [Actor, Scan[]?]>("cancel");
/**
 * Committed picks and short picks, for the history and the current details only: the workflow does not rely on them.
 * The last ones come with the update that ends the wave.
 */
export const scanned = wf.defineSignal<[Scan[]]>("scanned");
/** A newer wave of the same picker has released this one. */
const superseded = wf.defineSignal<[number]>("superseded");

/** How long to wait before checking a wave again whose idle release is switched off: the setting may change. */
const CHECK_AGAIN_MS = 12 * 3_600_000;

/**
 * A wave from its creation to its end (reference 02 §5). The database rows hold what is picked; this workflow completes
 * or cancels the wave by update, and releases it when nobody has scanned for a time.
 * @param wave What to pick; only the batch id when the workflow of a wave that has rows already is started again.
 * @param by Who started it.
 */
export async function pickWave(wave: WaveRequest | { batchId: number }, by: Actor): Promise<WaveEnd> {
  const { batchId } = wave;
  const creation = new wf.Trigger<WaveStarted>();
  let plan: WaveStarted;
  let ended: WaveEnd["ended"] | undefined;

  wf.setHandler(created, async () => creation);
  wf.setHandler(complete, async (who, scans) => {
    showLastScan(scans);
    const done = await completeWave(batchId, who);
    ended = "completed";
    return done;
  });
  wf.setHandler(cancel, async (who, scans) => {
    showLastScan(scans);
    const done = await cancelWave(batchId, who);
    ended = "cancelled";
    return done;
  });
  wf.setHandler(scanned, showLastScan);
  wf.setHandler(superseded, () => {
    ended ??= "superseded";
  });

  try {
    plan = "soIds" in wave ? await createWave(wave, by) : await resumeWave(batchId);
  } catch (error) {
    creation.reject(error);
    const refused = await end("refused");
    if (isFault(error)) throw error;
    return refused;
  }
  creation.resolve(plan);
  if (plan.batch_id !== batchId) return end("repeated");
  describe(plan);
  for (const earlier of plan.superseded) await supersede(earlier, batchId);

  for (let wait = plan.idle_ms, check = 1; !ended; check++) {
    const woken = await wf.condition(() => ended !== undefined || mustContinue(), wait ?? CHECK_AGAIN_MS);
    if (ended) break;
    if (woken) return wf.continueAsNew<typeof pickWave>({ batchId }, by);
    const idle = await releaseIfIdle(batchId, `${wf.workflowInfo().runId}:idle:${check}`);
    if (idle.ended) ended = idle.ended;
    wait = idle.again_ms;
  }
  return end(ended as WaveEnd["ended"]);

  /** Waits for updates that are still running, such as a retry after a lost answer: their outcome counts. */
  async function end(how: WaveEnd["ended"]): Promise<WaveEnd> {
    await wf.condition(wf.allHandlersFinished);
    return { batch_id: batchId, ended: ended ?? how };
  }
}

/** Whether to continue as new, from the rows: the history is long, and no update is running (it would be lost). */
const mustContinue = () => wf.workflowInfo().continueAsNewSuggested && wf.allHandlersFinished();

/** Shows the last of these scans. Version 0.1.0 signalled scans one by one, and such waves may still run. */
function showLastScan(scans: Scan[] | Scan = []): void {
  const last = [scans].flat().at(-1);
  if (!last) return;
  const { sku, bin_code, quantity_picked, status, remaining_tasks } = last;
  wf.setCurrentDetails(
    `${remaining_tasks} pick(s) to go. Last: ${quantity_picked} × ${sku} at ${bin_code}, ${status}, by ${last.by}`,
  );
}

/** Sets search attributes and details for the Temporal UI. Most attributes were set at the start. */
function describe(plan: WaveStarted & { orders?: { so_number: string }[] }): void {
  // Up to version 0.1.0 the whole plan was in the history.
  const numbers = plan.so_numbers ?? firstNumbers((plan.orders ?? []).map((order) => order.so_number));
  const found = wf.workflowInfo().typedSearchAttributes.get(SoNumbers);
  if (found?.join() !== numbers.join())
    setAttributes(waveAttributes(plan.warehouse_id, plan.batch_id, numbers), plan.missing_attributes);
  wf.setCurrentDetails(`${plan.total_picks} pick(s), ${plan.total_units} unit(s) for ${numbers.join(", ")}`);
}

/** Signals an earlier wave that it was released; its workflow may have ended already. */
async function supersede(earlier: number, batchId: number): Promise<void> {
  try {
    await wf.getExternalWorkflowHandle(waveWorkflowId(earlier)).signal(superseded, batchId);
  } catch (error) {
    wf.log.info("the superseded wave has no running workflow", { earlier, error });
  }
}
