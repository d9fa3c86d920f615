import { log } from "../log.js";

/**
 * A process that cannot stop by itself in this time is ended, unless it says that it needs longer. The launcher waits a
 * little longer.
 */
const STOP_WITHIN_MS = 20_000;

/**
 * Lets a process of the service end in order: once, on SIGTERM, SIGINT, or when the launcher that started it is gone.
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
  // The launcher may have died before this line; then there is no event any more.
  if (process.send && !process.connected) void end("launcher gone");
}

/** Tells the launcher that this process does its work now. Nothing happens when there is no launcher. */
export function ready(): void {
  process.send?.({ ready: true });
}
