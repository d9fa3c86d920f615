import { Decimal } from "decimal.js";
import { Fault } from "./fault.js";

/** Exact to 60 digits; what a mapping may count with ends at 40, so that sums and products of it are exact. */
export const Exact = Decimal.clone({
  precision: 60,
  rounding: Decimal.ROUND_HALF_EVEN,
  // The remainder has the sign of the divisor, as in Python.
  modulo: Decimal.ROUND_FLOOR,
  minE: -100,
  maxE: 100,
});
export type Exact = Decimal;
const LARGEST = 40;

const NUMERAL = /^\s*[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d{1,3})?\s*$/i;
const LONGEST = 100;

/** The exact decimal that a JSON number or a text means; throws a Fault when there is none. */
export function exact(value: unknown): Exact {
  if (typeof value === "number") return fromNumber(value);
  if (typeof value !== "string") throw new Fault(`${shown(value)} is not a number`);
  if (value.length > LONGEST || !NUMERAL.test(value)) throw new Fault(`${shown(value)} is not a number`);
  return bounded(new Exact(value.trim()));
}

/** The decimal, unless it is larger than anything a mapping may count with. */
export function bounded(decimal: Exact): Exact {
  if (!decimal.isFinite() || decimal.e >= LARGEST) throw new Fault(`a number has more than ${LARGEST} digits`);
  return decimal;
}

/** The digits of a decimal, without an exponent. */
export const plain = (decimal: Exact) => (decimal.isZero() ? "0" : decimal.toFixed());

/** Digits before the point; a zero there does not count. */
export const wholeDigits = (decimal: Exact) => (decimal.isZero() ? 0 : Math.max(decimal.e + 1, 0));

/** JSON has other numbers than binary floats have: a whole number above 2^53 has lost digits on its way here. */
function fromNumber(value: number): Exact {
  if (!Number.isFinite(value)) throw new Fault("a number is larger than JSON numbers can be read");
  if (Number.isInteger(value) && !Number.isSafeInteger(value))
    throw new Fault(`the number ${value} is too large to be exact in JSON; it has to come as text`);
  return new Exact(value);
}

/** A value for a message: short, and as JSON has it. */
export function shown(value: unknown): string {
  if (Array.isArray(value)) return "a list";
  if (typeof value === "object" && value !== null) return "an object";
  const text = JSON.stringify(value) ?? "nothing";
  return text.length > 60 ? `${text.slice(0, 57)}…` : text;
}
