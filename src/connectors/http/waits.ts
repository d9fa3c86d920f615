import { waitAskedFor } from "../../outbound/wire/asked-wait.js";

/** The longest that a request waits before it is repeated; if it had to wait longer it is put off. */
export const LONGEST_REPEAT_MS = 60_000;
/** The longest that a source is left alone because it asks for it. */
const LONGEST_ASKED_MS = 3_600_000;

/** How long the source asks us to wait, by its header `Retry-After`; null where it does not. */
export function askedWait(retryAfter: string | undefined, now = Date.now()): number | null {
  const asked = waitAskedFor(retryAfter, now);
  return asked === null ? null : Math.min(asked, LONGEST_ASKED_MS);
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
): number => {
  const asked = askedWait(retryAfter, now);
  return asked === null ? baseMs * (2 ** repeat + random) : Math.min(asked, LONGEST_REPEAT_MS);
};

/** The request rate that an answer allows: a gap between requests, or no limit. */
export type Pace = { gap_ms: number; first_ms: number } | "ample";

/**
 * From the headers of shops: `X-Shopify-Shop-Api-Call-Limit: 39/40`, whose bucket empties within 20 s, and
 * `X-RateLimit-Remaining` with `-Limit`, where less than a tenth counts as few. Undefined without such headers.
 */
export function paceOf(
  status: number,
  headers: Readonly<Record<string, string>>,
  baseMs: number,
  now = Date.now(),
): Pace | undefined {
  const [used, size] = (headers["x-shopify-shop-api-call-limit"] ?? "").split("/").map(Number) as [number, number];
  const gap_ms = size > 0 ? EMPTIES_MS / size : baseMs;
  if (status === 429) {
    const first_ms = askedWait(headers["retry-after"], now) ?? baseMs;
    return { gap_ms: size > 0 ? gap_ms : first_ms, first_ms };
  }
  if (size > 0) return spared(size - used, size, gap_ms, size / 5);
  const left = Number(headers["x-ratelimit-remaining"] ?? Number.NaN);
  const limit = Number(headers["x-ratelimit-limit"] ?? Number.NaN);
  return limit > 0 ? spared(left, limit, gap_ms, limit / 10) : undefined;
}

const EMPTIES_MS = 20_000;

function spared(left: number, limit: number, gap_ms: number, little: number): Pace | undefined {
  if (left < little) return { gap_ms, first_ms: gap_ms };
  return left >= limit / 2 ? "ample" : undefined;
}
