import { type ChildProcess, spawn } from "node:child_process";
import { createInterface } from "node:readline";
import { rounded } from "./rounded.js";
import type { Turn } from "./turns.js";

/** One version's bench, which does works of a case when it is told to. */
interface Side {
  child: ChildProcess;
  turn(name: string, works: number): Promise<Turn | null>;
  /** Starts its API and its worker anew. */
  restart(): Promise<void>;
}

/** A turn of this version, and one of the other. */
type Pair = [Turn, Turn];

/** How a case of this version compares with the other one's, in per cent: above 0 is slower. */
interface Compared {
  name: string;
  pairs: number;
  /** Time of a work: the median of all pairs of turns, and the quarter below and above it. */
  slower: { median: number; low: number; high: number };
  /** Processor time of all processes, over all turns. */
  more_cpu: number;
}

/** Short, so that a machine that is slow for a second is so for both versions. */
const TURN_SECONDS = 0.25;
/** Of two services of one version, one was up to 6 % slower until it ended: so often are they started anew. */
const STARTS = 6;

/**
 * Compares with another checkout of the project: each version has a service of its own, and the two take turns of a
 * quarter of a second, in changing order; what is compared are the two turns of a pair. Each version's code is warm
 * before a pair counts: a process that has just started takes twice as long for a request. API and worker are started
 * anew several times, and halfway the servers too, the other way round.
 */
export async function compareWith(
  checkout: string,
  names: string[],
  { seconds, quick, printLine }: { seconds: number; quick: boolean; printLine(line: string): void },
): Promise<Compared[]> {
  const pairs = new Map<string, Pair[]>(names.map((name) => [name, []]));
  const folders = [process.cwd(), checkout];
  for (const isOtherWayRound of [false, true]) {
    const sides: Side[] = [];
    try {
      // One after the other: each looks for free ports.
      for (const folder of isOtherWayRound ? folders.toReversed() : folders) sides.push(await open(folder, quick));
      const [here, there] = (isOtherWayRound ? sides.toReversed() : sides) as [Side, Side];
      for (let start = 0; start < STARTS / 2; start++) {
        if (start > 0) for (const side of sides) await side.restart();
        for (const name of names) pairs.get(name)?.push(...(await pairsOf(name, here, there, seconds / STARTS)));
      }
    } finally {
      for (const { child } of sides) {
        child.stdin?.end();
        await new Promise((done) => child.once("exit", done));
      }
    }
  }
  const table: Compared[] = [];
  for (const [name, all] of pairs) {
    const compared = all.length > 0 ? comparedOf(name, all) : undefined;
    printLine(compared ? lineOf(compared) : `${name}: not in both`);
    if (compared) table.push(compared);
  }
  return table;
}

/** Pairs of turns that take so many seconds on each side, after half as many that do not count. */
async function pairsOf(name: string, here: Side, there: Side, seconds: number): Promise<Pair[]> {
  const pairs: Pair[] = [];
  let works = 16;
  let warmed = 0;
  let counted = 0;
  for (let round = 0; counted < seconds; round++) {
    const order = round % 2 === 0 ? [here, there] : [there, here];
    const turns = new Map<Side, Turn | null>();
    for (const side of order) turns.set(side, await side.turn(name, works));
    const [ours, theirs] = [turns.get(here), turns.get(there)];
    if (!ours || !theirs) return [];
    const took = (ours.seconds + theirs.seconds) / 2;
    if (warmed < seconds / 2) {
      warmed += took;
      // The size of a turn settles, and stays for all pairs that count.
      works = Math.max(1, Math.round(works * Math.min(2, TURN_SECONDS / took)));
    } else {
      counted += took;
      pairs.push([ours, theirs]);
    }
  }
  return pairs;
}

async function open(folder: string, quick: boolean): Promise<Side> {
  const args = ["src/launcher/bootstrap.mjs", "bench", "--turns", ...(quick ? ["--quick"] : [])];
  const child = spawn(process.execPath, args, { cwd: folder, stdio: ["pipe", "pipe", "inherit"] });
  const lines = createInterface(child.stdout)[Symbol.asyncIterator]();
  const next = async () => {
    const { value, done } = await lines.next();
    if (done) throw new Error(`the bench in ${folder} ended`);
    return JSON.parse(value);
  };
  await next();
  const ask = (line: string) => {
    child.stdin.write(`${line}\n`);
    return next();
  };
  return { child, turn: (name, works) => ask(`${name} ${works}`), restart: () => ask("restart") };
}

function comparedOf(name: string, pairs: Pair[]): Compared {
  const slower = pairs.map(([here, there]) => 100 * (here.seconds / there.seconds - 1)).sort((a, b) => a - b);
  const at = (share: number) => rounded(slower[Math.round((slower.length - 1) * share)] ?? 0);
  const cpuOf = (side: 0 | 1) => pairs.reduce((sum, pair) => sum + pair[side].cpuSeconds, 0);
  return {
    ...{ name, pairs: pairs.length, more_cpu: rounded(100 * (cpuOf(0) / cpuOf(1) - 1)) },
    slower: { median: at(0.5), low: at(0.25), high: at(0.75) },
  };
}

const lineOf = ({ name, pairs, slower: { median, low, high }, more_cpu }: Compared) =>
  `${name.padEnd(28)} ${signed(median)} (${signed(low)} to ${signed(high)}), ` +
  `processor time ${signed(more_cpu)}; ${pairs} pairs`;

const signed = (percent: number) => `${percent > 0 ? "+" : ""}${percent} %`;
