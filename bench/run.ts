import { type Case, times, type Work } from "./case.js";
import { Connection } from "./connection.js";
import type { House } from "./house.js";
import { best, type Figures, measure } from "./measure.js";
import { type Row, rowOf } from "./report.js";

export interface Effort {
  rounds: number;
  /** The share of a case's works that a run does. */
  share: number;
}

/** The runs of one case on one house. */
interface Runs {
  house: House;
  limit: Figures[];
  alone: Figures[];
  full: Figures[];
}

/**
 * Measures a case on each house; the houses take turns, so that a disturbance meets all of them, and rest meanwhile.
 */
export async function runCase(it: Case, houses: House[], { rounds, share }: Effort): Promise<Row[]> {
  const all: Runs[] = houses.map((house) => ({
    house,
    limit: [],
    alone: [],
    full: [],
  }));
  for (let round = 0; round < rounds; round++)
    for (const runs of all) {
      for (const house of houses) house.rest();
      await runs.house.enter();
      await runOnce(it, runs, Math.ceil(it.works * share));
    }
  return all.map(({ house, full, alone, limit }) =>
    rowOf(house.times === 1 ? it.name : `${it.name} x${house.times}`, best(full), best(alone), best(limit), it.counts),
  );
}

async function runOnce(it: Case, runs: Runs, many: number): Promise<void> {
  const { house } = runs;
  const few = Math.ceil(many / 6);
  const works = await it.prepare(house, 2 * many + 3 * few);
  const next = (count: number): Work[] => works.splice(0, count);
  const connections = await Promise.all(times(it.connections ?? 16, () => Connection.open(house.port)));
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
