import { Context } from "@temporalio/activity";

/**
 * Runs an activity with periodic heartbeats that carry its progress, so that another worker soon takes it over when its
 * own was killed.
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
