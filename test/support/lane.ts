import { readFileSync } from "node:fs";
import { format } from "node:util";
import Mocha from "mocha";
import { cpuSecondsFrom, pidsBelow } from "../../bench/cpu.js";
import { unseenOutcomes } from "./inspect.js";
import { mochaGlobalSetup, mochaGlobalTeardown, mochaHooks } from "./servers.js";

/**
 * One of the processes of `npm test`: starts servers of its own, then runs each test file that it is given, and says
 * what came of it, until it is told that there are no more.
 */

/** What came of a test file. */
export interface Ran {
  file: string;
  ms: number;
  /** Seconds of processor time of this lane, its servers and what else it started. */
  cpuSeconds: number;
  passes: number;
  failures: number;
  /** Mocha's account of what failed. */
  said: string;
}
export type FromLane = { ready: true } | { ran: Ran } | { unseen: string[] };
export type ToLane = { run: string } | { end: true };

const { timeout } = JSON.parse(readFileSync(".mocharc.json", "utf8")) as { timeout: number };

let said: string[] = [];
Object.assign(Mocha.reporters.Base, { consoleLog: (...what: unknown[]) => void said.push(format(...what)) });

/** Says nothing of what passes. */
class OfFailures extends Mocha.reporters.Base {
  constructor(runner: Mocha.Runner, options: Mocha.MochaOptions) {
    super(runner, options);
    runner.once("end", () => {
      if (this.stats.failures > 0) this.epilogue();
    });
  }
}

async function run(file: string): Promise<Ran> {
  said = [];
  const mocha = new Mocha({ timeout, reporter: OfFailures, rootHooks: mochaHooks });
  mocha.addFile(file);
  await mocha.loadFilesAsync();
  const begun = performance.now();
  const cpuBefore = cpuSecondsFrom(process.pid);
  const stats = await new Promise<Mocha.Stats>((resolve) => {
    const runner = mocha.run(() => resolve(runner.stats as Mocha.Stats));
  });
  const { passes, failures } = stats;
  mocha.dispose();
  const ms = performance.now() - begun;
  return { file, ms, cpuSeconds: cpuSecondsFrom(process.pid) - cpuBefore, passes, failures, said: said.join("\n") };
}

/** When the run is broken off, nothing stays that a test has started: Temporal's SDK keeps signals from ending this. */
async function breakOff(): Promise<void> {
  await mochaGlobalTeardown();
  for (const pid of pidsBelow(process.pid)) {
    try {
      process.kill(pid, "SIGKILL");
    } catch {
      // It has just ended, with the one that had started it.
    }
  }
  process.exit(1);
}

const tell = (what: FromLane) => new Promise<void>((resolve) => process.send?.(what, () => resolve()));

process.on("message", async (asked: ToLane) => {
  if ("end" in asked) {
    await mochaGlobalTeardown();
    await tell({ unseen: unseenOutcomes() });
    process.exit();
  }
  const { run: file } = asked;
  // A file that cannot be loaded has no tests that could fail.
  const unloaded = (error: Error): Ran => ({ file, ms: 0, cpuSeconds: 0, passes: 0, failures: 1, said: format(error) });
  await tell({ ran: await run(file).catch(unloaded) });
});
process.once("disconnect", breakOff);
await mochaGlobalSetup();
await tell({ ready: true });
