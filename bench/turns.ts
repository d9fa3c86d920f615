import { createInterface } from "node:readline";
import { type Case, connectionsOf, times, type Work } from "./case.js";
import { Connection } from "./connection.js";
import { cpuSecondsBelow } from "./cpu.js";
import { measure } from "./measure.js";
import type { BenchService } from "./service.js";

/** What a turn took. */
export interface Turn {
  seconds: number;
  /** Processor time of all processes of the service, its Postgres and its Temporal among them; 0 where /proc is not. */
  cpuSeconds: number;
}

/**
 * For each line on the standard input, such as `receive 200`, does so many works of the case over HTTP, and prints what
 * they took as a line of JSON; `null` for a case that is not there. Works are prepared many at a time, which is not
 * measured. `restart` starts the service's processes anew.
 */
export async function takeTurns(cases: Case[], service: BenchService, share: number): Promise<void> {
  await service.enter();
  const prepared = new Map<Case, Work[]>();
  console.log("[]");
  for await (const line of createInterface(process.stdin)) {
    if (line === "restart") {
      await service.restart();
      console.log("[]");
      continue;
    }
    const [, name, count] = /^(.+) (\d+)$/.exec(line) ?? [];
    const it = cases.find((one) => one.name === name);
    if (!it) {
      console.log("null");
      continue;
    }
    const stock = prepared.get(it) ?? [];
    prepared.set(it, stock);
    const many = Number(count);
    while (stock.length < many) stock.push(...(await it.prepare(service, Math.ceil(it.works * share))));
    const connections = await Promise.all(times(connectionsOf(it), () => Connection.open(service.port)));
    const cpuBefore = cpuSecondsBelow(process.pid);
    const { perSecond } = await measure(
      stock.splice(0, many),
      connections.map((to) => (work: Work) => work.served(to)),
    );
    const turn: Turn = { seconds: many / perSecond, cpuSeconds: cpuSecondsBelow(process.pid) - cpuBefore };
    for (const connection of connections) connection.close();
    console.log(JSON.stringify(turn));
  }
}
