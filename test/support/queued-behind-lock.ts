import { transaction } from "../../src/platform/db/db.js";
import { db } from "./db.js";
import { until } from "./until.js";

/**
 * Asks one after the other while a lock is held that they need, each as soon as the one before waits for it or is
 * answered; then lets go. So they meet, and in this order.
 */
export async function queuedBehindLock<T>(
  lock: string,
  values: unknown[],
  ...asks: (() => Promise<T>)[]
): Promise<T[]> {
  const asked: Promise<T>[] = [];
  let answered = 0;
  await transaction(async (tx) => {
    await tx.run(lock, values);
    for (const ask of asks) {
      asked.push(ask().finally(() => answered++));
      await until(async () => answered + (await waitingForLocks()) === asked.length);
    }
  });
  return Promise.all(asked);
}

/**
 * How many statements wait for what others have locked. One that was just given its lock is not among them, though it
 * may not have noticed yet.
 */
export async function waitingForLocks(): Promise<number> {
  const waiting = await db.rows(
    `select distinct pid from pg_locks join pg_stat_activity using (pid)
     where not granted and datname = current_database()`,
  );
  return waiting.length;
}
