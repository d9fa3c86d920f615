import { setTimeout as pause } from "node:timers/promises";

/** One question that hangs, because its connection does, does not hold up all others for longer. */
const WAIT_AT_MOST_MS = 50;

/**
 * Reads what is wanted by key, with one question for all who want something at the same time. Who comes while one is under way
 * waits for the next, so nobody is told what was true before they came.
 */
export function batched<K, V>(read: (keys: K[]) => Promise<Map<K, V>>) {
  let before: Promise<unknown> = Promise.resolve();
  let next: { keys: Set<K>; found: Promise<Map<K, V>> } | undefined;
  return async (key: K): Promise<V | undefined> => {
    if (!next) {
      const keys = new Set<K>();
      const found = before.then(() => {
        next = undefined;
        const answer = read([...keys]);
        before = Promise.race([
          answer.catch(() => {}),
          pause(WAIT_AT_MOST_MS, undefined, { ref: false }),
        ]);
        return answer;
      });
      next = { keys, found };
    }
    next.keys.add(key);
    return (await next.found).get(key);
  };
}
