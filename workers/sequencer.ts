import { sealAll, sequenceAll } from "../activities/outbound/sequencer.js";
import { repeating } from "./repeating.js";

/** The longest wait of an event for its number; webhooks may be two seconds late (docs/interface.md, Webhooks). */
const NUMBER_EVERY_MS = 100;
const SEAL_EVERY_MS = 1_000;

/** Numbers events and seals audit rows until stopped; retries while the database is unavailable. */
export function runSequencer(): { stop: () => Promise<void> } {
  const jobs = [
    repeating("numbering of events", sequenceAll, NUMBER_EVERY_MS),
    repeating("sealing of audit rows", sealAll, SEAL_EVERY_MS),
  ];
  return {
    stop: async () => {
      await Promise.all(jobs.map((job) => job.stop()));
    },
  };
}
