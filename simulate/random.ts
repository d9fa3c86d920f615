import { uniformInt } from "pure-rand/distribution/uniformInt";
import { xoroshiro128plus } from "pure-rand/generator/xoroshiro128plus";

/** Random choices that a seed repeats. */
export interface Random {
  /** A whole number from 0 to `below - 1`. */
  below(below: number): number;
  /** A whole number, both ends included. */
  between(from: number, to: number): number;
  /** From 0 up to, not including, 1. */
  fraction(): number;
  /** True that often, of 1. */
  chance(probability: number): boolean;
  one<T>(things: readonly T[]): T;
}

/** Everybody has a stream of their own, so that nobody's choices depend on who was asked first. */
export function randomOf(seed: number, name: string): Random {
  // FNV-1a: names that differ in one letter begin far apart.
  let hash = 0x811c9dc5 ^ seed;
  for (const char of name) hash = Math.imul(hash ^ char.charCodeAt(0), 0x01000193);
  const generator = xoroshiro128plus(hash);
  const between = (from: number, to: number) => uniformInt(generator, from, to);
  const fraction = () => between(0, 2 ** 30 - 1) / 2 ** 30;
  return {
    between,
    fraction,
    below: (below) => between(0, below - 1),
    chance: (probability) => fraction() < probability,
    one: (things) => things[between(0, things.length - 1)] as (typeof things)[number],
  };
}
