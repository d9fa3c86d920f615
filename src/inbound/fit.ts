import { z } from "zod";
import type { Column, Columns, Format } from "../platform/pushed-columns.js";
import { dayOf } from "../platform/time.js";
import { type LineProperties, LONGEST_NAME, LONGEST_VALUE, MOST_PROPERTIES } from "../sales-orders/properties.js";
import { exact, plain, shown, wholeDigits } from "./decimals.js";
import { Fault } from "./fault.js";

/**
 * Converts mapped values to the types of their columns, because senders write numbers as text and text as numbers; the
 * database would refuse some and convert others differently. Each fault names its column. A null for a column with a
 * default is left out.
 */
export function fitInto(
  columns: Columns,
  values: Record<string, unknown>,
): { values: Record<string, unknown>; faults: string[] } {
  const fitted: Record<string, unknown> = {};
  const faults: string[] = [];
  for (const [name, value] of Object.entries(values)) {
    const column = columns[name] as Column;
    const empty = value === null || value === undefined;
    if (empty && column.filled) continue;
    try {
      if (empty && column.required) throw new Fault("is needed");
      fitted[name] = empty ? null : fitOne(column, value);
    } catch (error) {
      if (!(error instanceof Fault)) throw error;
      faults.push(`${name}: ${error.message}`);
    }
  }
  return { values: fitted, faults };
}

/** The columns that a new record needs and that these values leave out. */
export function missing(columns: Columns, values: Record<string, unknown>): string[] {
  return Object.entries(columns)
    .filter(([name, { required }]) => required && !Object.hasOwn(values, name))
    .map(([name]) => name);
}

function fitOne(column: Column, value: unknown): unknown {
  switch (column.kind) {
    case "text":
      return fitFormat(fitText(value, column.maxLength, column.required), column.format);
    case "integer":
      return fitInteger(value, column.min, column.max);
    case "decimal":
      return fitDecimal(value, column);
    case "enum":
      if (column.values.includes(value as string)) return value;
      throw new Fault(`${shown(value)} is none of ${column.values.join(", ")}`);
    case "textList":
      return fitTextList(value, column);
    case "properties":
      return fitProperties(value);
    case "boolean":
      return fitBoolean(value);
    case "date":
      return fitDate(value);
    case "uuid":
      if (z.uuid().safeParse(value).success) return value;
      throw new Fault(`${shown(value)} is not a UUID`);
  }
}

function fitText(value: unknown, maxLength?: number, required?: true): string {
  const text = typeof value === "number" ? plain(exact(value)) : value;
  if (typeof text !== "string") throw new Fault(`${shown(value)} is not a text`);
  if (required && text.trim() === "") throw new Fault("is blank");
  if (maxLength !== undefined && isLonger(text, maxLength)) throw new Fault(`is longer than ${maxLength} characters`);
  // Postgres cannot store NUL or half of a surrogate pair.
  if (text.includes("\0") || /\p{Cs}/u.test(text)) throw new Fault("has characters that cannot be kept");
  return text;
}

function fitFormat(text: string, format?: Format): string {
  if (format && !format.pattern.test(text)) throw new Fault(`${shown(text)} is not ${format.called}`);
  return text;
}

/** Counts characters, as Postgres does, and not UTF-16 units. */
const isLonger = (text: string, maxLength: number) =>
  text.length > maxLength && (text.length > 2 * maxLength || [...text].length > maxLength);

function fitInteger(value: unknown, min: number, max: number): number {
  const number = exact(value);
  if (!number.isInteger()) throw new Fault(`${plain(number)} is not a whole number`);
  if (number.lt(min) || number.gt(max)) throw new Fault(`${plain(number)} is not from ${min} to ${max}`);
  return number.toNumber();
}

/** The database rounds what has more places, half away from zero. */
function fitDecimal(value: unknown, { precision, scale, min }: Extract<Column, { kind: "decimal" }>): string {
  const number = exact(value).toDecimalPlaces(scale, 4);
  if (wholeDigits(number) > precision - scale) throw new Fault(`${plain(number)} is too large`);
  if (min !== undefined && number.lt(min)) throw new Fault(`${plain(number)} is below ${min}`);
  return plain(number);
}

/** A single text becomes a list, because a path with a wildcard that finds one value has no list as its result. */
function fitTextList(value: unknown, { maxLength, max }: Extract<Column, { kind: "textList" }>): string[] {
  const texts = Array.isArray(value) ? value : [value];
  if (texts.length > max) throw new Fault(`has more than ${max} entries`);
  return texts.map((text) => fitText(text, maxLength, true));
}

/** A single object becomes a list, as a single text does. */
function fitProperties(value: unknown): LineProperties {
  const list = Array.isArray(value) ? value : [value];
  if (list.length > MOST_PROPERTIES) throw new Fault(`has more than ${MOST_PROPERTIES} entries`);
  return list.map((one) => {
    const { name, value = null } = (one ?? {}) as Record<string, unknown>;
    if (name === undefined || name === null) throw new Fault(`${shown(one)} has no name`);
    return {
      name: fitText(name, LONGEST_NAME, true).trim(),
      value: value === null ? "" : fitText(typeof value === "boolean" ? String(value) : value, LONGEST_VALUE),
    };
  });
}

const TRUE = ["true", "1", "yes"];
const FALSE = ["false", "0", "no"];

function fitBoolean(value: unknown): boolean {
  const word = typeof value === "object" ? "" : String(value).toLowerCase();
  if (TRUE.includes(word)) return true;
  if (FALSE.includes(word)) return false;
  throw new Fault(`${shown(value)} is neither true nor false`);
}

function fitDate(value: unknown): string {
  const day = typeof value === "string" ? dayOf(value) : undefined;
  if (day === undefined) throw new Fault(`${shown(value)} is not a date as YYYY-MM-DD`);
  return day;
}
