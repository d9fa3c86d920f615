import { bounded, Exact, shown } from "../decimals.js";
import { Fault } from "../fault.js";
import { forbiddenNames } from "../path.js";
import { described, read, type Value, wholeNumber } from "./values.js";

/** The longest text that an expression may join or search. */
const MAX_TEXT = 10_000;
const MAX_SOUGHT = 200;

const calculations = {
  "+": (a: Exact, b: Exact) => a.plus(b),
  "-": (a: Exact, b: Exact) => a.minus(b),
  "*": (a: Exact, b: Exact) => a.times(b),
  "/": (a: Exact, b: Exact) => a.div(divisor(b)),
  "//": (a: Exact, b: Exact) => floored(a, divisor(b)),
  "%": (a: Exact, b: Exact) => a.mod(divisor(b)),
};
export type Sign = keyof typeof calculations;

/** Two numbers, or two texts that `+` joins. */
export function arithmetic(sign: Sign, a: Value, b: Value): Value {
  if (a instanceof Exact && b instanceof Exact) return bounded(calculations[sign](a, b));
  if (sign !== "+") throw new Fault(`${described(a)} ${sign} ${described(b)}: both have to be numbers`);
  if (typeof a === "string" && typeof b === "string") return checkedText(a + b);
  throw new Fault(`${described(a)} + ${described(b)}: both have to be numbers, or both texts`);
}

function divisor(number: Exact): Exact {
  if (number.isZero()) throw new Fault("division by zero");
  return number;
}

const floored = (a: Exact, b: Exact) => a.minus(a.mod(b)).div(b);

export type Comparison = (a: Value, b: Value) => boolean;

export const comparisons = new Map<string, Comparison>([
  ["==", equal],
  ["!=", (a, b) => !equal(a, b)],
  ["<", (a, b) => order(a, b) < 0],
  ["<=", (a, b) => order(a, b) <= 0],
  [">", (a, b) => order(a, b) > 0],
  [">=", (a, b) => order(a, b) >= 0],
  ["in", (a, b) => contains(b, a)],
  ["not in", (a, b) => !contains(b, a)],
  ["is", equal],
  ["is not", (a, b) => !equal(a, b)],
]);

function checkedText(text: string): string {
  if (text.length > MAX_TEXT) throw new Fault(`a text is longer than ${MAX_TEXT} characters`);
  return text;
}

/** Values of different kinds are not equal; lists and objects are not compared. */
function equal(a: Value, b: Value): boolean {
  if (a === null || b === null) return a === b;
  if (a instanceof Exact && b instanceof Exact) return a.eq(b);
  for (const value of [a, b])
    if (typeof value === "object" && !(value instanceof Exact))
      throw new Fault(`${described(value)} cannot be compared`);
  return a === b;
}

/** Negative, zero or positive, as `a` comes before, with or after `b`; both numbers or both texts. */
export function order(a: Value, b: Value): number {
  if (a instanceof Exact && b instanceof Exact) return a.cmp(b);
  if (typeof a === "string" && typeof b === "string") return Buffer.compare(Buffer.from(a), Buffer.from(b));
  throw new Fault(`${described(a)} and ${described(b)} cannot be compared`);
}

/** `in`: a member of a list, a name in an object, a part of a text. */
function contains(holder: Value, sought: Value): boolean {
  if (Array.isArray(holder)) return holder.some((member) => sameScalar(read(member), sought));
  if (typeof sought !== "string") throw new Fault(`${described(sought)} cannot be sought in ${described(holder)}`);
  if (typeof holder === "string") {
    if (sought.length > MAX_SOUGHT) throw new Fault(`a text that is sought is longer than ${MAX_SOUGHT} characters`);
    return checkedText(holder).includes(sought);
  }
  if (holder instanceof Exact || holder === null || typeof holder === "boolean")
    throw new Fault(`nothing is in ${described(holder)}`);
  return Object.hasOwn(holder, sought);
}

const sameScalar = (a: Value, b: Value) => (a instanceof Exact && b instanceof Exact ? a.eq(b) : a === b);

/** A member of an object in the payload, by its name; never one of a prototype. */
export function member(holder: Value, name: string): Value {
  checkName(name);
  if (typeof holder !== "object" || holder === null || Array.isArray(holder) || holder instanceof Exact)
    throw new Fault(`${described(holder)} has no ${shown(name)}`);
  if (!Object.hasOwn(holder, name)) throw new Fault(`the payload has no ${shown(name)} there`);
  return read((holder as Record<string, unknown>)[name]);
}

export function checkName(name: string): void {
  if (name.startsWith("_") || forbiddenNames.has(name))
    throw new Fault(`the name ${shown(name)} is not allowed in an expression`);
}

/** `holder[key]`: a member by its name, or an element of a list or text by its index. */
export function subscript(holder: Value, key: Value): Value {
  if (typeof key === "string") return member(holder, key);
  const elements = sequence(holder);
  const place = wholeNumber(key);
  const found = elements.at(place);
  if (place < -elements.length || found === undefined) throw new Fault(`there is no element ${place}`);
  return read(found);
}

/** `holder[from:to]` of a list or text. */
export function slice(holder: Value, from: Value | undefined, to: Value | undefined): Value {
  const place = (value: Value | undefined) => (value === undefined || value === null ? undefined : wholeNumber(value));
  return sequence(holder).slice(place(from), place(to));
}

function sequence(value: Value): string | unknown[] {
  if (typeof value === "string" || Array.isArray(value)) return value;
  throw new Fault(`${described(value)} has no elements`);
}
