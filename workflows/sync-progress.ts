import { ApplicationFailure } from "@temporalio/workflow";
import { type Counts, SOURCE_FAILED, type SourceFailure, type SyncRun, sumOf } from "../src/connectors/sync.js";
import { innermost, reasonOf } from "../src/platform/temporal/details.js";

/** How far a run is. Passed on when the workflow is continued as new. */
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

/** Adds what became of a page, or of refused records. */
export function add(how: SyncProgress, counts: Counts): void {
  how.counts = sumOf(how.counts, counts);
}

/** What a run has done so far, in words. */
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

/** What a source says names fields and columns, of which people look for the very word. */
export const whyOf = (error: unknown): string =>
  typeOf(error) === SOURCE_FAILED ? (innermost(error) as Error).message : reasonOf(error);

/** What a failure of the source says beside that; those of older releases say nothing. */
export function failureOf(error: unknown): SourceFailure {
  const cause = innermost(error);
  return (cause instanceof ApplicationFailure && (cause.details?.[0] as SourceFailure | undefined)) || {};
}

/** The type of a failure that an activity reported. */
export function typeOf(error: unknown): string {
  const cause = innermost(error);
  return (cause instanceof ApplicationFailure && cause.type) || "";
}
