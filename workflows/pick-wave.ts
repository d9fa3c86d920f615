import * as wf from "@temporalio/workflow";
import type * as picking from "../activities/picking/index.js";
import type { Actor } from "../src/actor.js";
import {
  type Scan,
  shownOf,
  type WaveCompleted,
  type WavePlan,
  type WaveRequest,
  waveAttributes,
  waveWorkflowId,
} from "../src/picking/wave.js";
import { SoNumbers } from "../src/search-attributes.js";

export interface WaveEnd {
  batch_id: number;
  ended:
    | "completed"
    | "cancelled"
    | "superseded"
    | "idle"
    | "refused"
    | "repeated";
}

const { createWave, resumeWave, completeWave, cancelWave, releaseIfIdle } =
  wf.proxyLocalActivities<typeof picking>({
    startToCloseTimeout: "30s",
    retry: { initialInterval: "100ms", maximumInterval: "10s" },
  });

/** The first step: makes the wave; its answer is the floor's answer. */
export const created = wf.defineUpdate<WavePlan>("created");
const complete = wf.defineUpdate<WaveCompleted, [Actor, Scan[]?]>("complete");
const cancel = wf.defineUpdate<{ message: string }, [Actor, Scan[]?]>("cancel");
/**
 * Picks and short picks that were committed; told for the history, never relied on. The last ones come with the step that ends
 * the wave.
 */
export const scanned = wf.defineSignal<[Scan[]]>("scanned");
/** A newer wave of the same picker has put this one's work back. */
const superseded = wf.defineSignal<[number]>("superseded");

/** How long to wait before looking again at a wave whose idle release is switched off: the setting may change. */
const LOOK_AGAIN_MS = 12 * 3_600_000;

/**
 * A walk through the warehouse, from its planning to its end (reference 02 §5). The rows hold what is picked; this process
 * holds that the walk goes on, lets the floor end it, and lets it go when nobody scans any more.
 * @param wave What to pick; only its batch id when a wave that already has rows needs its process back.
 * @param by Who started it.
 */
export async function pickWave(
  wave: WaveRequest | { batchId: number },
  by: Actor,
): Promise<WaveEnd> {
  const { batchId } = wave;
  const made = new wf.Trigger<WavePlan>();
  let plan: WavePlan;
  let ended: WaveEnd["ended"] | undefined;

  wf.setHandler(created, async () => made);
  wf.setHandler(complete, async (who, scans) => {
    note(scans);
    const done = await completeWave(batchId, who);
    ended = "completed";
    return done;
  });
  wf.setHandler(cancel, async (who, scans) => {
    note(scans);
    const done = await cancelWave(batchId, who);
    ended = "cancelled";
    return done;
  });
  wf.setHandler(scanned, note);
  wf.setHandler(superseded, () => {
    ended ??= "superseded";
  });

  try {
    plan =
      "soIds" in wave ? await createWave(wave, by) : await resumeWave(batchId);
  } catch (error) {
    made.reject(error);
    return end("refused");
  }
  made.resolve(plan);
  if (plan.batch_id !== batchId) return end("repeated");
  describe(plan);
  for (const earlier of plan.superseded) await supersede(earlier, batchId);

  for (let wait = plan.idle_ms, look = 1; !ended; look++) {
    const woken = await wf.condition(
      () => ended !== undefined || mustContinue(),
      wait ?? LOOK_AGAIN_MS,
    );
    if (ended) break;
    if (woken) return wf.continueAsNew<typeof pickWave>({ batchId }, by);
    const rows = await releaseIfIdle(
      batchId,
      `${wf.workflowInfo().runId}:idle:${look}`,
    );
    if (rows.ended) ended = rows.ended;
    wait = rows.again_ms;
  }
  return end(ended as WaveEnd["ended"]);

  /** A step may still be under way, also one that is asked again because its first answer was lost: what it says counts. */
  async function end(how: WaveEnd["ended"]): Promise<WaveEnd> {
    await wf.condition(wf.allHandlersFinished);
    return { batch_id: batchId, ended: ended ?? how };
  }
}

/** A history that grew long is started afresh from the rows, once no update is under way (it would be lost). */
const mustContinue = () =>
  wf.workflowInfo().continueAsNewSuggested && wf.allHandlersFinished();

/** Shows the last of these scans. Up to version 0.1.0 each one was told by itself, and such waves may still run. */
function note(scans: Scan[] | Scan = []): void {
  const last = [scans].flat().at(-1);
  if (!last) return;
  const { sku, bin_code, quantity_picked, status, remaining_tasks } = last;
  wf.setCurrentDetails(
    `${remaining_tasks} pick(s) to go. Last: ${quantity_picked} × ${sku} at ${bin_code}, ${status}, by ${last.by}`,
  );
}

/** Makes the wave findable and readable in the Temporal UI. By most of it, it is found since it was started. */
function describe(plan: WavePlan): void {
  const numbers = shownOf(plan.orders.map((order) => order.so_number));
  const found = wf.workflowInfo().typedSearchAttributes.get(SoNumbers);
  if (found?.join() !== numbers.join())
    wf.upsertSearchAttributes(
      waveAttributes(plan.warehouse_id, plan.batch_id, numbers),
    );
  wf.setCurrentDetails(
    `${plan.total_picks} pick(s), ${plan.total_units} unit(s) for ${numbers.join(", ")}`,
  );
}

/** Tells an earlier wave that its work was put back. It may be gone already; then there is nobody to tell. */
async function supersede(earlier: number, batchId: number): Promise<void> {
  try {
    await wf
      .getExternalWorkflowHandle(waveWorkflowId(earlier))
      .signal(superseded, batchId);
  } catch (error) {
    wf.log.info("the superseded wave has no process", { earlier, error });
  }
}
