const MOST_ENTRIES = 200;

interface Kept<T> {
  value: Promise<T>;
  until: number;
}

const caches: Map<string, unknown>[] = [];

/** Forgets all: what was read from one database says nothing of the next. */
export function forgetAll(): void {
  for (const cache of caches) cache.clear();
}

/**
 * Keeps what `make` gave for a key, in this process, as long as `keepMs` says of it (0 = not at all). When that time is over, who
 * asks while it is made anew waits for the same. The oldest entries make room, so it never grows beyond 200.
 */
export function kept<T>(keepMs: (value: T) => number) {
  const cache = new Map<string, Kept<T>>();
  caches.push(cache);
  return async (key: string, make: () => Promise<T>): Promise<T> => {
    const found = cache.get(key);
    if (found && found.until > Date.now()) return found.value;
    const value = make();
    if (found) cache.set(key, { value, until: Number.POSITIVE_INFINITY });
    try {
      const ms = keepMs(await value);
      cache.delete(key);
      if (ms > 0) cache.set(key, { value, until: Date.now() + ms });
      if (cache.size > MOST_ENTRIES)
        cache.delete(cache.keys().next().value as string);
    } catch (error) {
      cache.delete(key);
      throw error;
    }
    return value;
  };
}

/**
 * Asks once for all who want the same at the same time. Who comes while it is being asked waits for the next time, together
 * with the others, so nobody is told what was true before they came.
 */
export function together<T>() {
  const asked = new Map<string, Promise<T>>();
  const next = new Map<string, Promise<T>>();
  return (key: string, ask: () => Promise<T>): Promise<T> => {
    const waiting = next.get(key);
    if (waiting) return waiting;
    const begin = () => {
      next.delete(key);
      const answer = ask();
      asked.set(key, answer);
      const over = () => void (asked.get(key) === answer && asked.delete(key));
      answer.then(over, over);
      return answer;
    };
    const before = asked.get(key);
    if (!before) return begin();
    const answer = before.then(begin, begin);
    next.set(key, answer);
    return answer;
  };
}
