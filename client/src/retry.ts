import { Unreachable } from "./refusal.js";

export interface RetryOptions {
  /** How long a request may take with all its retries; 30 s. */
  giveUpAfterMs?: number;
  /** How long one attempt may take; 15 s. */
  attemptMs?: number;
  /** The wait before the second attempt, which doubles with each further one up to 5 s; 200 ms. */
  firstWaitMs?: number;
}

const LONGEST_WAIT_MS = 5_000;
/** Too many requests; and what a service or its proxy answers while it starts, stops or is overloaded. */
const AGAIN = new Set([429, 502, 503, 504]);

/** What the server asks to wait, in milliseconds; it may be a number of seconds or a date. */
function askedWait(response: Response): number {
  const value = response.headers.get("retry-after");
  if (!value) return 0;
  const seconds = Number(value);
  return Number.isNaN(seconds) ? Math.max(0, Date.parse(value) - Date.now()) || 0 : seconds * 1_000;
}

/**
 * Sends until there is an answer other than "later", or the time is up; then gives the last answer, or throws
 * `Unreachable` when there was none. The signal of the caller ends it at once.
 */
export async function sendUntilAnswered(
  send: (signal: AbortSignal) => Promise<Response>,
  { giveUpAfterMs = 30_000, attemptMs = 15_000, firstWaitMs = 200 }: RetryOptions,
  caller?: AbortSignal | null,
): Promise<Response> {
  const until = Date.now() + giveUpAfterMs;
  for (let attempt = 0; ; attempt++) {
    const outcome = await attemptOnce(send, attemptMs, caller);
    const answer = outcome instanceof Response ? outcome : undefined;
    if (answer && !AGAIN.has(answer.status)) return answer;
    const backOff = Math.min(LONGEST_WAIT_MS, firstWaitMs * 2 ** attempt) * (0.5 + Math.random() / 2);
    const wait = Math.max(backOff, answer ? askedWait(answer) : 0);
    if (Date.now() + wait > until) {
      if (answer) return answer;
      throw new Unreachable("The service does not answer", { cause: outcome });
    }
    await answer?.body?.cancel();
    await pause(wait, caller);
  }
}

/** One attempt: the answer, or why there was none. Throws only what the caller's signal says. */
async function attemptOnce(send: (signal: AbortSignal) => Promise<Response>, ms: number, caller?: AbortSignal | null) {
  const timeout = AbortSignal.timeout(ms);
  try {
    return await send(caller ? AbortSignal.any([caller, timeout]) : timeout);
  } catch (error) {
    caller?.throwIfAborted();
    return error;
  }
}

function pause(ms: number, caller?: AbortSignal | null): Promise<void> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(end, ms);
    caller?.addEventListener("abort", end);
    function end() {
      clearTimeout(timer);
      caller?.removeEventListener("abort", end);
      if (caller?.aborted) reject(caller.reason);
      else resolve();
    }
  });
}
