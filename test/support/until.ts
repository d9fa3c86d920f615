import { setTimeout as pause } from "node:timers/promises";

/** Waits until the condition holds; fails after `withinMs`. */
export async function until(
  holds: () => Promise<boolean> | boolean,
  withinMs = 10_000,
): Promise<void> {
  const deadline = Date.now() + withinMs;
  while (!(await holds())) {
    if (Date.now() > deadline)
      throw new Error(`condition not met within ${withinMs} ms`);
    await pause(20);
  }
}
