import * as wf from "@temporalio/workflow";
import type * as syncs from "../activities/connectors/sync-state.js";
import {
  type Counts,
  RUN_LOST,
  SOURCE_FAILED,
  SYNC_ATTEMPTS,
  type SyncProgress,
  type SyncRun,
  type SyncStart,
} from "../src/connectors/sync.js";
import type { Actor } from "../src/platform/actor.js";
import { databaseActivities } from "./database-activities.js";
import { businessFailure, uninterrupted } from "./endings.js";
import { Sync } from "./managers/sync.js";
import { handlersFinished } from "./process.js";
import { askSource, failureOf, readPages } from "./sync-pages.js";
import * as texts from "./texts/connector-sync.js";

export interface SyncEnd extends Counts {
  ended: texts.SyncEnded;
}

const act = databaseActivities<Omit<typeof syncs, "OVERLAP">>({
  claimSync: "Begins the sync, unless one is under way",
  claimScheduledSync: "Begins the scheduled sync, unless one is under way",
  heldSync: "Reads from its row which run is under way",
  failAttempt: "Records that the attempt failed",
  failSync: "Records that the sync failed",
  finishSync: "Records that everything was read",
  stopSync: "Records that the sync was cancelled",
});

/** The first update: the request that starts a sync waits for it. While a sync is under way it is refused. */
export const started = wf.defineUpdate<SyncRun, [Actor]>("started");
/** The row was freed: the run has ended. */
export const reset = wf.defineSignal("reset");

/**
 * One sync of one type of records from one source (docs/interface.md, Connectors); its id is
 * `connector-sync-<connector>-<warehouse_id>-<type>`. It reads page by page, so that after a killed worker it continues
 * where it was. When the source fails, the failed page is requested again later; the last attempt begins anew, as the
 * source may have forgotten that page. A source that is unavailable, or asks to wait, is waited for, for a day, which
 * is not an attempt; a fault of the configuration ends the run. A cancellation that is requested in the Temporal UI
 * ends it; what was written stays.
 * @param continued The progress of a run that was continued as new.
 */
export function connectorSync(start: SyncStart, continued?: SyncProgress): Promise<SyncEnd> {
  return uninterrupted(async () => {
    const { workflowId, runId } = wf.workflowInfo();
    const sync = new Sync(start, continued);
    wf.setHandler(started, (by) => sync.claim(() => act.claimSync(sync.key, workflowId, by), by.username));
    wf.setHandler(reset, sync.reset);

    if (!continued && start.begun === "schedule")
      await sync.claim(() => act.claimScheduledSync(sync.key, workflowId, runId)).catch(() => {});
    if (!continued && start.begun === "lost") await sync.claim(() => act.heldSync(sync.key, workflowId));
    await sync.hasBegun();

    let run: SyncRun | undefined;
    do {
      run = sync.run;
      sync.ending = run ? await readSource(sync, run) : sync.notBegun();
      await handlersFinished();
      // A request may have begun another run after a reset.
    } while (sync.run !== run);
    const ended = await sync.end();
    if (ended === "failed") throw businessFailure(SOURCE_FAILED, sync.ending.why);
    return { ended, ...sync.counts };
  });
}

/** Reads the source to its end, in several attempts if need be. */
async function readSource(sync: Sync, run: SyncRun): Promise<texts.SyncEnding> {
  const progress = sync.begin(run);
  for (;;) {
    try {
      const why = await (sync.key.sync_type === "fulfillment" ? askSource(sync, run) : readPages(sync, progress));
      const { held } = await sync.step(() => act.finishSync(run, progress.newest));
      return held ? texts.completed(why) : texts.LOST;
    } catch (error) {
      const ending = await afterFailure(sync, progress, error);
      if (ending) return ending;
      sync.setStage("syncing");
    }
  }
}

/** Waits until the source is asked again; returns how the run ends where it is not. */
async function afterFailure(sync: Sync, progress: SyncProgress, error: unknown): Promise<texts.SyncEnding | undefined> {
  const { run } = progress;
  const { retry_delay_ms } = sync.start;
  const { type, why, away, misconfigured } = failureOf(error);
  if (error instanceof wf.ContinueAsNew) throw error;
  if (type === RUN_LOST) return texts.LOST;
  if (wf.isCancellation(error)) return interruption(sync, run);

  const mayWait = sync.waits(away !== undefined);
  if (type !== SOURCE_FAILED || misconfigured || (!mayWait && progress.attempt === SYNC_ATTEMPTS)) {
    await sync.step(() => act.failSync(run, why));
    if (type !== SOURCE_FAILED) throw error;
    return misconfigured ? texts.misconfigured(why) : texts.failed(why);
  }
  if (!mayWait) {
    const { held } = await sync.step(() => act.failAttempt(run, progress.attempt, why));
    if (!held) return texts.LOST;
    sync.nextAttempt();
  }
  const pause = mayWait ? texts.away(progress, away, retry_delay_ms) : texts.failedOnce(progress, retry_delay_ms);
  if (await sync.pause(pause, why)) return interruption(sync, run);
  if (mayWait) await sync.anewIfLong();
  return undefined;
}

/** It was reset or taken over, or its cancellation was requested. */
async function interruption(sync: Sync, run: SyncRun): Promise<texts.SyncEnding> {
  if (!sync.cancelled) return texts.LOST;
  await sync.step(() => act.stopSync(run));
  return texts.CANCELLED;
}
