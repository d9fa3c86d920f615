import { OwnService } from "./faults/own-service.js";
import { type Fault, kinds } from "./faults/plan.js";
import { Trouble } from "./faults/trouble.js";
import type { Options } from "./options.js";
import { exitCodeOf, finalReport } from "./report.js";
import { type Outcome, simulate } from "./run.js";

/** Days with faults, each of a seed, until one fails. */

export interface FaultyDay extends Outcome {
  /** Those that happened. */
  faults: Fault["what"][];
}

/** What came of seed after seed. */
export interface SeedsTried {
  /** The first one, and how many days held. */
  seed: number;
  held: number;
  hours: number;
  speed: number;
  failed?: { seed: number; command: string };
  /** Of the days that held. */
  orders_in: number;
  orders_shipped: number;
  /** Requests that were sent again. */
  again: number;
  /** How often each kind of fault happened. */
  faults: Record<string, number>;
  invariants: string[];
}

type Plan = Pick<Options, "seed" | "speed" | "hours">;
type Say = (line: string) => void;

/** A day in a service of its own, whose folder stays when the day fails. */
export async function faultyDay({ seed, speed, hours }: Plan, say: Say): Promise<FaultyDay> {
  const service = await OwnService.open();
  const { url, user, password } = service;
  const trouble = new Trouble(service, seed, say);
  let isKept = true;
  try {
    const outcome = await simulate(
      { url, user, password, speed, hours, seed },
      { say: () => {}, began: () => {} },
      trouble,
    );
    isKept = exitCodeOf(outcome) !== 0;
    return { ...outcome, faults: trouble.happened };
  } finally {
    await service.close();
    if (isKept) say(`The logs of its service are in ${service.folder}`);
    else await service.remove();
  }
}

/** Tries seed after seed, until one fails. */
export async function trySeeds({ seed, seeds, minutes, speed, hours }: Options, say: Say): Promise<SeedsTried> {
  const until = performance.now() + minutes * 60_000;
  const faults = Object.fromEntries(Object.values(kinds).map((kind) => [kind, 0]));
  const tried: SeedsTried = {
    ...{ seed, held: 0, hours, speed, orders_in: 0, orders_shipped: 0, again: 0, faults, invariants: [] },
  };
  for (; tried.held < seeds && performance.now() < until; tried.held++) {
    const options = { seed: seed + tried.held, speed, hours };
    say(`Seed ${options.seed}: a service of its own is started.`);
    const day = await dayOrReport(options, say);
    if (typeof day === "string") {
      const command = commandOf(options);
      say(`\n${day}\n\nSeed ${options.seed} fails. Again:\n  ${command}`);
      return { ...tried, failed: { seed: options.seed, command } };
    }
    add(tried, day);
  }
  say(`${tried.held} seed${tried.held === 1 ? "" : "s"} from ${seed} on: all holds.`);
  return tried;
}

function add(tried: SeedsTried, { figures, measure, faults, invariants }: FaultyDay): void {
  tried.orders_in += figures.of("ordersIn");
  tried.orders_shipped += figures.of("ordersShipped");
  tried.again += measure.again;
  for (const fault of faults) tried.faults[kinds[fault]] = (tried.faults[kinds[fault]] ?? 0) + 1;
  tried.invariants = invariants.map(({ name }) => name);
}

/** The report of a day that is not as it should be. */
async function dayOrReport(options: Plan, say: Say): Promise<FaultyDay | string> {
  try {
    const day = await faultyDay(options, say);
    if (exitCodeOf(day) !== 0) return finalReport(day);
    const { figures, measure } = day;
    say(
      `Seed ${options.seed} holds: ${figures.of("ordersIn")} orders in, ${figures.of("ordersShipped")} shipped, ` +
        `${day.faults.length} faults, ${measure.again} requests sent again; ${day.invariants.length} invariants.`,
    );
    return day;
  } catch (error) {
    return String((error as Error).stack);
  }
}

const commandOf = ({ seed, speed, hours }: Plan) =>
  `npm run simulate -- --faults --seed ${seed} --speed ${speed} --hours ${hours}`;
