import type { Spend } from "./fault.js";

/** A part of a path: the name of a member, an index (from the end when negative), a wildcard, or a filter. */
export type Step = string | number | typeof WILDCARD | Filter;
export const WILDCARD = Symbol("*");
export type Path = readonly Step[];
/** Whether a member is selected; `root` is what `$` means. */
export type Filter = (member: unknown, root: unknown, spend: Spend) => boolean;
/** Collecting the members of a large object is slow. */
const MEMBER_COST = 5;

/** Names that would give access to prototypes. */
export const forbiddenNames = new Set(["__proto__", "constructor", "prototype"]);

/** Whether the path can have several values. */
export const isMany = (path: Path) => path.some((step) => typeof step === "symbol" || typeof step === "function");

/** All values at the path. */
export function find(path: Path, source: unknown, spend: Spend, root = source): unknown[] {
  let found = [source];
  for (const step of path) {
    found = found.length === 1 ? below(found[0], step) : found.flatMap((value) => below(value, step));
    spend(1 + found.length);
  }
  return found;

  function below(value: unknown, step: Step): unknown[] {
    if (typeof value !== "object" || value === null) return [];
    if (typeof step === "symbol" || typeof step === "function") {
      const members = Object.values(value);
      spend(MEMBER_COST * members.length);
      return typeof step === "symbol" ? members : members.filter((member) => step(member, root, spend));
    }
    if (typeof step === "number") {
      const index = step < 0 ? step + lengthOf(value) : step;
      return Array.isArray(value) && index in value ? [value[index]] : [];
    }
    return !Array.isArray(value) && Object.hasOwn(value, step) ? [(value as Record<string, unknown>)[step]] : [];
  }
}

const lengthOf = (value: object) => (Array.isArray(value) ? value.length : 0);

/**
 * The value at the path: null for none, a list for several.
 * @param skipsBlank Whether blank texts count as not there.
 */
export function single(path: Path, source: unknown, spend: Spend, skipsBlank: boolean): unknown {
  const all = find(path, source, spend);
  const found = skipsBlank ? all.filter((value) => !isBlank(value)) : all;
  return (found.length > 1 ? found : found[0]) ?? null;
}

export const isBlank = (value: unknown): boolean => typeof value === "string" && !/\S/.test(value);
