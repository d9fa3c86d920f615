import { exact } from "./decimals.js";
import { Fault, type Spend } from "./fault.js";

/** The signs of comparisons in a filter. */
export type Sign = "==" | "!=" | "<" | "<=" | ">" | ">=";

/**
 * Compares two values of a payload as RFC 9535 (2.3.5.2.2) does: undefined, for what is not there, equals only itself,
 * and values of different kinds are neither equal nor ordered. Lists and objects are not compared, so the cost of a
 * comparison is at most that of the texts in it.
 */
export function compare(sign: Sign, left: unknown, right: unknown, spend: Spend): boolean {
  spend(2 + lengthOf(left) + lengthOf(right));
  switch (sign) {
    case "==":
      return same(left, right);
    case "!=":
      return !same(left, right);
    case "<":
      return before(left, right);
    case ">":
      return before(right, left);
    case "<=":
      return before(left, right) || same(left, right);
    case ">=":
      return before(right, left) || same(left, right);
  }
}

const lengthOf = (value: unknown) => (typeof value === "string" ? value.length : 0);
const isWhole = (value: unknown) => typeof value === "object" && value !== null;

function same(a: unknown, b: unknown): boolean {
  if (typeof a === "number" && typeof b === "number") return exact(a).eq(exact(b));
  if (isWhole(a) && isWhole(b)) throw new Fault("a filter does not compare lists and objects");
  return a === b;
}

function before(a: unknown, b: unknown): boolean {
  if (typeof a === "number" && typeof b === "number") return exact(a).lt(exact(b));
  return typeof a === "string" && typeof b === "string" && Buffer.compare(Buffer.from(a), Buffer.from(b)) < 0;
}
