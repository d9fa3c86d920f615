/** Does one thing at a time for each key, in this process and in the order of asking; one that fails does not keep the next. */
export function inTurn<K>() {
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
