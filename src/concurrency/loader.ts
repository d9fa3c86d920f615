import { setTimeout as pause } from "node:timers/promises";

/** A read that hangs, because its connection does, holds up the next one no longer than this. */
const MAX_WAIT_MS = 50;

/**
 * Batches reads by key: one `read` for all keys that are wanted at the same time. A call that comes while one is under
 * way joins the next, so the answer is never older than the call.
 */
export function loader<K, V>(read: (keys: K[]) => Promise<Map<K, V>>) {
  let before: Promise<unknown> = Promise.resolve();
  let next: { keys: Set<K>; found: Promise<Map<K, V>> } | undefined;
  return async (key: K): Promise<V | undefined> => {
    if (!next) {
      const keys = new Set<K>();
      const found = before.then(() => {
        next = undefined;
        const answer = read([...keys]);
        before = Promise.race([answer.catch(() => {}), pause(MAX_WAIT_MS, undefined, { ref: false })]);
        return answer;
      });
      next = { keys, found };
    }
    next.keys.add(key);
    return (await next.found).get(key);
  };
}
