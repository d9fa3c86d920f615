import assert from "node:assert/strict";

/**
 * Fails unless each of these was done. What random numbers left out is tried for by going on with further ones, so that
 * chance alone fails no run.
 * @param goOn Does more; it gets 1, 2, … to draw other numbers than before.
 */
export async function comesAsFar(
  names: readonly string[],
  done: ReadonlySet<string>,
  goOn: (more: number) => Promise<unknown>,
): Promise<void> {
  const missing = () => names.filter((name) => !done.has(name));
  for (let more = 1; missing().length > 0 && more <= 80; more++) await goOn(more);
  assert.deepEqual(missing(), []);
}
