import { setImmediate as nextTurn } from "node:timers/promises";

/** Milliseconds after which other requests are served before the next entry. */
const TURN = 10;

/** The entries, with other requests served in between. */
export async function* inTurns<T>(entries: Iterable<T>): AsyncGenerator<T> {
  let began = performance.now();
  for (const entry of entries) {
    yield entry;
    if (performance.now() - began < TURN) continue;
    await nextTurn();
    began = performance.now();
  }
}
