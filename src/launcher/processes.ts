import type { ChildProcess } from "node:child_process";
import { setTimeout as sleep } from "node:timers/promises";
import { type Command, type Running, run } from "./running.js";
import type { PrintLine } from "./terminal.js";

/** How a process is started, when it is ready, and how it is stopped. */
export interface ProcessSpec extends Command {
  name: string;
  /** Resolves when the process is ready; `ended` is aborted if it ends. Without it, the process has to exit with 0. */
  ready?: (child: ChildProcess, ended: AbortSignal) => Promise<void>;
  /** How often the first start is tried, for failures that are temporary. */
  tries?: number;
  stopSignal?: NodeJS.Signals;
  /** It is killed after this time. */
  stopWithinMs?: number;
}

const MIN_PAUSE_MS = 500;
const MAX_PAUSE_MS = 30_000;
/** After a process ran this long, the next pause is short again. */
const STABLE_AFTER_MS = 60_000;

// However this process exits, it leaves no child processes running.
const all = new Set<Processes>();
process.once("exit", () => {
  for (const processes of all) processes.killAll();
});

/** The processes of a launcher: starts them, restarts those that end unexpectedly, and stops them. */
export class Processes {
  readonly #running = new Map<string, Running & { spec: ProcessSpec }>();
  readonly #stopping = new Set<string>();
  #closed = false;

  constructor(readonly printLine: PrintLine) {
    all.add(this);
  }

  /** Starts a process, waits until it is ready, and from then on restarts it when it ends. */
  async start(spec: ProcessSpec): Promise<void> {
    this.#stopping.delete(spec.name);
    for (let left = spec.tries ?? 1; ; left--) {
      try {
        await this.#launch(spec);
        break;
      } catch (error) {
        if (left <= 1 || this.#isStopped(spec)) throw error;
        await sleep(MIN_PAUSE_MS);
      }
    }
    if (spec.ready) void this.#keepRunning(spec);
  }

  /** Stops a process; kills it when that takes too long. */
  async stop(name: string): Promise<void> {
    this.#stopping.add(name);
    const running = this.#running.get(name);
    if (!running) return;
    const { child, ended, spec } = running;
    child.kill(spec.stopSignal ?? "SIGTERM");
    const limit = setTimeout(() => {
      this.printLine(`${name} does not stop; it is killed.`);
      child.kill("SIGKILL");
    }, spec.stopWithinMs ?? 25_000);
    await ended;
    clearTimeout(limit);
  }

  /** Stops all, one after the other: first those that are not in the order. Nothing can be started afterwards. */
  async stopAll(inOrder: string[]): Promise<void> {
    this.#closed = true;
    const names = new Set([...this.#running.keys()]);
    for (const name of inOrder) names.delete(name);
    for (const name of [...names, ...inOrder]) await this.stop(name);
  }

  /** Whether any process runs. */
  get any(): boolean {
    return this.#running.size > 0;
  }

  /** Kills all at once. */
  killAll(): void {
    this.#closed = true;
    for (const { child } of this.#running.values()) child.kill("SIGKILL");
  }

  #isStopped({ name }: ProcessSpec): boolean {
    return this.#closed || this.#stopping.has(name);
  }

  async #launch(spec: ProcessSpec): Promise<void> {
    const { name, logFile, ready } = spec;
    if (this.#isStopped(spec)) throw new Error(`${name}: not started`);
    const running = run(spec);
    this.#running.set(name, { ...running, spec });
    const over = new AbortController();
    const end = running.ended.then(async (how) => {
      over.abort();
      this.#running.delete(name);
      if (!ready && how === "exit code 0") return;
      const said = await running.lastLines();
      throw new Error(
        `${name} could not start (${how}). ${said ? `Its log, ${logFile}, ends with:\n${said}` : `It said nothing.`}`,
      );
    });
    end.catch(() => {});
    if (ready) await Promise.race([ready(running.child, over.signal), end]);
    if (!ready || over.signal.aborted) await end;
  }

  async #keepRunning(spec: ProcessSpec): Promise<void> {
    const { name, logFile } = spec;
    let pause = MIN_PAUSE_MS;
    for (;;) {
      const since = Date.now();
      const how = await this.#running.get(name)?.ended;
      if (this.#isStopped(spec)) return;
      if (Date.now() - since > STABLE_AFTER_MS) pause = MIN_PAUSE_MS;
      if (how) this.printLine(`${name} ended (${how}); starting it again. Its log: ${logFile}`);
      await sleep(pause);
      pause = Math.min(pause * 2, MAX_PAUSE_MS);
      await this.#launch(spec).catch(() => {});
    }
  }
}

/** Checks every 50 ms until the condition is true or `ended` is aborted. */
export async function until(condition: () => Promise<boolean>, ended: AbortSignal): Promise<void> {
  while (!ended.aborted && !(await condition())) await sleep(50);
}
