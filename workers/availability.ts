import { collectAvailability } from "../activities/outbound/channels/collect.js";
import { repeating } from "./repeating.js";

/** The longest that changed availability waits before it is marked for the channels. */
const COLLECT_EVERY_MS = 200;

/** Marks what channels are to be told of changed availability, until stopped; also while nothing is sent to them. */
export const runAvailability = (): { stop: () => Promise<void> } =>
  repeating(
    "marking of changed availability",
    async () => {
      while (await collectAvailability());
    },
    COLLECT_EVERY_MS,
  );
