import assert from "node:assert/strict";
import type { Scanner } from "./scanner.js";
import type { Part, Stack } from "./stack.js";
import { until } from "./until.js";

/** How long the service may take until it works again after a kill. */
export const HEALED_WITHIN_MS = 120_000;

const PARTS: Part[] = ["Worker", "API", "Temporal", "Postgres"];

/** Lets everybody do the same again and again, while each process is killed so many times, in turns. */
export async function throughKills(
  stack: Stack,
  scanners: Scanner[],
  rounds: number,
  work: (scanner: Scanner, i: number) => Promise<void>,
): Promise<void> {
  const accepted = () => scanners.reduce((sum, scanner) => sum + scanner.accepted.length, 0);
  let dying = true;
  const works = Promise.all(
    scanners.map(async (scanner, i) => {
      do await work(scanner, i);
      while (dying);
    }),
  );
  const fire = async () => {
    for (const part of Array<Part[]>(rounds).fill(PARTS).flat()) {
      const before = accepted();
      await until(() => accepted() > before + scanners.length, HEALED_WITHIN_MS);
      await stack.kill(part);
    }
  };
  try {
    await Promise.race([fire(), works]);
  } finally {
    dying = false;
  }
  await works;
}

/** Sends all that was accepted again: each is answered as before. */
export async function repeatAll(scanners: Scanner[]): Promise<void> {
  await Promise.all(
    scanners.map(async (scanner) => {
      for (const request of scanner.accepted) assert.deepEqual(await scanner.repeat(request), request.answer);
    }),
  );
}
