import { setTimeout as pause } from "node:timers/promises";
import { log } from "../src/platform/log.js";

const AFTER_FAILURE_MS = 1_000;

/** Repeats work with a pause between, until stopped, which also ends a pause; after a failure the pause is longer. */
export function repeating(name: string, job: () => Promise<unknown>, everyMs: number): { stop: () => Promise<void> } {
  const stopping = new AbortController();
  const { signal } = stopping;
  const ended = (async () => {
    while (!signal.aborted) {
      let wait = everyMs;
      try {
        await job();
      } catch (err) {
        log.warn({ err }, `${name} failed, trying again`);
        wait = AFTER_FAILURE_MS;
      }
      await pause(wait, undefined, { signal }).catch(() => {});
    }
  })();
  return {
    stop: async () => {
      stopping.abort();
      await ended;
    },
  };
}
