/** Runs at most `slots` works at the same time; the others wait, in the order of the calls. */
export function semaphore(slots: number) {
  let free = slots;
  const waiting: (() => void)[] = [];
  return async <T>(work: () => Promise<T>): Promise<T> => {
    if (free > 0) free--;
    else await new Promise<void>((go) => waiting.push(go));
    try {
      return await work();
    } finally {
      // The next one that waits takes over the slot.
      const next = waiting.shift();
      if (next) next();
      else free++;
    }
  };
}

/** The same for each key. */
export function keyedSemaphore<K>(slots: number) {
  const used = new Map<K, { users: number; run: ReturnType<typeof semaphore> }>();
  return async <T>(key: K, work: () => Promise<T>): Promise<T> => {
    const one = used.get(key) ?? { users: 0, run: semaphore(slots) };
    used.set(key, one);
    one.users++;
    try {
      return await one.run(work);
    } finally {
      if (--one.users === 0) used.delete(key);
    }
  };
}
