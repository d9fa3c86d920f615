import { setTimeout as pause } from "node:timers/promises";
import { sealAll, sequenceAll } from "../activities/maintenance/sequencer.js";
import { log } from "../src/log.js";

/** The longest wait of an event for its number; webhooks may be two seconds late (spec 6.3). */
const NUMBER_EVERY_MS = 100;
const SEAL_EVERY_MS = 1_000;
const AFTER_FAILURE_MS = 1_000;

/** Numbers events and seals audit rows until stopped; retries while the database is unavailable. */
export function runSequencer(): { stop: () => Promise<void> } {
  let running = true;
  const repeat = async (name: string, job: () => Promise<number>, everyMs: number) => {
    while (running) {
      try {
        await job();
        await pause(everyMs);
      } catch (err) {
        log.warn({ err }, `${name} failed, trying again`);
        await pause(AFTER_FAILURE_MS);
      }
    }
  };
  const jobs = [
    repeat("numbering of events", sequenceAll, NUMBER_EVERY_MS),
    repeat("sealing of audit rows", sealAll, SEAL_EVERY_MS),
  ];
  return {
    stop: async () => {
      running = false;
      await Promise.all(jobs);
    },
  };
}
