import { Exact, plain } from "../decimals.js";
import { Fault } from "../fault.js";
import { order } from "./operations.js";
import { described, lengthOf, numeral, read, toNumber, type Value, wholeNumber } from "./values.js";

/** A function with its minimum and maximum number of arguments. */
interface Callable {
  min: number;
  max: number;
  run(...values: Value[]): Value;
}
const MAX_ARGUMENTS = 20;

/**
 * The eight functions that an expression may call (docs/interface.md, Inbound), with Python's results in exact
 * decimals.
 */
export const functions = new Map<string, Callable>([
  ["int", { min: 1, max: 1, run: wholePart }],
  ["float", { min: 1, max: 1, run: toNumber }],
  ["str", { min: 1, max: 1, run: textOf }],
  ["len", { min: 1, max: 1, run: (value) => new Exact(count(value)) }],
  ["abs", { min: 1, max: 1, run: (value) => numeral(value).abs() }],
  ["min", { min: 1, max: MAX_ARGUMENTS, run: (...values) => extreme(values, -1) }],
  ["max", { min: 1, max: MAX_ARGUMENTS, run: (...values) => extreme(values, 1) }],
  ["round", { min: 1, max: 2, run: rounded }],
]);

/** Rounds towards zero; a text must be a whole number. */
function wholePart(value: Value): Value {
  const number = toNumber(value);
  if (typeof value === "string" && !number.isInteger()) throw new Fault(`${described(value)} is not a whole number`);
  return number.trunc();
}

function textOf(value: Value): string {
  if (typeof value === "string") return value;
  if (typeof value === "boolean") return value ? "True" : "False";
  if (value instanceof Exact) return plain(value);
  throw new Fault(`${described(value)} cannot be made a text`);
}

/** The number of characters, elements or members. As in Python, an emoji is one character. */
function count(value: Value): number {
  if (typeof value === "string") {
    let length = 0;
    for (const _ of value) length++;
    return length;
  }
  if (typeof value === "object" && value !== null && !(value instanceof Exact)) return lengthOf(value);
  throw new Fault(`${described(value)} has no length`);
}

/** The smallest (-1) or largest (1) of the arguments, or of the elements of a list that is the only one. */
function extreme(values: Value[], wanted: 1 | -1): Value {
  const [only] = values;
  const all = values.length === 1 && Array.isArray(only) ? only.map(read) : values;
  if (all.length === 0) throw new Fault("min and max of nothing");
  return all.reduce((best, value) => (Math.sign(order(value, best)) === wanted ? value : best));
}

/** Rounds half to even, to a number of decimal places; a negative number rounds to tens, hundreds and so on. */
function rounded(value: Value, places?: Value): Value {
  const number = numeral(value);
  const wanted = places === undefined ? 0 : wholeNumber(places);
  if (Math.abs(wanted) > 30) throw new Fault("round to more than 30 places");
  return wanted >= 0
    ? number.toDecimalPlaces(wanted, Exact.ROUND_HALF_EVEN)
    : number.toNearest(new Exact(10).pow(-wanted), Exact.ROUND_HALF_EVEN);
}
