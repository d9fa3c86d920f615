import { OwnService } from "./faults/own-service.js";
import { Trouble } from "./faults/trouble.js";
import type { Options } from "./options.js";
import { exitCodeOf, finalReport } from "./report.js";
import { type Outcome, simulate } from "./run.js";

/** Days with faults, each of a seed, until one fails. */

export interface FaultyDay extends Outcome {
  /** How many faults happened. */
  faults: number;
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

/** Tries seed after seed; the answer is the exit code. */
export async function trySeeds({ seed, seeds, minutes, speed, hours }: Options, say: Say): Promise<0 | 1> {
  const until = performance.now() + minutes * 60_000;
  let tried = 0;
  for (; tried < seeds && performance.now() < until; tried++) {
    const options = { seed: seed + tried, speed, hours };
    say(`Seed ${options.seed}: a service of its own is started.`);
    const report = await reportOf(options, say);
    if (report === undefined) continue;
    say(`\n${report}\n\nSeed ${options.seed} fails. Again:\n  ${commandOf(options)}`);
    return 1;
  }
  say(`${tried} seed${tried === 1 ? "" : "s"} from ${seed} on: all holds.`);
  return 0;
}

/** Undefined of a day that is as it should be. */
async function reportOf(options: Plan, say: Say): Promise<string | undefined> {
  try {
    const day = await faultyDay(options, say);
    if (exitCodeOf(day) !== 0) return finalReport(day);
    const { figures, measure } = day;
    say(
      `Seed ${options.seed} holds: ${figures.of("ordersIn")} orders in, ${figures.of("ordersShipped")} shipped, ` +
        `${day.faults} faults, ${measure.again} requests sent again; ${day.invariants.length} invariants.`,
    );
    return undefined;
  } catch (error) {
    return String((error as Error).stack);
  }
}

const commandOf = ({ seed, speed, hours }: Plan) =>
  `npm run simulate -- --faults --seed ${seed} --speed ${speed} --hours ${hours}`;
