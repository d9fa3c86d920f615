import { type ChildProcess, spawn } from "node:child_process";
import { createInterface } from "node:readline";
import { rounded } from "./rounded.js";

/** What a turn comes to: works per second at all connections, and the median at one, in milliseconds. */
interface Turn {
  per_second: number;
  p50: number;
}

/** One version's bench, which runs a case when it is told to. */
interface Side {
  child: ChildProcess;
  turn(name: string): Promise<Turn | null>;
}

/** How a case of this version compares with the other one's, in per cent: above 0 is slower. */
interface Compared {
  name: string;
  rounds: number;
  /** Time of a work at all connections: the median of all rounds, and the quarter below and above it. */
  slower: { median: number; low: number; high: number };
  /** The median of a work's time at one connection. */
  slower_alone: number;
}

/**
 * Compares with another checkout of the project: each version has a service of its own, and the two take turns, case by
 * case and round by round, so that a machine that is slow for a minute is so for both. A round is one turn of each, in
 * changing order; what is compared are the two turns of a round.
 */
export async function compareWith(
  checkout: string,
  names: string[],
  { rounds, quick, printLine }: { rounds: number; quick: boolean; printLine(line: string): void },
): Promise<Compared[]> {
  const sides: Side[] = [];
  try {
    // One after the other: each looks for free ports.
    const here = await open(process.cwd(), quick);
    sides.push(here);
    const there = await open(checkout, quick);
    sides.push(there);
    const table: Compared[] = [];
    for (const name of names) {
      const pairs: [Turn, Turn][] = [];
      for (let round = 0; round < rounds; round++) {
        const order = round % 2 === 0 ? [here, there] : [there, here];
        const turns = new Map<Side, Turn | null>();
        for (const side of order) turns.set(side, await side.turn(name));
        const pair = [turns.get(here), turns.get(there)] as const;
        if (!pair[0] || !pair[1]) break;
        pairs.push([pair[0], pair[1]]);
      }
      if (pairs.length === 0) {
        printLine(`${name}: not in both`);
        continue;
      }
      const compared = comparedOf(name, pairs);
      printLine(lineOf(compared));
      table.push(compared);
    }
    return table;
  } finally {
    for (const { child } of sides) {
      child.stdin?.end();
      await new Promise((done) => child.once("exit", done));
    }
  }
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
  return {
    child,
    turn: (name) => {
      child.stdin.write(`${name}\n`);
      return next();
    },
  };
}

function comparedOf(name: string, pairs: [Turn, Turn][]): Compared {
  const slower = pairs.map(([here, there]) => 100 * (there.per_second / here.per_second - 1)).sort((a, b) => a - b);
  const alone = pairs.map(([here, there]) => 100 * (here.p50 / there.p50 - 1)).sort((a, b) => a - b);
  const at = (of: number[], share: number) => rounded(of[Math.round((of.length - 1) * share)] ?? 0);
  return {
    ...{ name, rounds: pairs.length, slower_alone: at(alone, 0.5) },
    slower: { median: at(slower, 0.5), low: at(slower, 0.25), high: at(slower, 0.75) },
  };
}

const lineOf = ({ name, rounds, slower: { median, low, high }, slower_alone }: Compared) =>
  `${name.padEnd(28)} ${signed(median)} (${signed(low)} to ${signed(high)}), ` +
  `at one connection ${signed(slower_alone)}; ${rounds} rounds`;

const signed = (percent: number) => `${percent > 0 ? "+" : ""}${percent} %`;
