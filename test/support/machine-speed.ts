import { pbkdf2Sync } from "node:crypto";
import type { Runnable, Suite } from "mocha";

/**
 * How long the hashing below takes on a machine with nothing else to do, for which the limits of the tests were chosen.
 */
const USUAL_MS = 120;

function measured(): number {
  const begun = performance.now();
  pbkdf2Sync("password", "salt", 100_000, 64, "sha512");
  return Math.max(1, (performance.now() - begun) / USUAL_MS);
}

/**
 * How much slower this machine is than usual, at least 1: by its processor, or because others use it.
 * `TEST_TIME_FACTOR` says it instead. Every limit on waiting is multiplied by it; no test asserts how long something
 * took.
 */
export const TIME_FACTOR = Number(process.env.TEST_TIME_FACTOR) || measured();
// Processes that a test starts wait as long.
process.env.TEST_TIME_FACTOR = `${TIME_FACTOR}`;

/** A limit for this machine, in whole milliseconds. */
export const patient = (ms: number): number => Math.round(ms * TIME_FACTOR);

type Kind = "beforeAll" | "beforeEach" | "afterAll" | "afterEach";
/** Mocha's types leave this one out. */
type Hooked = Suite & { getHooks(kind: Kind): Runnable[] };

/** Gives every test and hook below a suite the time that it takes on this machine. */
export function stretchTimeouts(suite: Suite): void {
  const hooks = (["beforeAll", "beforeEach", "afterAll", "afterEach"] as const).flatMap((kind) =>
    (suite as Hooked).getHooks(kind),
  );
  for (const runnable of [...hooks, ...suite.tests]) runnable.timeout(patient(runnable.timeout()));
  for (const inner of suite.suites) stretchTimeouts(inner);
}
