import { log } from "../platform/log.js";

/** By default, a process that has not stopped after this time exits. The launcher waits a little longer. */
const STOP_WITHIN_MS = 20_000;

/**
 * Stops a process of the service in order: on SIGTERM, SIGINT, or when the launcher that started it has ended.
 *
 * ```ts
 * const server = await listen();
 * runAsChild({ stop: () => server.close() });
 * ready();
 * ```
 */
export function runAsChild({
  stop,
  stopWithinMs = STOP_WITHIN_MS,
}: {
  stop: () => Promise<void>;
  stopWithinMs?: number;
}): void {
  let stopping = false;
  const end = async (why: string) => {
    if (stopping) return;
    stopping = true;
    log.info({ why }, "stopping");
    setTimeout(() => {
      log.error(`not stopped within ${stopWithinMs / 1000} s, exiting`);
      process.exit(1);
    }, stopWithinMs).unref();
    try {
      await stop();
      process.exit(0);
    } catch (error) {
      log.error(error, "could not stop in order");
      process.exit(1);
    }
  };
  process.on("SIGTERM", end);
  process.on("SIGINT", end);
  process.on("disconnect", () => end("launcher gone"));
  // If the launcher ended before this line, there is no event.
  if (process.send && !process.connected) void end("launcher gone");
}

/** Reports to the launcher, if there is one, that this process is ready. */
export function ready(): void {
  process.send?.({ ready: true });
}
