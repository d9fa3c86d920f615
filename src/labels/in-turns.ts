import { setImmediate as nextTurn } from "node:timers/promises";

/** How long others wait at most for what is done in one turn, beside one entry, in milliseconds. */
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
