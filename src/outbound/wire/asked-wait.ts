/**
 * How long somebody asks us to wait, by the header `Retry-After`, in ms: seconds, which some write as `2.0`, or a date;
 * null where it does not.
 */
export function waitAskedFor(retryAfter: string | undefined, now = Date.now()): number | null {
  if (retryAfter === undefined) return null;
  const ms = /^\s*\d+(\.\d+)?\s*$/.test(retryAfter) ? Number(retryAfter) * 1_000 : Date.parse(retryAfter) - now;
  return Number.isNaN(ms) ? null : Math.max(ms, 0);
}
