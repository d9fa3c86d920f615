import { setTimeout as pause } from "node:timers/promises";
import { sealAll, sequenceAll } from "../activities/sequencer.js";
import { log } from "../src/log.js";

/** How long an event may wait for its number; webhooks leave two seconds (spec 6.3). */
const NUMBER_EVERY_MS = 100;
const SEAL_EVERY_MS = 1_000;
const AFTER_FAILURE_MS = 1_000;

/** Numbers events and seals audit rows until stopped; a database that is away is asked again. */
export function runSequencer(): { stop: () => Promise<void> } {
  let running = true;
  const keepDoing = async (
    what: string,
    job: () => Promise<number>,
    everyMs: number,
  ) => {
    while (running) {
      try {
        await job();
        await pause(everyMs);
      } catch (err) {
        log.warn({ err }, `${what} failed, trying again`);
        await pause(AFTER_FAILURE_MS);
      }
    }
  };
  const jobs = [
    keepDoing("numbering of events", sequenceAll, NUMBER_EVERY_MS),
    keepDoing("sealing of audit rows", sealAll, SEAL_EVERY_MS),
  ];
  return {
    stop: async () => {
      running = false;
      await Promise.all(jobs);
    },
  };
}
