import { Context } from "@temporalio/activity";

/**
 * Runs an activity of which Temporal hears every so often, and how far it is: that of a worker that was killed is
 * missed soon, and begins again on another one.
 * @param run Gets the signal that a cancellation aborts.
 */
export async function withHeartbeat<T>(
  everyMs: number,
  run: (signal: AbortSignal) => Promise<T>,
  progress?: object,
): Promise<T> {
  const context = Context.current();
  const timer = setInterval(() => context.heartbeat(progress), everyMs);
  try {
    return await run(context.cancellationSignal);
  } finally {
    clearInterval(timer);
  }
}
