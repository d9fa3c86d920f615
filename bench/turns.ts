import { createInterface } from "node:readline";
import { setTimeout as pause } from "node:timers/promises";
import type { Case } from "./case.js";
import { runServed } from "./run.js";
import type { BenchService } from "./service.js";

/** A worker that was stopped has missed a few timers. */
const SETTLING_MS = 1_000;

/**
 * Runs a case once for each line with its name on the standard input, and prints its figures as a line of JSON; `null`
 * for a case that is not there.
 */
export async function takeTurns(cases: Case[], service: BenchService, share: number): Promise<void> {
  console.log("[]");
  for await (const name of createInterface(process.stdin)) {
    const it = cases.find((one) => one.name === name);
    if (!it) {
      console.log("null");
      continue;
    }
    await service.enter();
    await pause(SETTLING_MS);
    const { full, alone } = await runServed(it, service, Math.ceil(it.works * share));
    service.rest();
    console.log(JSON.stringify({ per_second: full.perSecond, p50: alone.p50 }));
  }
}
