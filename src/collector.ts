import { setFlagsFromString } from "node:v8";

/**
 * Lets V8 collect young objects on the thread that made them. By default helper threads join in, and it waits for the last of
 * them: where all cores are busy, that is longer than it takes alone.
 */
export function collectAlone(): void {
  setFlagsFromString("--no-parallel-scavenge");
}
