import { createInterface } from "node:readline";
import type { Case } from "./case.js";
import { runOnce } from "./run.js";
import type { BenchService } from "./service.js";

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
    const { full, alone } = await runOnce(it, service, Math.ceil(it.works * share));
    service.rest();
    console.log(JSON.stringify({ per_second: full.perSecond, p50: alone.p50 }));
  }
}
