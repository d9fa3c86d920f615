import { setTimeout as pause } from "node:timers/promises";
import { sequenceAll } from "../activities/sequencer.js";
import { log } from "../src/log.js";

/** How long an event may wait for its number; webhooks leave two seconds (spec 6.3). */
const EVERY_MS = 100;
const AFTER_FAILURE_MS = 1_000;

/** Numbers events until stopped; a database that is away is asked again. */
export function runSequencer(): { stop: () => Promise<void> } {
  let running = true;
  const loop = (async () => {
    while (running) {
      try {
        await sequenceAll();
        await pause(EVERY_MS);
      } catch (err) {
        log.warn({ err }, "events could not be numbered, trying again");
        await pause(AFTER_FAILURE_MS);
      }
    }
  })();
  return {
    stop: async () => {
      running = false;
      await loop;
    },
  };
}
