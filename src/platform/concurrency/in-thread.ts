import { Piscina } from "piscina";
import { keyedSemaphore } from "./semaphore.js";

/** A function that a module exports. It runs in a thread of its own, so arguments and results are plain data. */
export interface ThreadWork {
  module: string;
  name: string;
  data: unknown;
}

export interface ThreadCaller {
  /** The caller, such as a user, who has one call at a time; others of the same caller wait. */
  key: string;
  /** Aborted when the result is not wanted any more: the call is ended, or not begun. */
  signal?: AbortSignal | undefined;
}

/** Two threads, so that a long call of one caller leaves room for others. */
const THREADS = 2;
/** An idle thread ends, with everything that it has loaded. */
const IDLE_MS = 60_000;
/** The most memory of a thread, in MB: a call that needs more ends the thread and not the process. */
const MOST_MB = 192;
/** Longer than any call takes; one that does not end is ended. */
const WITHIN_MS = 30_000;

/** The caller left before the call was done. */
class CallerGone extends Error {
  override name = "CallerGone";
  readonly status = 400;
}

/** The call was ended, because it took too long or too much memory. */
export class WorkTooLarge extends Error {
  override name = "WorkTooLarge";
}

let pool: Piscina | undefined;
const turns = keyedSemaphore<string>(1);

/** Created at the first call, as most processes never have one. */
function threads(): Piscina {
  pool ??= new Piscina({
    filename: new URL("./thread.js", import.meta.url).href,
    minThreads: 0,
    maxThreads: THREADS,
    idleTimeout: IDLE_MS,
    resourceLimits: { maxOldGenerationSizeMb: MOST_MB },
    // Without environment and arguments: a call needs no secret.
    env: {},
    argv: [],
    execArgv: [],
  });
  return pool;
}

/** Runs in a thread what would block all other requests of this process. */
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
