const LONGEST_RETRY_AFTER_MS = 60_000;

/** How long the source asks us to wait, by its header `Retry-After`: seconds, which some write as `2.0`, or a date. */
function asked(retryAfter: string | undefined, now: number): number | undefined {
  if (retryAfter === undefined) return undefined;
  const ms = /^\s*\d+(\.\d+)?\s*$/.test(retryAfter) ? Number(retryAfter) * 1_000 : Date.parse(retryAfter) - now;
  return Number.isNaN(ms) ? undefined : Math.min(Math.max(ms, 0), LONGEST_RETRY_AFTER_MS);
}

/**
 * The wait before a request is repeated, in ms: what the source asks for, at most a minute; otherwise twice as long
 * each time, and up to the base longer at random.
 */
export const retryWait = (
  retryAfter: string | undefined,
  /** Counted from 0. */
  repeat: number,
  baseMs: number,
  now = Date.now(),
  random = Math.random(),
): number => asked(retryAfter, now) ?? baseMs * (2 ** repeat + random);

/** Whether less than a tenth of what the source allows is left. */
export function runsLow(headers: Readonly<Record<string, string>>): boolean {
  const left = Number(headers["x-ratelimit-remaining"] ?? Number.NaN);
  const limit = Number(headers["x-ratelimit-limit"] ?? Number.NaN);
  return limit > 0 && left < limit / 10;
}
