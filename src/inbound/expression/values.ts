import { Exact, exact, plain, shown } from "../decimals.js";
import { Fault } from "../fault.js";

/** A value in an expression: JSON with exact decimals as numbers. */
export type Value = null | boolean | string | Exact | object;

/** A JSON value as a value of an expression. */
export function read(json: unknown): Value {
  if (typeof json === "number") return exact(json);
  return (json ?? null) as Value;
}

/** The value as JSON: whole numbers up to 2^53 as numbers, other decimals as text. */
export function written(value: Value): unknown {
  if (Array.isArray(value) && value.some((item) => item instanceof Exact))
    return value.map((item) => (item instanceof Exact ? written(item) : item));
  if (!(value instanceof Exact)) return value;
  const number = value.toNumber();
  return Number.isSafeInteger(number) && value.eq(number) ? number : plain(value);
}

/** As in Python, None, False, 0 and anything empty are false. */
export function truth(value: Value): boolean {
  if (value instanceof Exact) return !value.isZero();
  return typeof value === "object" && value !== null ? lengthOf(value) > 0 : Boolean(value);
}

/** The number of elements or members. */
export const lengthOf = (value: object): number => (Array.isArray(value) ? value.length : Object.keys(value).length);

/** The steps that reading a whole value costs; members cost more than elements. */
export function costOf(value: Value): number {
  if (typeof value === "string" || Array.isArray(value)) return value.length;
  if (value instanceof Exact || typeof value !== "object" || value === null) return 1;
  return 5 * lengthOf(value);
}

export function numeral(value: Value): Exact {
  if (value instanceof Exact) return value;
  throw new Fault(`${described(value)} is not a number`);
}

/** A value for a message. */
export const described = (value: Value) => (value instanceof Exact ? plain(value) : shown(value));

export function wholeNumber(value: Value): number {
  const number = numeral(value);
  if (!number.isInteger() || number.abs().gt(Number.MAX_SAFE_INTEGER))
    throw new Fault(`${described(value)} is not a place`);
  return number.toNumber();
}

/** Converts a number, a numeric text, or a boolean (1 or 0). */
export function toNumber(value: Value): Exact {
  if (value instanceof Exact) return value;
  return typeof value === "boolean" ? new Exact(Number(value)) : exact(value);
}
