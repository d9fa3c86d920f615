import { type Case, times, type Work } from "./case.js";
import { Connection } from "./connection.js";
import { best, type Figures, measure } from "./measure.js";
import { type Row, rowOf } from "./report.js";
import type { BenchService } from "./service.js";

export interface Effort {
  rounds: number;
  /** The share of a case's works that a run does. */
  share: number;
}

/** The runs of one case on one service. */
interface Runs {
  service: BenchService;
  limit: Figures[];
  alone: Figures[];
  full: Figures[];
}

/**
 * Measures a case on each service; the services take turns, so that a disturbance meets all of them, and rest between.
 */
export async function runCase(it: Case, services: BenchService[], { rounds, share }: Effort): Promise<Row[]> {
  const all: Runs[] = services.map((service) => ({
    service,
    limit: [],
    alone: [],
    full: [],
  }));
  for (let round = 0; round < rounds; round++)
    for (const runs of all) {
      for (const service of services) service.rest();
      await runs.service.enter();
      await runOnce(it, runs, Math.ceil(it.works * share));
    }
  return all.map(({ service, full, alone, limit }) =>
    rowOf(
      service.times === 1 ? it.name : `${it.name} x${service.times}`,
      best(full),
      best(alone),
      best(limit),
      it.counts,
    ),
  );
}

async function runOnce(it: Case, runs: Runs, many: number): Promise<void> {
  const { service } = runs;
  const few = Math.ceil(many / 6);
  const works = await it.prepare(service, 2 * many + 3 * few);
  const next = (count: number): Work[] => works.splice(0, count);
  const connections = await Promise.all(times(it.connections ?? 16, () => Connection.open(service.port)));
  const served = connections.map((to) => (work: Work) => work.served(to));
  const directly = connections.map(() => (work: Work) => work.directly());
  // Before each kind a few that do not count: connections, prepared statements, compiled code.
  await measure(next(few), directly);
  runs.limit.push(await measure(next(many), directly));
  await measure(next(few), served);
  runs.alone.push(await measure(next(few), served.slice(0, 1)));
  runs.full.push(await measure(next(many), served));
  for (const connection of connections) connection.close();
}
