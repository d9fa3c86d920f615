import type { SyncType } from "./connector.js";

/** The messages of the workflow `connectorSync`. Types and pure functions only, for the workflow. */

/** What is synced: connector, warehouse and type have one workflow and one row of `sync_state`. */
export interface SyncKey {
  connector: string;
  warehouse_id: number;
  sync_type: SyncType;
}

/** What the workflow begins with. */
export interface SyncStart extends SyncKey {
  /** Started by a request, by its schedule, or again for a row whose workflow was lost. */
  begun: "request" | "schedule" | "lost";
  /** The wait between two attempts. */
  retry_delay_ms: number;
}

/** A run that holds its row. */
export interface SyncRun extends SyncKey {
  run_id: string;
  workflow_id: string;
  warehouse_code: string;
  /** The change from which it reads, by the source's clock; null for everything. */
  since: string | null;
  started_at: string;
}

/** Counts of records by outcome. */
export interface Counts {
  /** Records that the source sent. */
  read: number;
  written: number;
  /** Stored in this version already, or of no concern to this service. */
  known: number;
  refused: number;
}

export const NOTHING: Counts = { read: 0, written: 0, known: 0, refused: 0 };

export const sumOf = (a: Counts, b: Counts): Counts => ({
  read: a.read + b.read,
  written: a.written + b.written,
  known: a.known + b.known,
  refused: a.refused + b.refused,
});

/** The progress of a run before a page. */
export interface SoFar {
  pages: number;
  counts: Counts;
}

export interface PageResult extends Counts {
  /** The beginning of the next page; null after the last one. */
  next: string | null;
  /** The newest change, by the clock of the source. */
  newest: string | null;
}

/** The progress of a run. Passed on when its workflow is continued as new. */
export interface SyncProgress {
  run: SyncRun;
  /** The user who started it; unknown for a run of its schedule, or one that was lost. */
  asked_by?: string | undefined;
  attempt: number;
  page: number;
  cursor: string | null;
  newest: string | null;
  counts: Counts;
  /** When the first page was asked for, in ms. */
  began: number;
  /** Whether the refused records were tried again. */
  tried_refused?: boolean;
  /** The time since which it waits for the source, in ms. */
  waits_since?: number | undefined;
}

/** The details of a page's heartbeat. */
export interface PageProgress {
  stage: "fetching" | "writing";
  read: number;
  done: number;
}

/** The source failed: the run is tried again later. */
export const SOURCE_FAILED = "SourceFailed";
/** The details of such a failure, besides its message. */
export interface SourceFailure {
  /**
   * The source is unavailable, or asks to wait: the ms after which it may be asked again, null where that is unknown.
   * This is not an attempt.
   */
  away?: { wait_ms: number | null };
  /** The configuration is at fault: asking again would give the same error. */
  misconfigured?: boolean;
}
/** The run does not hold its row any more: it was reset, or another run took over. */
export const RUN_LOST = "RunLost";

/** The longest that an unavailable source is waited for. */
export const SYNC_WAITS_FOR_MS = 86_400_000;

/** Attempts of a run (docs/interface.md, Connectors). */
export const SYNC_ATTEMPTS = 3;

export interface SyncActivities {
  /** Fetches a page and writes its records. Workflows of releases before 0.4 do not say how far they are. */
  syncPage(run: SyncRun, cursor: string | null, soFar?: SoFar): Promise<PageResult>;
  /** Tries the refused records again. */
  retryRefused(run: SyncRun): Promise<PageResult>;
  /** Tests whether the source answers; returns its text. */
  checkSource(run: SyncRun): Promise<string>;
}

export const syncWorkflowId = ({ connector, warehouse_id, sync_type }: SyncKey) =>
  `connector-sync-${connector}-${warehouse_id}-${sync_type}`;
