import type { ChildProcess } from "node:child_process";
import { setTimeout as sleep } from "node:timers/promises";
import { type Command, lastLines, type Running, run } from "./running.js";
import type { Say } from "./say.js";

/** How one process is started, known to be ready, and stopped. */
export interface Recipe extends Command {
  name: string;
  /** Settles when it does its work; `ended` says that it never will. Without: it is to do one thing and exit with 0. */
  ready?: (child: ChildProcess, ended: AbortSignal) => Promise<void>;
  /** Tries of the first start, for what a moment mends. */
  tries?: number;
  stopSignal?: NodeJS.Signals;
  /** After this it is killed. */
  stopWithinMs?: number;
}

const FIRST_PAUSE_MS = 500;
const LONGEST_PAUSE_MS = 30_000;
/** A process that ran this long was well: the next pause is short again. */
const WELL_AFTER_MS = 60_000;

// The last net: whatever way this process exits, it leaves no other behind.
const all = new Set<Processes>();
process.once("exit", () => {
  for (const processes of all) processes.killAll();
});

/** The processes of one launcher: starts them, starts again what ends unasked, stops them. */
export class Processes {
  readonly #running = new Map<string, Running & { recipe: Recipe }>();
  readonly #stopping = new Set<string>();
  #closed = false;

  constructor(readonly say: Say) {
    all.add(this);
  }

  /** Starts a process and waits until it is ready; from then on keeps it running. */
  async start(recipe: Recipe): Promise<void> {
    this.#stopping.delete(recipe.name);
    for (let left = recipe.tries ?? 1; ; left--) {
      try {
        await this.#launch(recipe);
        break;
      } catch (error) {
        if (left <= 1 || this.#unwanted(recipe)) throw error;
        await sleep(FIRST_PAUSE_MS);
      }
    }
    if (recipe.ready) void this.#keep(recipe);
  }

  /** Stops a process in order; kills it when that takes too long. */
  async stop(name: string): Promise<void> {
    this.#stopping.add(name);
    const running = this.#running.get(name);
    if (!running) return;
    const { child, ended, recipe } = running;
    child.kill(recipe.stopSignal ?? "SIGTERM");
    const limit = setTimeout(() => {
      this.say(`${name} does not stop; it is killed.`);
      child.kill("SIGKILL");
    }, recipe.stopWithinMs ?? 25_000);
    await ended;
    clearTimeout(limit);
  }

  /** Stops all, one after the other, those without a place in the order first; starts nothing any more. */
  async stopAll(inOrder: string[]): Promise<void> {
    this.#closed = true;
    const names = new Set([...this.#running.keys()]);
    for (const name of inOrder) names.delete(name);
    for (const name of [...names, ...inOrder]) await this.stop(name);
  }

  /** Whether there is anything to stop. */
  get some(): boolean {
    return this.#running.size > 0;
  }

  /** Kills all at once. */
  killAll(): void {
    this.#closed = true;
    for (const { child } of this.#running.values()) child.kill("SIGKILL");
  }

  #unwanted({ name }: Recipe): boolean {
    return this.#closed || this.#stopping.has(name);
  }

  async #launch(recipe: Recipe): Promise<void> {
    const { name, logFile, ready } = recipe;
    if (this.#unwanted(recipe)) throw new Error(`${name}: not started`);
    const running = run(recipe);
    this.#running.set(name, { ...running, recipe });
    const over = new AbortController();
    const end = running.ended.then(async (how) => {
      over.abort();
      this.#running.delete(name);
      if (!ready && how === "exit code 0") return;
      throw new Error(`${name} could not start (${how}). Its log, ${logFile}, ends with:\n${await lastLines(logFile)}`);
    });
    end.catch(() => {});
    if (ready) await Promise.race([ready(running.child, over.signal), end]);
    if (!ready || over.signal.aborted) await end;
  }

  async #keep(recipe: Recipe): Promise<void> {
    const { name, logFile } = recipe;
    let pause = FIRST_PAUSE_MS;
    for (;;) {
      const since = Date.now();
      const how = await this.#running.get(name)?.ended;
      if (this.#unwanted(recipe)) return;
      if (Date.now() - since > WELL_AFTER_MS) pause = FIRST_PAUSE_MS;
      if (how) this.say(`${name} ended (${how}); starting it again. Its log: ${logFile}`);
      await sleep(pause);
      pause = Math.min(pause * 2, LONGEST_PAUSE_MS);
      await this.#launch(recipe).catch(() => {});
    }
  }
}

/** Asks every 50 ms until it is so; stops asking when `ended`. */
export async function until(so: () => Promise<boolean>, ended: AbortSignal): Promise<void> {
  while (!ended.aborted && !(await so())) await sleep(50);
}
