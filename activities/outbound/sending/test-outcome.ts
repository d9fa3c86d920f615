import { setTimeout as pause } from "node:timers/promises";

/** A worker takes a test up within a second, and an attempt lasts ten seconds by default. */
export const WITHIN_MS = 15_000;
const LOOK_EVERY_MS = 200;

/** The error of a test that was withdrawn. */
export const UNSENT = "No worker sent it in time";

/**
 * Waits for a worker to send a test, as workers alone reach the outside, and gives its row as it ended; undefined when
 * the row is gone.
 * @param withdraw Ends a test that no worker sent in time, unless one did meanwhile.
 */
export async function outcomeOfTest<Row>(
  read: () => Promise<Row | undefined>,
  ended: (row: Row) => boolean,
  withdraw: () => Promise<Row | undefined>,
): Promise<Row | undefined> {
  const giveUpAt = Date.now() + WITHIN_MS;
  while (Date.now() < giveUpAt) {
    const row = await read();
    if (!row || ended(row)) return row;
    await pause(LOOK_EVERY_MS);
  }
  return withdraw();
}
