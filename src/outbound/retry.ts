/**
 * What is sent outside, and tried again by a workflow where it failed: events, messages to people, pushes to shops.
 * Types and pure functions: workflows import them.
 */

/** How the retry workflow of something is started. */
export interface Retry {
  workflow: string;
  workflowId: string;
  args: unknown[];
  staticSummary: string;
}

/** The result of an attempt; `next` when there will be another one. */
export interface Attempted<Ended> {
  ended?: Ended;
  /** `waits_for` where it is not a failure that it waits after. */
  next?: { attempt: number; wait_ms: number; waits_for?: string };
  /** The kind of failure of the last attempt, and its HTTP status. */
  failure?: string;
}

/** What comes after an attempt that failed, of which this is the number. */
export const tryAgain = (
  { error_kind, http_status }: { error_kind: string | null; http_status: number | null },
  attempt: number,
  wait_ms: number,
) => ({ failure: [error_kind, http_status].filter(Boolean).join(" "), next: { attempt: attempt + 1, wait_ms } });

export const MAX_ATTEMPTS = 8;
const JITTER = 0.1;
const SHORTEST_MS = 1_000;

/**
 * How long to wait after a failed attempt: its delay, 10 % more or less, and never under a second unless the schedule
 * itself is shorter (as tests have it). Where the destination asks for a longer wait, that, up to the longest delay of
 * the schedule.
 * @param random From 0 to 1.
 */
export function retryDelay(failedAttempt: number, delays: readonly number[], random: number, askedMs = 0): number {
  const delay = delays[failedAttempt - 1] as number;
  const jittered = Math.round(delay * (1 + JITTER * (2 * random - 1)));
  const asked = Math.min(Math.ceil(askedMs), Math.max(...delays));
  return Math.max(jittered, Math.min(delay, SHORTEST_MS), asked);
}
