/** A mutex for each key, in this process: runs one `work` after the other, in the order of the calls. */
export function keyedMutex<K>() {
  const turns = new Map<K, Promise<unknown>>();
  return async <T>(key: K, work: () => Promise<T>): Promise<T> => {
    const before = turns.get(key) ?? Promise.resolve();
    const mine = before.then(work, work);
    turns.set(key, mine);
    try {
      return await mine;
    } finally {
      if (turns.get(key) === mine) turns.delete(key);
    }
  };
}
