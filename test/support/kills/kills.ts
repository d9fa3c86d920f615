import assert from "node:assert/strict";
import { patient } from "../machine-speed.js";
import type { Scanner } from "../scanner.js";
import type { Part, Stack } from "../stack.js";
import { until } from "../until.js";

/** How long the service may take until it works again after a kill. */
export const HEALED_WITHIN_MS = patient(120_000);

const PARTS: Part[] = ["Worker", "API", "Temporal", "Postgres"];

/** Work of one kind that goes through workflows, and the people who do it. */
export interface Work {
  scanners: Scanner[];
  /** One piece of it, from its beginning to its end. */
  walk(scanner: Scanner, i: number): Promise<void>;
  /** Begins some and leaves them; says how many workflows wait, and what ends them. */
  leaveOpen(): Promise<{ waiting: number; end: () => Promise<void> }>;
  /** What the rows say was done; fails where that is not what was accepted. */
  done(): Promise<object>;
}

/** Lets everybody work, while each process is killed so many times, in turns, and each kind of work goes on. */
export async function throughKills(stack: Stack, works: Work[], rounds: number): Promise<void> {
  const accepted = () => works.map(({ scanners }) => scanners.reduce((sum, one) => sum + one.accepted.length, 0));
  let dying = true;
  const walks = Promise.all(
    works.flatMap((work) =>
      work.scanners.map(async (scanner, i) => {
        do await work.walk(scanner, i);
        while (dying);
      }),
    ),
  );
  const kill = async () => {
    for (const part of Array<Part[]>(rounds).fill(PARTS).flat()) {
      const before = accepted();
      const goesOn = () => accepted().every((now, i) => now > (before[i] ?? 0) + (works[i]?.scanners.length ?? 0));
      await until(goesOn, HEALED_WITHIN_MS);
      await stack.kill(part);
    }
  };
  try {
    await Promise.race([kill(), walks]);
  } finally {
    dying = false;
  }
  await walks;
}

/**
 * Sends all that was accepted again: each is answered as before.
 * @param mayHaveMore Whether the first answer may be of an earlier release, which knew fewer fields.
 */
export async function repeatAll(scanners: Scanner[], mayHaveMore = false): Promise<void> {
  await Promise.all(
    scanners.map(async (scanner) => {
      for (const request of scanner.accepted) {
        const again = await scanner.repeat(request);
        assert.deepEqual(again, mayHaveMore ? { ...again, ...request.answer } : request.answer);
      }
    }),
  );
}
