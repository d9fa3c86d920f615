import { setTimeout as pause } from "node:timers/promises";
import { patient } from "./machine-speed.js";

/**
 * Waits until the condition holds, asking often at first, then every so often; fails after so long on a usual machine,
 * later on a slower one.
 */
export async function until(holds: () => Promise<boolean> | boolean, withinMs = 10_000, everyMs = 50): Promise<void> {
  const deadline = Date.now() + patient(withinMs);
  for (let asked = 1; !(await holds()); asked++) {
    if (Date.now() > deadline) throw new Error(`condition not met within ${patient(withinMs)} ms`);
    await pause(Math.min(everyMs, 10 * asked));
  }
}
