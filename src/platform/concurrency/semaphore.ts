/**
 * Runs at most `slots` works at the same time; the others wait, in the order of the calls. A work whose signal is
 * aborted while it waits is not run, and its result is undefined.
 */
export function semaphore(slots: number) {
  let free = slots;
  const waiting = new Set<() => void>();

  const turn = (signal: AbortSignal | undefined) =>
    new Promise<boolean>((resolve) => {
      const leave = () => {
        waiting.delete(go);
        resolve(false);
      };
      const go = () => {
        signal?.removeEventListener("abort", leave);
        resolve(true);
      };
      waiting.add(go);
      signal?.addEventListener("abort", leave, { once: true });
    });

  function run<T>(work: () => Promise<T>): Promise<T>;
  function run<T>(work: () => Promise<T>, signal: AbortSignal): Promise<T | undefined>;
  async function run<T>(work: () => Promise<T>, signal?: AbortSignal): Promise<T | undefined> {
    if (signal?.aborted) return undefined;
    if (free > 0) free--;
    else if (!(await turn(signal))) return undefined;
    try {
      return await work();
    } finally {
      // The next waiting one takes over the slot.
      const [next] = waiting;
      if (next) {
        waiting.delete(next);
        next();
      } else free++;
    }
  }
  return run;
}

/** The same for each key. */
export function keyedSemaphore<K>(slots: number) {
  const used = new Map<K, { users: number; run: ReturnType<typeof semaphore> }>();

  function run<T>(key: K, work: () => Promise<T>): Promise<T>;
  function run<T>(key: K, work: () => Promise<T>, signal: AbortSignal): Promise<T | undefined>;
  async function run<T>(key: K, work: () => Promise<T>, signal?: AbortSignal): Promise<T | undefined> {
    const one = used.get(key) ?? { users: 0, run: semaphore(slots) };
    used.set(key, one);
    one.users++;
    try {
      return await (signal ? one.run(work, signal) : one.run(work));
    } finally {
      if (--one.users === 0) used.delete(key);
    }
  }
  return run;
}
