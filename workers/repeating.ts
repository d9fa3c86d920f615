import { setTimeout as pause } from "node:timers/promises";
import { log } from "../src/log.js";

const AFTER_FAILURE_MS = 1_000;

/** Does something again and again, with a pause between, until stopped; after a failure it waits longer. */
export function repeating(name: string, job: () => Promise<unknown>, everyMs: number): { stop: () => Promise<void> } {
  let running = true;
  const ended = (async () => {
    while (running) {
      try {
        await job();
        await pause(everyMs);
      } catch (err) {
        log.warn({ err }, `${name} failed, trying again`);
        await pause(AFTER_FAILURE_MS);
      }
    }
  })();
  return {
    stop: async () => {
      running = false;
      await ended;
    },
  };
}
