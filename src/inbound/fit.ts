import { z } from "zod";
import { dayOf } from "../db/days.js";
import type { Column, Columns } from "./columns.js";
import { exact, plain, shown, wholeDigits } from "./decimals.js";
import { Fault } from "./fault.js";

/**
 * Brings mapped values into what their columns take, which the database would otherwise refuse or read in its own way:
 * senders write numbers as text and text as numbers. Each fault names its column. A null for a column that fills itself
 * is left out.
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
      return fitText(value, column.width, column.required);
    case "whole":
      return fitWhole(value, column.least, column.most);
    case "decimal":
      return fitDecimal(value, column);
    case "word":
      if (column.words.includes(value as string)) return value;
      throw new Fault(`${shown(value)} is none of ${column.words.join(", ")}`);
    case "texts":
      return fitTexts(value, column);
    case "yesno":
      return fitYesNo(value);
    case "day":
      return fitDay(value);
    case "uuid":
      if (z.uuid().safeParse(value).success) return value;
      throw new Fault(`${shown(value)} is not a UUID`);
  }
}

function fitText(value: unknown, width?: number, required?: true): string {
  const text = typeof value === "number" ? plain(exact(value)) : value;
  if (typeof text !== "string") throw new Fault(`${shown(value)} is not a text`);
  if (required && text.trim() === "") throw new Fault("is blank");
  if (width !== undefined && isLonger(text, width)) throw new Fault(`is longer than ${width} characters`);
  // Neither NUL nor half a character has a place in the database.
  if (text.includes("\0") || /\p{Cs}/u.test(text)) throw new Fault("has characters that cannot be kept");
  return text;
}

/** Counted in characters, as the database does. */
const isLonger = (text: string, width: number) =>
  text.length > width && (text.length > 2 * width || [...text].length > width);

function fitWhole(value: unknown, least: number, most: number): number {
  const number = exact(value);
  if (!number.isInteger()) throw new Fault(`${plain(number)} is not a whole number`);
  if (number.lt(least) || number.gt(most)) throw new Fault(`${plain(number)} is not from ${least} to ${most}`);
  return number.toNumber();
}

/** The database rounds what has more places, half away from zero. */
function fitDecimal(value: unknown, { digits, places, least }: Extract<Column, { kind: "decimal" }>): string {
  const number = exact(value).toDecimalPlaces(places, 4);
  if (wholeDigits(number) > digits - places) throw new Fault(`${plain(number)} is too large`);
  if (least !== undefined && number.lt(least)) throw new Fault(`${plain(number)} is below ${least}`);
  return plain(number);
}

/** One text is a list of one: a path with a wildcard gives no list when it finds one value. */
function fitTexts(value: unknown, { width, most }: Extract<Column, { kind: "texts" }>): string[] {
  const texts = Array.isArray(value) ? value : [value];
  if (texts.length > most) throw new Fault(`has more than ${most} entries`);
  return texts.map((text) => fitText(text, width, true));
}

const YES = ["true", "1", "yes"];
const NO = ["false", "0", "no"];

function fitYesNo(value: unknown): boolean {
  const word = typeof value === "object" ? "" : String(value).toLowerCase();
  if (YES.includes(word)) return true;
  if (NO.includes(word)) return false;
  throw new Fault(`${shown(value)} is neither true nor false`);
}

function fitDay(value: unknown): string {
  const day = typeof value === "string" ? dayOf(value) : undefined;
  if (day === undefined) throw new Fault(`${shown(value)} is not a date as YYYY-MM-DD`);
  return day;
}
