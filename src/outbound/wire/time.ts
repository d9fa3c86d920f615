import { Failure } from "./failure.js";

/** Runs something with a signal that is aborted after the timeout, or with the outer signal. */
export async function withinTime<T>(
  totalTimeoutMs: number,
  outer: AbortSignal | undefined,
  run: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const inner = new AbortController();
  const stop = () => inner.abort(new Failure("unknown", "The sender was stopped"));
  const timer = setTimeout(() => {
    inner.abort(new Failure("timeout", `Not done within ${totalTimeoutMs} ms`));
  }, totalTimeoutMs);
  outer?.addEventListener("abort", stop);
  if (outer?.aborted) stop();
  try {
    return await run(inner.signal);
  } finally {
    clearTimeout(timer);
    outer?.removeEventListener("abort", stop);
  }
}

/** Makes a promise abortable: rejects with the reason of the signal. */
export function unlessAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const giveUp = () => reject(signal.reason);
    if (signal.aborted) giveUp();
    signal.addEventListener("abort", giveUp, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener("abort", giveUp));
  });
}
