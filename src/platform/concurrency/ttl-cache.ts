import { LRUCache } from "lru-cache";

const MAX_ENTRIES = 200;

const caches: { clear(): void }[] = [];

/** Empties all caches: what was read from one database must not be answered for the next. */
export function clearCaches(): void {
  for (const cache of caches) cache.clear();
}

/**
 * Caches the value of a key in this process, for the milliseconds that `keepMs` returns for it (0 = not at all), and at
 * most 200 entries. Concurrent callers for a key that is not cached wait for one call of `make`, as with
 * `singleFlight`. A value that is older than `freshMs` is still answered, and made anew meanwhile.
 */
export function ttlCache<T extends NonNullable<unknown>>(
  keepMs: (value: T) => number,
  freshMs = Number.POSITIVE_INFINITY,
) {
  const cache = new LRUCache<string, T>({ max: MAX_ENTRIES });
  caches.push(cache);
  const making = singleFlight<T>();
  const isFresh = (key: string, value: T) => keepMs(value) - cache.getRemainingTTL(key) < freshMs;
  const remake = (key: string, make: () => Promise<T>) =>
    making(key, async () => {
      const made = cache.get(key);
      if (made !== undefined && isFresh(key, made)) return made;
      const value = await make();
      const ttl = keepMs(value);
      if (ttl > 0) cache.set(key, value, { ttl });
      else cache.delete(key);
      return value;
    });
  const read = async (key: string, make: () => Promise<T>): Promise<T> => {
    const cached = cache.get(key);
    if (cached === undefined) return remake(key, make);
    // Where it fails, the next caller tries again.
    if (!isFresh(key, cached)) remake(key, make).catch(() => {});
    return cached;
  };
  /** `known`: what is cached, without making it. */
  return Object.assign(read, { known: (key: string) => cache.get(key) });
}

/**
 * Calls `ask` once for all concurrent callers. A caller that comes during a call waits for the next one, together with
 * all others that come until then: the answer is never older than the question.
 */
export function singleFlight<T>() {
  const running = new Map<string, Promise<T>>();
  const next = new Map<string, Promise<T>>();
  return (key: string, ask: () => Promise<T>): Promise<T> => {
    const waiting = next.get(key);
    if (waiting) return waiting;
    const begin = () => {
      next.delete(key);
      const answer = ask();
      running.set(key, answer);
      const over = () => void (running.get(key) === answer && running.delete(key));
      answer.then(over, over);
      return answer;
    };
    const before = running.get(key);
    if (!before) return begin();
    const answer = before.then(begin, begin);
    next.set(key, answer);
    return answer;
  };
}
