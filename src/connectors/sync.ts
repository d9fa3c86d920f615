import type { SyncType } from "./connector.js";

/** The messages of the workflow `connectorSync`. Types and pure functions only, for the workflow. */

/** What is synced: one workflow and one row of `sync_state`. */
export interface SyncKey {
  connector: string;
  warehouse_id: number;
  sync_type: SyncType;
}

/** What the workflow begins with. */
export interface SyncStart extends SyncKey {
  /** By a request, by its schedule, or again for a row whose workflow was lost. */
  begun: "request" | "schedule" | "lost";
  /** The wait between two attempts. */
  retry_delay_ms: number;
}

/** A run that holds its row. */
export interface SyncRun extends SyncKey {
  run_id: string;
  workflow_id: string;
  warehouse_code: string;
  /** From which change on it reads, by the clock of the source; null for everything. */
  since: string | null;
  started_at: string;
}

/** What became of records. */
export interface Counts {
  /** Records that the source sent. */
  read: number;
  written: number;
  /** Here in this version already, or of no concern to us. */
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

/** How far a run was before a page. */
export interface SoFar {
  pages: number;
  counts: Counts;
}

export interface PageResult extends Counts {
  /** Where the next page begins; null after the last one. */
  next: string | null;
  /** The newest change, by the clock of the source. */
  newest: string | null;
}

/** How far a run is. Passed on when its workflow is continued as new. */
export interface SyncProgress {
  run: SyncRun;
  /** Who asked for it; not known of a run that its schedule began, or that was lost. */
  asked_by?: string | undefined;
  attempt: number;
  page: number;
  cursor: string | null;
  newest: string | null;
  counts: Counts;
  /** When the first page was asked for, in ms. */
  began: number;
  /** Whether the records that were refused before were tried again. */
  tried_refused?: boolean;
  /** Since when its source is waited for, in ms. */
  waits_since?: number | undefined;
}

/** What a heartbeat of a page tells. */
export interface PageProgress {
  stage: "fetching" | "writing";
  read: number;
  done: number;
}

/** A source failed: the run is tried again after a while. */
export const SOURCE_FAILED = "SourceFailed";
/** What such a failure says beside its message. */
export interface SourceFailure {
  /** It is left alone, or asks to be: after so many ms it may be asked again, null where nobody knows. No attempt. */
  away?: { wait_ms: number | null };
  /** The configuration is at fault: asked again, it would say the same. */
  misconfigured?: boolean;
}
/** The run no longer holds its row: it was reset, or another took it over. */
export const RUN_LOST = "RunLost";

/** How long a source is waited for that is away. */
export const SYNC_WAITS_FOR_MS = 86_400_000;

/** Attempts of a run (docs/interface.md, Connectors). */
export const SYNC_ATTEMPTS = 3;

export interface SyncActivities {
  /** Fetches a page and writes its records. Workflows of releases before 0.4 do not say how far they are. */
  syncPage(run: SyncRun, cursor: string | null, soFar?: SoFar): Promise<PageResult>;
  /** Tries the records once more that were refused before. */
  retryRefused(run: SyncRun): Promise<PageResult>;
  /** Asks the source whether it answers; gives what it said. */
  checkSource(run: SyncRun): Promise<string>;
}

export const syncWorkflowId = ({ connector, warehouse_id, sync_type }: SyncKey) =>
  `connector-sync-${connector}-${warehouse_id}-${sync_type}`;
