import { Piscina } from "piscina";
import { keyedSemaphore } from "./semaphore.js";

/** A function that a module exports. It runs in a thread of its own, so what it takes and gives is data. */
export interface ThreadWork {
  module: string;
  name: string;
  data: unknown;
}

export interface ThreadCaller {
  /** Who has one work at a time, such as a user; others of the same caller wait. */
  key: string;
  /** Aborted when nobody wants the result any more: the work is ended, or not begun. */
  signal?: AbortSignal | undefined;
}

/** Two, so that a long work of one caller leaves room for others. */
const THREADS = 2;
/** A thread that has nothing to do ends, with all that it has loaded. */
const IDLE_MS = 60_000;
/** The most memory of a thread, in MB: whoever needs more ends the thread and not the process. */
const MOST_MB = 192;
/** No work takes that long; one that does is ended. */
const WITHIN_MS = 30_000;

/** The caller left before the work was done. */
class CallerGone extends Error {
  override name = "CallerGone";
  readonly status = 400;
}

/** The work was ended, because it took too long or too much memory. */
export class WorkTooLarge extends Error {
  override name = "WorkTooLarge";
}

let pool: Piscina | undefined;
const turns = keyedSemaphore<string>(1);

/** Begun at the first work, as most processes never have any. */
function threads(): Piscina {
  pool ??= new Piscina({
    filename: new URL("./thread.js", import.meta.url).href,
    minThreads: 0,
    maxThreads: THREADS,
    idleTimeout: IDLE_MS,
    resourceLimits: { maxOldGenerationSizeMb: MOST_MB },
    // Neither the environment nor the arguments: what is drawn or parsed needs no secret.
    env: {},
    argv: [],
    execArgv: [],
  });
  return pool;
}

/** Runs in a thread what would keep all other requests of this process waiting. */
export async function inThread<T>(work: ThreadWork, { key, signal = never }: ThreadCaller): Promise<T> {
  const begun = await turns(key, async () => ({ done: await run<T>(work, signal) }), signal);
  if (!begun) throw new CallerGone();
  return begun.done;
}

const never = new AbortController().signal;

async function run<T>(work: ThreadWork, signal: AbortSignal): Promise<T> {
  const ended = new AbortController();
  const end = () => ended.abort();
  const late = setTimeout(end, WITHIN_MS);
  signal.addEventListener("abort", end, { once: true });
  try {
    return await threads().run(work, { signal: ended.signal });
  } catch (error) {
    if (signal.aborted) throw new CallerGone();
    const outOfMemory = (error as { code?: unknown }).code === "ERR_WORKER_OUT_OF_MEMORY";
    if (ended.signal.aborted || outOfMemory) throw new WorkTooLarge();
    throw error;
  } finally {
    clearTimeout(late);
    signal.removeEventListener("abort", end);
  }
}
