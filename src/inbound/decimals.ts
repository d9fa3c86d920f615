import { Decimal } from "decimal.js";
import { Fault } from "./fault.js";

/** Decimals with 60 digits. Mappings may use numbers of at most 40 digits, so that intermediate results are exact. */
export const Exact = Decimal.clone({
  precision: 60,
  rounding: Decimal.ROUND_HALF_EVEN,
  // The remainder has the sign of the divisor, as in Python.
  modulo: Decimal.ROUND_FLOOR,
  minE: -100,
  maxE: 100,
});
export type Exact = Decimal;
const MAX_DIGITS = 40;

const NUMERAL = /^\s*[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d{1,3})?\s*$/i;
const MAX_LENGTH = 100;

/** The exact decimal of a JSON number or of a text; throws a Fault for anything else. */
export function exact(value: unknown): Exact {
  if (typeof value === "number") return fromNumber(value);
  if (typeof value !== "string") throw new Fault(`${shown(value)} is not a number`);
  if (value.length > MAX_LENGTH || !NUMERAL.test(value)) throw new Fault(`${shown(value)} is not a number`);
  return bounded(new Exact(value.trim()));
}

/** The decimal; throws a Fault when it is larger than a mapping may use. */
export function bounded(decimal: Exact): Exact {
  if (!decimal.isFinite() || decimal.e >= MAX_DIGITS) throw new Fault(`a number has more than ${MAX_DIGITS} digits`);
  return decimal;
}

/** The digits of a decimal, without an exponent. */
export const plain = (decimal: Exact) => (decimal.isZero() ? "0" : decimal.toFixed());

/** How many digits stand before the point; a lone zero does not count. */
export const wholeDigits = (decimal: Exact) => (decimal.isZero() ? 0 : Math.max(decimal.e + 1, 0));

/** Parsing JSON rounds whole numbers above 2^53, so these are refused. */
function fromNumber(value: number): Exact {
  if (!Number.isFinite(value)) throw new Fault("a number is larger than JSON numbers can be read");
  if (Number.isInteger(value) && !Number.isSafeInteger(value))
    throw new Fault(`the number ${value} is too large to be exact in JSON; it has to come as text`);
  return new Exact(value);
}

/** A value as short JSON, for messages. */
export function shown(value: unknown): string {
  if (Array.isArray(value)) return "a list";
  if (typeof value === "object" && value !== null) return "an object";
  const text = JSON.stringify(value) ?? "nothing";
  return text.length > 60 ? `${text.slice(0, 57)}…` : text;
}
