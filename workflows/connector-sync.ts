import * as wf from "@temporalio/workflow";
import type * as syncs from "../activities/connectors/sync-state.js";
import {
  type Counts,
  NOTHING,
  RUN_LOST,
  SOURCE_FAILED,
  SYNC_ATTEMPTS,
  SYNC_WAITS_FOR_MS,
  type SyncActivities,
  type SyncKey,
  type SyncRun,
  type SyncStart,
} from "../src/connectors/sync.js";
import type { Actor } from "../src/platform/actor.js";
import { clock, detailsText, reasonOf } from "../src/platform/temporal/details.js";
import { FAULT } from "../src/platform/temporal/failures.js";
import {
  Connector,
  Stage,
  type StageValue,
  WarehouseCode,
  WarehouseId,
} from "../src/platform/temporal/search-attributes.js";
import { attributesMissingHere, setAttributes, setEnded } from "./attributes.js";
import { databaseActivities, isRefusal } from "./database-activities.js";
import { businessFailure, refusal, uninterrupted } from "./endings.js";
import { oneAtATime } from "./one-at-a-time.js";
import { add, failureOf, reached, type SyncProgress, typeOf, whyOf } from "./sync-progress.js";

export interface SyncEnd extends Counts {
  ended: "completed" | "failed" | "cancelled" | "superseded" | "refused";
}

type Steps = Pick<
  typeof syncs,
  "claimSync" | "claimScheduledSync" | "heldSync" | "failAttempt" | "failSync" | "finishSync" | "stopSync"
>;
const { claimSync, claimScheduledSync, heldSync, failAttempt, failSync, finishSync, stopSync } =
  databaseActivities<Steps>({
    claimSync: "Begins the sync, unless one is under way",
    claimScheduledSync: "Begins the scheduled sync, unless one is under way",
    heldSync: "Reads from its row which run is under way",
    failAttempt: "Records that the attempt failed",
    failSync: "Records that the sync failed",
    finishSync: "Records that everything was read",
    stopSync: "Records that the sync was cancelled",
  });

const source = wf.proxyActivities<SyncActivities>({
  // A page of a source that is slow, or allows little; a worker that does not tell within 10 s that it is alive was
  // killed.
  startToCloseTimeout: "2h",
  heartbeatTimeout: "10s",
  // What the source fails at is tried again by this workflow, so these retries are for the database and killed workers.
  retry: { initialInterval: "1s", maximumInterval: "30s", nonRetryableErrorTypes: [FAULT] },
  // The activity learns of it with its next heartbeat; records that it writes until then are valid.
  cancellationType: wf.ActivityCancellationType.TRY_CANCEL,
});

/** The first update: the request that starts a sync waits for it. While a sync is under way it is refused. */
export const started = wf.defineUpdate<SyncRun, [Actor]>("started");
/** Somebody freed the row: the run has ended. */
export const reset = wf.defineSignal("reset");

/** What is said when a run has ended. */
interface Ending {
  ended: SyncEnd["ended"];
  why: string;
  next: string;
}

const NEXT = "nothing here: the next sync begins where the last complete one ended";

/**
 * One sync of one type of records from one source (docs/interface.md, Connectors): page by page, so that a killed
 * worker goes on where it was. A source that fails is asked again after a while, for the page that failed; the last
 * attempt begins anew, as the source may have forgotten that page. One that is left alone, or asks to be, is waited
 * for, for a day, which is no attempt; a fault of the configuration ends the run. A cancellation that is requested in
 * the Temporal UI ends it; what was written stays.
 * @param continued How far the run is that was continued as new.
 */
export function connectorSync(start: SyncStart, continued?: SyncProgress): Promise<SyncEnd> {
  const scope = wf.CancellationScope.current();
  return uninterrupted(() => sync(start, continued, () => scope.consideredCancelled));
}

