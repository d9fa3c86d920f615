import { Exact, plain } from "../decimals.js";
import { Fault } from "../fault.js";
import { order } from "./operations.js";
import { described, lengthOf, numeral, read, toNumber, type Value, wholeNumber } from "./values.js";

/** How many values it takes, and what it gives. */
interface Callable {
  least: number;
  most: number;
  run(...values: Value[]): Value;
}
const MANY = 20;

/**
 * The eight functions that an expression may call (spec 2.3); what they give is what Python's give, in exact decimals.
 */
export const functions = new Map<string, Callable>([
  ["int", { least: 1, most: 1, run: wholePart }],
  ["float", { least: 1, most: 1, run: toNumber }],
  ["str", { least: 1, most: 1, run: textOf }],
  ["len", { least: 1, most: 1, run: (value) => new Exact(count(value)) }],
  ["abs", { least: 1, most: 1, run: (value) => numeral(value).abs() }],
  ["min", { least: 1, most: MANY, run: (...values) => best(values, -1) }],
  ["max", { least: 1, most: MANY, run: (...values) => best(values, 1) }],
  ["round", { least: 1, most: 2, run: rounded }],
]);

/** Towards zero; a text has to be a whole number. */
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

/** Characters, elements or members; a character outside the first plane is one, as in Python. */
function count(value: Value): number {
  if (typeof value === "string") {
    let length = 0;
    for (const _ of value) length++;
    return length;
  }
  if (typeof value === "object" && value !== null && !(value instanceof Exact)) return lengthOf(value);
  throw new Fault(`${described(value)} has no length`);
}

/** The least (-1) or greatest (1) of the arguments, or of the one list that is given. */
function best(values: Value[], wanted: 1 | -1): Value {
  const [only] = values;
  const all = values.length === 1 && Array.isArray(only) ? only.map(read) : values;
  if (all.length === 0) throw new Fault("min and max of nothing");
  return all.reduce((best, value) => (Math.sign(order(value, best)) === wanted ? value : best));
}

/** Half to even, to a number of places; before the point when that is negative. */
function rounded(value: Value, places?: Value): Value {
  const number = numeral(value);
  const wanted = places === undefined ? 0 : wholeNumber(places);
  if (Math.abs(wanted) > 30) throw new Fault("round to more than 30 places");
  return wanted >= 0
    ? number.toDecimalPlaces(wanted, Exact.ROUND_HALF_EVEN)
    : number.toNearest(new Exact(10).pow(-wanted), Exact.ROUND_HALF_EVEN);
}
