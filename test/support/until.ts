import { setTimeout as pause } from "node:timers/promises";
import { patient } from "./machine-speed.js";

/**
 * Waits until the condition holds, asking every so often; fails after so long on a usual machine, later on a slower
 * one.
 */
export async function until(holds: () => Promise<boolean> | boolean, withinMs = 10_000, everyMs = 20): Promise<void> {
  const deadline = Date.now() + patient(withinMs);
  while (!(await holds())) {
    if (Date.now() > deadline) throw new Error(`condition not met within ${patient(withinMs)} ms`);
    await pause(everyMs);
  }
}
