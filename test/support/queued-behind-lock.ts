import { db, transaction } from "../../src/db/db.js";
import { until } from "./until.js";

/**
 * Asks one after the other while a lock is held that all of them need, each as soon as the one before waits for it;
 * then lets go. So they meet, and in this order.
 */
export async function queuedBehindLock<T>(
  lock: string,
  values: unknown[],
  ...asks: (() => Promise<T>)[]
): Promise<T[]> {
  const asked: Promise<T>[] = [];
  await transaction(async (tx) => {
    await tx.rows(lock, values);
    for (const ask of asks) {
      asked.push(ask());
      await until(async () => (await waitingForLocks()) === asked.length);
    }
  });
  return Promise.all(asked);
}

/** How many statements wait for what others have locked. */
export async function waitingForLocks(): Promise<number> {
  const backends = await db.rows(
    "select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'",
  );
  return backends.length;
}
