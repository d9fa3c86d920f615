import * as wf from "@temporalio/workflow";
import {
  type PageResult,
  SOURCE_FAILED,
  type SourceFailure,
  type SyncActivities,
  type SyncProgress,
  type SyncRun,
  sumOf,
} from "../src/connectors/sync.js";
import { innermost, reasonOf } from "../src/platform/temporal/details.js";
import { FAULT } from "../src/platform/temporal/failures.js";
import type { Sync } from "./managers/sync.js";
import * as texts from "./texts/connector-sync.js";

const source = wf.proxyActivities<SyncActivities>({
  // Longest time for a page of a source that is slow, or allows few requests. A worker without a heartbeat for 10 s was
  // killed.
  startToCloseTimeout: "2h",
  heartbeatTimeout: "10s",
  // Failures of the source are retried by the workflow, so these retries are for the database and killed workers.
  retry: { initialInterval: "1s", maximumInterval: "30s", nonRetryableErrorTypes: [FAULT] },
  // The activity learns of it with its next heartbeat; records that it writes until then are valid.
  cancellationType: wf.ActivityCancellationType.TRY_CANCEL,
});

/** Tests whether the source answers; returns its text. */
export async function askSource(sync: Sync, run: SyncRun): Promise<string> {
  sync.show("it is asked whether it answers", "nothing: shipments are pushed one by one");
  const summary = "Asks the source";
  const said = await sync.interruptibly(() => source.checkSource.executeWithOptions({ summary }, [run]));
  return `the source answered: ${said}`;
}

/** Reads all pages, from the progress on; returns what was done. */
export async function readPages(sync: Sync, progress: SyncProgress): Promise<string> {
  const { run } = progress;
  if (progress.page === 0 && progress.attempt === 1 && !progress.tried_refused) {
    sync.show("records that were refused before are tried again", "page 1");
    const summary = "Tries refused records again";
    const tried = await sync.interruptibly(() => source.retryRefused.executeWithOptions({ summary }, [run]));
    progress.counts = sumOf(progress.counts, tried);
    progress.tried_refused = true;
  }
  do {
    sync.show(texts.reached(progress), `page ${progress.page + 1}`);
    const summary = texts.pageSummary(progress);
    const soFar = { pages: progress.page, counts: progress.counts };
    const page = await sync.interruptibly(() =>
      source.syncPage.executeWithOptions({ summary }, [run, progress.cursor, soFar]),
    );
    advance(progress, page);
    if (sync.interrupted) throw new wf.CancelledFailure("interrupted");
    if (progress.cursor !== null) await sync.anewIfLong();
  } while (progress.cursor !== null);
  return texts.reached(progress);
}

function advance(progress: SyncProgress, { next, newest, ...counts }: PageResult): void {
  progress.counts = sumOf(progress.counts, counts);
  progress.waits_since = undefined;
  progress.page++;
  progress.cursor = next;
  const isNewer = progress.newest === null || (newest !== null && Date.parse(newest) > Date.parse(progress.newest));
  if (isNewer) progress.newest = newest;
}

/** What failed, and why. The text of a source is not translated: people search for its very words. */
export function failureOf(error: unknown): SourceFailure & { type: string; why: string } {
  const cause = innermost(error);
  const failure = cause instanceof wf.ApplicationFailure ? cause : undefined;
  const type = failure?.type ?? "";
  const why = failure && type === SOURCE_FAILED ? failure.message : reasonOf(error);
  return { ...(failure?.details?.[0] as SourceFailure | undefined), type, why };
}
