/** The number of letters to change, add or remove to turn one word into the other. */
function distance(one: string, other: string): number {
  let row = Array.from({ length: other.length + 1 }, (_, i) => i);
  for (const [i, letter] of [...one].entries()) {
    const next = [i + 1];
    for (let j = 0; j < other.length; j++)
      next.push(
        Math.min(
          (row[j + 1] as number) + 1,
          (next[j] as number) + 1,
          (row[j] as number) + (letter === other[j] ? 0 : 1),
        ),
      );
    row = next;
  }
  return row[other.length] as number;
}

/** The word that a misspelt one most likely means; undefined when none is similar. */
export function nearest(word: string, known: string[]): string | undefined {
  const [best] = known
    .map((candidate) => ({ candidate, changes: distance(word, candidate) }))
    .sort((a, b) => a.changes - b.changes);
  return best && best.changes <= word.length / 3 ? best.candidate : undefined;
}