async function sync(start: SyncStart, continued: SyncProgress | undefined, cancelled: () => boolean): Promise<SyncEnd> {
  const { connector, warehouse_id, sync_type, begun, retry_delay_ms } = start;
  const key: SyncKey = { connector, warehouse_id, sync_type };
  const { workflowId, runId } = wf.workflowInfo();
  const exclusively = oneAtATime(Promise.resolve());
  let progress = continued;
  /** The run that holds the row; replaced if a request begins another one after `reset`. */
  let run = continued?.run;
  let askedBy = continued?.asked_by;
  let refused: unknown;
  let freed = false;

  wf.setHandler(started, (by) =>
    exclusively(async () => {
      try {
        const claimed = await claimSync(key, workflowId, by);
        // A repeated request gets the run that it began.
        if (claimed.run_id !== run?.run_id) {
          freed = false;
          run = claimed;
          askedBy = by.username;
        }
        return claimed;
      } catch (error) {
        refused ??= error;
        throw error;
      }
    }),
  );
  wf.setHandler(reset, () => {
    freed = true;
  });

  if (!run && begun === "schedule")
    run = await exclusively(() => claimScheduledSync(key, workflowId, runId)).catch((error) => {
      refused ??= error;
      return undefined;
    });
  if (!run && begun === "lost") run = (await exclusively(() => heldSync(key, workflowId))) ?? undefined;
  await wf.condition(() => run !== undefined || refused !== undefined || begun === "lost");
  for (;;) {
    const current = run;
    const ending = current ? await perform(current) : notBegun();
    await wf.condition(wf.allHandlersFinished);
    if (run === current) return end(ending);
    progress = undefined;
  }

  /** Reads the source to its end, in several attempts if need be. */
  async function perform(current: SyncRun): Promise<Ending> {
    progress ??= {
      ...{ run: current, asked_by: askedBy, attempt: 1, page: 0, cursor: null, newest: null },
      ...{ counts: NOTHING, began: Date.now() },
    };
    const how = progress;
    describe(current);
    for (;;) {
      try {
        const why = await (sync_type === "fulfillment" ? check(how) : readAll(how));
        const { held } = await exclusively(() => finishSync(current, how.newest));
        return held ? { ended: "completed", why, next: NEXT } : LOST;
      } catch (error) {
        if (error instanceof wf.ContinueAsNew) throw error;
        if (typeOf(error) === RUN_LOST) return LOST;
        if (wf.isCancellation(error)) return interruption(current);
        const why = whyOf(error);
        if (typeOf(error) !== SOURCE_FAILED) {
          await exclusively(() => failSync(current, why));
          throw error;
        }
        const { away, misconfigured } = failureOf(error);
        if (misconfigured) {
          await exclusively(() => failSync(current, why));
          return { ended: "failed", why, next: MISCONFIGURED };
        }
        if (away) how.waits_since ??= Date.now();
        if (away && Date.now() - (how.waits_since ?? 0) < SYNC_WAITS_FOR_MS) {
          const wait_ms = Math.max(away.wait_ms ?? 0, retry_delay_ms, 1);
          const due = `it is asked again at ${clock(Date.now() + wait_ms)}`;
          show("retrying", `${reached(how)}; it waits for its source`, why, due);
          await wf.condition(interrupted, wait_ms, { summary: `${why}: ${due}` });
          if (interrupted()) return interruption(current);
          await anewIfLong(how);
          setStage("syncing");
          continue;
        }
        if (how.attempt === SYNC_ATTEMPTS) {
          await exclusively(() => failSync(current, why));
          const next = "the cause is mended, and the sync started again; a schedule goes on by itself";
          return { ended: "failed", why: `all ${SYNC_ATTEMPTS} attempts failed, the last one: ${why}`, next };
        }
        const { held } = await exclusively(() => failAttempt(current, how.attempt, why));
        if (!held) return LOST;
        how.attempt++;
        if (how.attempt === SYNC_ATTEMPTS) Object.assign(how, { page: 0, cursor: null });
        const due = `attempt ${how.attempt} of ${SYNC_ATTEMPTS} at ${clock(Date.now() + retry_delay_ms)}`;
        show("retrying", `${reached(how)}, then the source failed`, why, due);
        await wf.condition(interrupted, retry_delay_ms, { summary: `${why}: ${due}` });
        if (interrupted()) return interruption(current);
        setStage("syncing");
      }
    }
  }

  async function check(how: SyncProgress): Promise<string> {
    show("syncing", "it is asked whether it answers", whyBegun(), "nothing: shipments are pushed one by one");
    const said = await interruptibly(() =>
      source.checkSource.executeWithOptions(summary("Asks the source"), [how.run]),
    );
    return `the source answered: ${said}`;
  }

  /** All pages, from where the progress is. */
  async function readAll(how: SyncProgress): Promise<string> {
    if (how.page === 0 && how.attempt === 1 && !how.tried_refused) {
      show("syncing", "records that were refused before are tried again", whyBegun(), "page 1");
      add(
        how,
        await interruptibly(() =>
          source.retryRefused.executeWithOptions(summary("Tries refused records again"), [how.run]),
        ),
      );
      how.tried_refused = true;
    }
    do {
      show("syncing", reached(how), whyBegun(), `page ${how.page + 1}`);
      const again = how.attempt > 1 ? `, attempt ${how.attempt} of ${SYNC_ATTEMPTS}` : "";
      const page = summary(`Page ${how.page + 1}${again}`);
      const soFar = { pages: how.page, counts: how.counts };
      const result = await interruptibly(() => source.syncPage.executeWithOptions(page, [how.run, how.cursor, soFar]));
      add(how, result);
      how.waits_since = undefined;
      how.page++;
      how.cursor = result.next;
      const newer =
        how.newest === null || (result.newest !== null && Date.parse(result.newest) > Date.parse(how.newest));
      if (newer) how.newest = result.newest;
      if (interrupted()) throw new wf.CancelledFailure("interrupted");
      if (how.cursor !== null) await anewIfLong(how);
    } while (how.cursor !== null);
    return reached(how);
  }

  /** Begins a new history where this one grew long. */
  async function anewIfLong(how: SyncProgress): Promise<void> {
    if (wf.workflowInfo().continueAsNewSuggested && wf.allHandlersFinished())
      await wf.continueAsNew<typeof connectorSync>(start, how);
  }

  function interrupted(): boolean {
    return cancelled() || freed || run !== progress?.run;
  }

  /** Runs an activity that ends at once when the run is to. */
  async function interruptibly<T>(run: () => Promise<T>): Promise<T> {
    const scope = new wf.CancellationScope();
    let over = false;
    void wf.condition(() => over || interrupted()).then(() => over || scope.cancel());
    try {
      return await scope.run(run);
    } finally {
      over = true;
    }
  }

  async function interruption(current: SyncRun): Promise<Ending> {
    if (!cancelled()) return LOST;
    await exclusively(() => stopSync(current));
    return { ended: "cancelled", why: "cancellation was requested in the Temporal UI", next: NEXT };
  }

  function notBegun(): Ending {
    if (!refused) return LOST;
    if (!isRefusal(refused)) throw refused;
    return { ended: "refused", why: reasonOf(refused), next: "nothing here: the sync that is under way goes on" };
  }

  /** Makes the sync findable in the Temporal UI. */
  function describe({ warehouse_code, missing_attributes }: SyncRun): void {
    setAttributes(
      [
        { key: Connector, value: connector },
        { key: WarehouseId, value: warehouse_id },
        { key: WarehouseCode, value: warehouse_code },
        { key: Stage, value: "syncing" },
      ],
      missing_attributes,
    );
  }

  function setStage(value: StageValue): void {
    setAttributes([{ key: Stage, value }], run?.missing_attributes);
  }

  function show(stage: StageValue, what: string, why: string, next: string): void {
    if (stage !== "syncing") setStage(stage);
    wf.setCurrentDetails(detailsText({ where: `${title()}: ${what}`, why, next }));
  }

  function whyBegun(): string {
    return askedBy ? `${askedBy} asked for it` : WHY[begun];
  }

  function title(): string {
    return `${sync_type} of ${connector} for ${run?.warehouse_code ?? `warehouse ${warehouse_id}`}`;
  }

  async function end({ ended, why, next }: Ending): Promise<SyncEnd> {
    wf.setCurrentDetails(detailsText({ where: `${title()} has ended: ${ended}`, why, next }));
    setEnded(ended, run?.missing_attributes ?? (await exclusively(attributesMissingHere)));
    if (ended === "failed") throw businessFailure(SOURCE_FAILED, why);
    if (ended === "cancelled") throw new wf.CancelledFailure(why);
    if (ended === "refused" && begun === "request") throw refusal(why);
    return { ended, ...(progress?.counts ?? NOTHING) };
  }
}

const MISCONFIGURED = "the configuration is mended, and the sync started again; a schedule goes on by itself";
const LOST: Ending = { ended: "superseded", why: "the run was reset or taken over", next: NEXT };

const WHY = {
  // Who did is not known of runs that were continued as new by an older version.
  request: "somebody asked for it",
  schedule: "its schedule asks for it",
  lost: "its workflow was lost and is started again from its row",
};

const summary = (text: string) => ({ summary: text });
