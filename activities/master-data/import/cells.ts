import { z } from "zod";
import { dayOf } from "../../../src/db/days.js";

/**
 * What a cell of an import may contain (reference 03 §6). A number may be sent as text, because files are text; a text
 * never as a number. `importer` removes empty cells first, so that an optional column is `Cell(64).optional()`.
 */

/** Text that a spreadsheet would run as a formula when the data is exported again. */
const formula = /^\s*[=+\-@]|^[\t\r]/;

/** Text of 1 to `max` characters, without spaces around it. */
export const Cell = (max: number) =>
  z
    .string()
    .refine((text) => !text.includes("\0"), "must not contain NUL")
    .refine((text) => !/\p{Surrogate}/u.test(text), "must be Unicode text")
    .refine((text) => !formula.test(text), "must not start like a formula: with = + - @, a tab or a carriage return")
    .trim()
    .min(1)
    .max(max);

/** A whole number, or the text of one. */
export const IntCell = (min: number, max: number) => z.preprocess(numberOf, z.int().min(min).max(max));

/** A number, or the text of one. */
export const NumberCell = (min: number, max: number) => z.preprocess(numberOf, z.number().min(min).max(max));

/** The id of a record. */
export const IdCell = IntCell(1, 2_147_483_647);

/** A day as `YYYY-MM-DD`; a time after it is ignored. */
export const DayCell = Cell(32)
  .refine((text) => dayOf(text) !== undefined, "not a date as YYYY-MM-DD")
  .transform((text) => dayOf(text) as string);

/** A label on a shelf: text, or a number that is read as text. */
export const LabelCell = (max: number) =>
  z.preprocess((value) => (Number.isInteger(value) ? String(value) : value), Cell(max));

function numberOf(value: unknown): unknown {
  return typeof value === "string" && /^\s*[+-]?\d+(\.\d+)?\s*$/.test(value) ? Number(value) : value;
}
