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
