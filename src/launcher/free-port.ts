import { tryPort } from "./ports.js";

/**
 * For servers of tests and simulations, of which many run at once: each process that starts some has ports of its own.
 * They lie below those that the system gives to whoever connects: one of these may be taken at any moment, also while
 * a server is killed and started again.
 */
const PORTS = 100;
const FIRST = 10_000 + (process.pid % 200) * PORTS;
let given = 0;

/** A port that nobody listens on. */
export async function freePort(): Promise<number> {
  for (let tries = 0; tries < PORTS; tries++) {
    try {
      return await tryPort(FIRST + (given++ % PORTS));
    } catch {
      // Somebody listens there.
    }
  }
  throw new Error(`no port from ${FIRST} to ${FIRST + PORTS - 1} is free`);
}
