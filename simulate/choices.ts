import type { Random } from "./random.js";

/** What people choose, by frequencies as a shop has them. */

/** How many orders of 100 have 1, 2, 3, … lines. */
const LINES = [46, 22, 12, 7, 4, 3, 2, 2, 1, 1];
const UNITS = [68, 18, 6, 4, 2, 2];

/** The place in the list of weights, from 1 on. */
function weighted(weights: readonly number[], random: Random): number {
  let left = random.fraction() * weights.reduce((sum, weight) => sum + weight, 0);
  const place = weights.findIndex((weight) => {
    left -= weight;
    return left < 0;
  });
  return place + 1 || weights.length;
}

export const lineCount = (random: Random): number => weighted(LINES, random);
export const unitCount = (random: Random): number => weighted(UNITS, random);

/** Few items make most of the sales: the n-th is bought 1 / n as often as the first (Zipf). */
function popularities(items: number): number[] {
  return Array.from({ length: items }, (_, i) => 1 / (i + 1));
}

/** So many different things, the first of the list most often. */
export function popular<T>(things: readonly T[], count: number, random: Random): T[] {
  const left = [...things];
  const weights = popularities(things.length);
  return Array.from({ length: Math.min(count, things.length) }, () => {
    const place = weighted(weights, random) - 1;
    weights.splice(place, 1);
    return left.splice(place, 1)[0] as T;
  });
}

/** Seconds that a person takes: around the usual, seldom twice as long, never less than half. */
export function pace(usual: number, random: Random): number {
  return usual * (0.5 + random.fraction() * 0.7 + (random.chance(0.1) ? random.fraction() : 0));
}
