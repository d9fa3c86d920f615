import type { Actor } from "../../../src/platform/actor.js";
import type { Site, View } from "./site.js";

/**
 * What somebody on the floor does next; the numbers choose among what there is, so a step makes sense wherever it
 * stands.
 */
export interface Step {
  user: number;
  a: number;
  b: number;
  c: number;
  quantity: number;
}

/** A step made concrete. */
export interface Asked {
  /** `ok` or the kind of the refusal; several where it takes more than the sums to tell. */
  expected: string | string[];
  /** By how much units on hand change when it is done, by item. */
  change: Map<number, number>;
  run(by: Actor): Promise<unknown>;
}

export type Ask = (site: Site, view: View, step: Step, userId: number) => Asked | Promise<Asked>;

export const at = <T>(from: readonly T[], n: number): T => from[n % from.length] as T;
/** Mostly one of those that fit, now and then any; undefined when there are none at all. */
export const choose = <T>(from: T[], fits: (one: T) => boolean, n: number) => {
  const fitting = from.filter(fits);
  return fitting.length > 0 && n % 8 > 0 ? at(fitting, n >> 3) : at(from, n);
};
/** Nobody has this id. */
export const NONE = 2_000_000_000;
export const still = new Map<number, number>();
