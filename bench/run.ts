import { setTimeout as pause } from "node:timers/promises";
import { type Case, connectionsOf, times, type Work } from "./case.js";
import { Connection } from "./connection.js";
import { cpuSecondsBelow } from "./cpu.js";
import { best, type Figures, measure } from "./measure.js";
import { type Row, rowOf } from "./report.js";
import type { BenchService } from "./service.js";

export interface Effort {
  rounds: number;
  /** The share of a case's works that a run does. */
  share: number;
}

type Kind = "limit" | "alone" | "full";

/**
 * Measures a case on each service; the services take turns, so that a disturbance meets all of them, and rest between.
 */
export async function runCase(it: Case, services: BenchService[], { rounds, share }: Effort): Promise<Row[]> {
  const all = services.map((service) => ({ service, runs: [] as Record<Kind, Figures>[] }));
  for (let round = 0; round < rounds; round++)
    for (const { service, runs } of all) {
      for (const other of services) other.rest();
      await service.enter();
      await caughtUp();
      runs.push(await runOnce(it, service, Math.ceil(it.works * share)));
    }
  return all.map(({ service, runs }) => {
    const bestOf = (kind: Kind) => best(runs.map((run) => run[kind]));
    const name = service.times === 1 ? it.name : `${it.name} x${service.times}`;
    return rowOf(name, bestOf("full"), bestOf("alone"), bestOf("limit"), it.counts);
  });
}

const LOOK_MS = 300;
const LOOKS = 100;
/** A sixth of a processor; a service without work takes a third of that. */
const BUSY_SECONDS = 0.05;

/**
 * Waits until what was left over is done, half a minute at most: scans are signals, too, which workflows may take in
 * much later.
 */
async function caughtUp(): Promise<void> {
  for (let look = 0; look < LOOKS; look++) {
    const before = cpuSecondsBelow(process.pid);
    await pause(LOOK_MS);
    if (cpuSecondsBelow(process.pid) - before < BUSY_SECONDS) return;
  }
}

/** One run of a case: without HTTP, at one connection and at all, each with its own works. */
async function runOnce(it: Case, service: BenchService, many: number): Promise<Record<Kind, Figures>> {
  const few = fewOf(many);
  const works = await it.prepare(service, 2 * many + 3 * few);
  const directly = times(connectionsOf(it), () => (work: Work) => work.directly());
  await measure(works.splice(0, few), directly);
  const limit = await measure(works.splice(0, many), directly);
  await overHttp(works.splice(0, few), service.port, connectionsOf(it));
  const alone = await overHttp(works.splice(0, few), service.port, 1);
  const full = await overHttp(works.splice(0, many), service.port, connectionsOf(it), it.pauseMs);
  return { limit, alone, full };
}

/** Over new connections: the service ends those that nobody uses while another works alone. */
async function overHttp(works: Work[], port: number, count: number, pauseMs?: number): Promise<Figures> {
  const connections = await Promise.all(times(count, () => Connection.open(port)));
  const figures = await measure(
    works,
    connections.map((to) => (work: Work) => work.served(to)),
    pauseMs,
  );
  for (const connection of connections) connection.close();
  return figures;
}

/** Before each kind so many do not count: connections, prepared statements, compiled code. */
const fewOf = (many: number) => Math.ceil(many / 6);
