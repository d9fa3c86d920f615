import { ApplicationFailure, ApplicationFailureCategory, CancelledFailure } from "@temporalio/common";
import { eachAlone, keepable } from "../../src/connectors/alone.js";
import {
  type Connector,
  type Page,
  SourceAway,
  SourceError,
  SourceMisconfigured,
  type SourceRecord,
  type SourceStock,
} from "../../src/connectors/connector.js";
import { connectorOf } from "../../src/connectors/registry.js";
import {
  type PageProgress,
  type PageResult,
  SOURCE_FAILED,
  type SourceFailure,
  type SyncActivities,
  type SyncRun,
  sumOf,
} from "../../src/connectors/sync.js";
import { databaseBusy, databaseUnavailable } from "../../src/platform/db/db.js";
import { withHeartbeat } from "../heartbeat.js";
import { forgetRefusals, isStock, refusedRecords } from "./refused-records.js";
import { type OpenSource, openSource, type SourceOptions } from "./source.js";
import { noteProgress, noteWait } from "./sync-runs.js";
import { checkHeld } from "./sync-state.js";
import { writePage } from "./write-page.js";

/** Interval of heartbeats; a worker that was killed is noticed after five of them. */
const HEARTBEAT_MS = 2_000;
/** The most refused records that one run tries again. */
const MOST_REFUSED = 1_000;
/** The most refused records that one run reads again, which takes at least a request each. */
const MOST_READ_AGAIN = 100;

/** The activities with which the workflow `connectorSync` uses a source. */
export const syncActivities = (options: SourceOptions): SyncActivities => ({
  syncPage: (run, cursor, soFar) =>
    withProgressHeartbeat(async (signal, progress) => {
      await checkHeld(run);
      const connector = installed(run);
      const source = await openOrFail(connector, run, options, signal);
      progress.stage = "fetching";
      const {
        records,
        next,
        newest = null,
      } = await callSource(run, source, signal, () => pageOf(connector, run, source, cursor));
      if (next !== null && next === cursor) throw sourceFailed("its next page is the same one again");
      // Opening the source may take long, so another run may have taken over.
      await checkHeld(run);
      const shown = records.map((record) => withoutSecrets(record, source));
      const counts = await write(connector, run, shown, signal, progress);
      if (soFar) await noteProgress(run.run_id, soFar.pages + 1, sumOf(soFar.counts, counts));
      return { next, newest, ...counts };
    }),

  retryRefused: (run) =>
    withProgressHeartbeat(async (signal, progress) => {
      await checkHeld(run);
      const connector = installed(run);
      const again = await readAgain(connector, run, options, signal);
      const records = [...(await refusedRecords(run, MOST_REFUSED)), ...again.records];
      const counts = await write(connector, run, records, signal, progress, true);
      if (again.settled.length > 0) await forgetRefusals(run, again.settled);
      return { next: null, newest: null, ...counts };
    }),

  checkSource: (run) =>
    withProgressHeartbeat(async (signal) => {
      const connector = installed(run);
      const source = await openOrFail(connector, run, options, signal);
      return source.cleaned(await callSource(run, source, signal, () => connector.testConnection(source)));
    }),
});

/**
 * Reads again, one by one, the records that could not be read before. One that can be read now, or no longer exists, is
 * settled.
 */
async function readAgain(connector: Connector, run: SyncRun, options: SourceOptions, signal: AbortSignal) {
  const records: SourceRecord[] = [];
  const settled: string[] = [];
  const unreadable = connector.readAgain ? await refusedRecords(run, MOST_READ_AGAIN, "unreadable") : [];
  if (unreadable.length === 0) return { records, settled };
  try {
    const source = await openSource(connector, run.warehouse_id, options, signal);
    for (const record of unreadable) {
      if (isStock(record)) continue;
      const { resource, external_id, payload } = record;
      const read = await eachAlone(
        [payload],
        () => record,
        async () => (await connector.readAgain?.(source, resource, external_id)) ?? [],
      );
      records.push(...read.map((one) => withoutSecrets(one, source)));
      if (read.every((one) => one.unreadable === undefined)) settled.push(external_id);
    }
  } catch (error) {
    if (signal.aborted || databaseUnavailable(error) || databaseBusy(error)) throw error;
    // The source does not answer, or the connector fails: reading the first page will report it.
  }
  return { records, settled };
}

