/** The texts of a sync in the Temporal UI. */

import { type SourceFailure, SYNC_ATTEMPTS, type SyncProgress, type SyncStart } from "../../src/connectors/sync.js";
import { clock, reasonOf } from "../../src/platform/temporal/details.js";
import type { Ending } from "../process.js";

export type SyncEnded = "completed" | "failed" | "cancelled" | "superseded" | "refused";
export type SyncEnding = Ending<SyncEnded>;

const NEXT = "nothing here: the next sync begins where the last complete one ended";

const WHY = {
  // Runs that an older version continued as new do not know who started them.
  request: "somebody asked for it",
  schedule: "its schedule asks for it",
  lost: "its workflow was lost and is started again from its row",
};

export const titleOf = ({ sync_type, connector, warehouse_id }: SyncStart, warehouseCode: string | undefined): string =>
  `${sync_type} of ${connector} for ${warehouseCode ?? `warehouse ${warehouse_id}`}`;

export const whyBegun = ({ begun }: SyncStart, askedBy: string | undefined): string =>
  askedBy ? `${askedBy} asked for it` : WHY[begun];

/** What a run has done so far. */
export function reached({ page, counts: { read, written, known, refused }, began }: SyncProgress): string {
  if (page === 0 && read === 0) return "nothing is read yet";
  const seconds = Math.max(1, (Date.now() - began) / 1000);
  const parts = [
    `${page} page(s) with ${read} record(s) read, ${Math.round(read / seconds)} a second`,
    `${written} written`,
  ];
  if (known > 0) parts.push(`${known} here already`);
  if (refused > 0) parts.push(`${refused} refused, which the next sync tries again`);
  return parts.join("; ");
}

export function pageSummary({ page, attempt }: SyncProgress): string {
  const again = attempt > 1 ? `, attempt ${attempt} of ${SYNC_ATTEMPTS}` : "";
  return `Page ${page + 1}${again}`;
}

/** A wait before the source is asked again. */
export interface Pause {
  ms: number;
  what: string;
  due: string;
}

export function away(progress: SyncProgress, source: SourceFailure["away"], retryDelayMs: number): Pause {
  const ms = Math.max(source?.wait_ms ?? 0, retryDelayMs, 1);
  const due = `it is asked again at ${clock(Date.now() + ms)}`;
  return { ms, what: `${reached(progress)}; it waits for its source`, due };
}

export function failedOnce(progress: SyncProgress, ms: number): Pause {
  const due = `attempt ${progress.attempt} of ${SYNC_ATTEMPTS} at ${clock(Date.now() + ms)}`;
  return { ms, what: `${reached(progress)}, then the source failed`, due };
}

export const completed = (why: string): SyncEnding => ({ ended: "completed", why, next: NEXT });

export const LOST: SyncEnding = { ended: "superseded", why: "the run was reset or taken over", next: NEXT };

export const CANCELLED: SyncEnding = {
  ended: "cancelled",
  why: "cancellation was requested in the Temporal UI",
  next: NEXT,
};

export const misconfigured = (why: string): SyncEnding => ({
  ended: "failed",
  why,
  next: "the configuration is mended, and the sync started again; a schedule goes on by itself",
});

export const failed = (why: string): SyncEnding => ({
  ended: "failed",
  why: `all ${SYNC_ATTEMPTS} attempts failed, the last one: ${why}`,
  next: "the cause is mended, and the sync started again; a schedule goes on by itself",
});

export const refused = (error: unknown): SyncEnding => ({
  ended: "refused",
  why: reasonOf(error),
  next: "nothing here: the sync that is under way goes on",
});
