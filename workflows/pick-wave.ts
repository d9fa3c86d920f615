import * as wf from "@temporalio/workflow";
import type * as picking from "../activities/picking/index.js";
import type { CompletedBatch } from "../src/picking/shapes.js";
import type { Scan, WaveRequest, WaveStarted } from "../src/picking/wave.js";
import type { Actor } from "../src/platform/actor.js";
import { databaseActivities } from "./database-activities.js";
import { uninterrupted } from "./endings.js";
import { HAS_VERSION } from "./globals.js";
import { Wave } from "./managers/wave.js";
import * as texts from "./texts/pick-wave.js";
import { released, superseded, tellSuperseded } from "./wave-messages.js";

export interface WaveEnd {
  batch_id: number;
  ended: texts.WaveEnded;
}

const { createWave, resumeWave, completeWave, cancelWave, giveBack, releaseIfIdle, cancelByOperator } =
  databaseActivities<typeof picking>({
    createWave: "Makes the wave and allocates its stock",
    resumeWave: "Reads the wave from its rows",
    completeWave: "Completes the batch: its orders are picked",
    cancelWave: "Cancels the batch and releases its stock",
    giveBack: "Gives the batch back: it waits for another picker",
    releaseIfIdle: "Looks when somebody last scanned, and releases an idle wave",
    cancelByOperator: "Cancels the batch for the Temporal UI and releases its stock",
  });

/** The first update: waits until the wave is created. */
export const created = wf.defineUpdate<WaveStarted>("created");
const complete = wf.defineUpdate<CompletedBatch, [Actor, Scan[]?]>("complete");
const cancel = wf.defineUpdate<{ message: string }, [Actor, Scan[]?]>("cancel");
const handBack = wf.defineUpdate<{ message: string }, [Actor, Scan[]?]>("giveBack");
/**
 * Committed picks and short picks, for the history and the current details only: the workflow does not rely on them.
 * The last ones come with the update that ends the wave.
 */
export const scanned = wf.defineSignal<[Scan[]]>("scanned");
/** The desk has given it to another picker, before anything was picked; only for what the Temporal UI shows. */
const handedOver = wf.defineSignal<[string]>("handedOver");

/**
 * A wave from its creation to its end (docs/interface.md, Picking); its id is `pick-wave-<batch_id>`. The database rows
 * say what is picked; this workflow completes, cancels or gives back the wave by update, and releases it when nobody
 * has scanned for a time, or when its cancellation is requested in the Temporal UI.
 * @param asked What to pick; only the batch id when the workflow of a wave that has rows already is started again.
 * @param by Who started it.
 * @param attributesSet Whether the search attributes were set at the start; a workflow that continues from its rows has
 * none.
 */
export function pickWave(
  asked: WaveRequest | { batchId: number },
  by: Actor,
  attributesSet: boolean = "soIds" in asked,
): Promise<WaveEnd> {
  return uninterrupted(async () => {
    const { batchId } = asked;
    const wave = new Wave(batchId, "soIds" in asked, attributesSet);
    wf.setHandler(complete, (who, scans) =>
      wave.endAfter(scans, async () => {
        const done = await completeWave(batchId, who);
        wave.ending = texts.completed(done, who.username, wave.rows);
        return done;
      }),
    );
    wf.setHandler(cancel, (who, scans) =>
      wave.endAfter(scans, async () => {
        const done = await cancelWave(batchId, who);
        wave.ending = texts.cancelled(who.username);
        return done;
      }),
    );
    wf.setHandler(handBack, (who, scans) =>
      wave.endAfter(scans, async () => {
        const done = await giveBack(batchId, who);
        wave.ending = texts.givenBack(who.username);
        return done;
      }),
    );
    wf.setHandler(scanned, (scans) => wave.show(scans));
    wf.setHandler(handedOver, (picker) => wave.handedOver(picker));
    wf.setHandler(superseded, (later) => wave.supersededBy(later));
    wf.setHandler(released, (why) => wave.releasedByTransfer(why));

    const plan = await wave.begin(created, () => ("soIds" in asked ? createWave(asked, by) : resumeWave(batchId)));
    for (const earlier of plan?.superseded ?? []) await tellSuperseded(earlier, batchId);

    for (let look = 1; !wave.ending; look++) {
      const news = await wave.wait(wave.idleTimer());
      if (wave.ending) break;
      if (wave.mayCancel)
        await wave.cancel(async () => {
          const { ended } = await cancelByOperator(batchId, wave.commandId("cancel"));
          wave.ending = texts.byOperator(ended);
        });
      else if (news)
        return wf.makeContinueAsNewFunc<typeof pickWave>({ initialVersioningBehavior: "AUTO_UPGRADE" })(
          { batchId },
          by,
        );
      else {
        const idle = await wave.step(() => releaseIfIdle(batchId, wave.commandId(`idle:${look}`)));
        if (idle.ended) wave.ending = texts.found(idle.ended);
        wave.idleMs = idle.again_ms;
      }
    }
    await wave.tellTransfer();
    return { batch_id: batchId, ended: await wave.end() };
  });
}

// The version of the workers that began a wave ends it. A new run of it goes on from the rows, so the current one can.
if (HAS_VERSION in globalThis) wf.setWorkflowOptions({ versioningBehavior: "PINNED" }, pickWave);