const withoutSecrets = <R extends SourceRecord | SourceStock>(record: R, source: OpenSource): R =>
  "unreadable" in record && record.unreadable !== undefined
    ? { ...record, unreadable: source.cleaned(record.unreadable) }
    : record;

async function write(
  connector: Connector,
  run: SyncRun,
  records: (SourceRecord | SourceStock)[],
  signal: AbortSignal,
  progress: PageProgress,
  again = false,
): Promise<Omit<PageResult, "next" | "newest">> {
  Object.assign(progress, { stage: "writing", read: records.length } satisfies Partial<PageProgress>);
  const onDone = () => void progress.done++;
  const kept = records.map((record) => (isStock(record) ? record : keepable(record)));
  const counts = await writePage(connector, run, kept, signal, onDone, again);
  return { read: records.length, ...counts };
}

function installed({ connector: name }: SyncRun): Connector {
  const connector = connectorOf(name);
  if (!connector) throw sourceFailed(`this worker has no connector ${name}`);
  return connector;
}

/** Asks for a page. A type that a connector does not sync has none. */
async function pageOf(
  connector: Connector,
  { sync_type, since }: SyncRun,
  source: OpenSource,
  cursor: string | null,
): Promise<Page<SourceRecord | SourceStock>> {
  const from = { since, cursor };
  const none = { records: [], next: null };
  if (sync_type === "orders") return (await connector.syncOrders?.(source, from)) ?? none;
  if (sync_type === "items") return (await connector.syncItems?.(source, from)) ?? none;
  return (await connector.syncInventory?.(source, from)) ?? none;
}

/** Opens the source. An incomplete configuration fails the run. */
const openOrFail = (connector: Connector, { warehouse_id }: SyncRun, options: SourceOptions, signal: AbortSignal) =>
  openSource(connector, warehouse_id, options, signal).catch((error) => {
    throw error instanceof SourceError ? sourceFailed(error.message, { misconfigured: true }) : error;
  });

/**
 * Runs an operation of a connector. Any error counts as the source's failure, as a connector that does not understand
 * an answer may throw anything.
 */
async function callSource<T>(
  run: SyncRun,
  source: OpenSource,
  signal: AbortSignal,
  operation: () => Promise<T>,
): Promise<T> {
  try {
    return await operation();
  } catch (error) {
    if (signal.aborted || error instanceof CancelledFailure) throw error;
    const { name, message } = error as Error;
    const said = source.cleaned(error instanceof SourceError ? message : `unexpected answer (${name}: ${message})`);
    const away = awayOf(error);
    if (away) await noteWait(run.run_id, said);
    throw sourceFailed(said, { ...(away && { away }), misconfigured: error instanceof SourceMisconfigured });
  }
}

/** A source that asks to wait, or whose circuit is open, is waited for; one that fails is asked three times. */
const awayOf = (error: unknown): SourceFailure["away"] =>
  error instanceof SourceAway && (error.status === 429 || error.wait_ms !== null)
    ? { wait_ms: error.wait_ms }
    : undefined;

/** Not a fault of this service: shown to people, and retried by the workflow. */
function sourceFailed(message: string, how: SourceFailure = {}): ApplicationFailure {
  const category = ApplicationFailureCategory.BENIGN;
  const failure = ApplicationFailure.create({
    ...{ type: SOURCE_FAILED, message, nonRetryable: true, category },
    details: [how],
  });
  // A stack means nothing to the people who read the reason.
  failure.stack = "";
  return failure;
}

/** Runs an activity that heartbeats its progress, and that a cancellation ends. */
function withProgressHeartbeat<T>(run: (signal: AbortSignal, progress: PageProgress) => Promise<T>): Promise<T> {
  const progress: PageProgress = { stage: "fetching", read: 0, done: 0 };
  return withHeartbeat(HEARTBEAT_MS, (signal) => run(signal, progress), progress);
}
