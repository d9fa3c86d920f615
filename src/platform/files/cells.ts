import { z } from "zod";
import type { Format } from "../pushed-columns.js";
import { dayOf } from "../time.js";
import { faultOfBarcode, faultOfCode } from "./codes.js";
import { isFormula, unguarded } from "./formulas.js";
import { notDecimal, notWhole, wholeNumber, withPoint } from "./numbers.js";

/**
 * The cells of an import (docs/interface.md, Imports). A number may be sent as text, because files are text; a text
 * never as a number. The importer removes empty cells first, so an optional column is `Cell(64).optional()`.
 */

/** Text of 1 to `max` characters, without spaces around it. */
export const Cell = (max: number) =>
  z
    .string()
    .refine((text) => !text.includes("\0"), "must not contain NUL")
    .refine((text) => !/\p{Surrogate}/u.test(text), "must be Unicode text")
    .refine(
      (text) => !isFormula(text),
      "must not be a formula: with = + - @, a tab or a carriage return first, or = behind a separator",
    )
    .transform(unguarded)
    .pipe(z.string().trim().min(1).max(max));

/** A code: text that spreadsheets like to take for a number. */
export const CodeCell = (max: number) => Cell(max).check(refusing(faultOfCode));

/** Text of one format; a number is read as text. */
export const FormattedCell = (max: number, { pattern, called }: Format) =>
  z.preprocess(
    (value) => (Number.isInteger(value) ? String(value) : value),
    Cell(max).pipe(z.string().regex(pattern, `must be ${called}`)),
  );

/** A barcode: a GTIN, or a code of the company's own. */
export const BarcodeCell = (max: number) => Cell(max).check(refusing(faultOfBarcode));

const refusing =
  (faultOf: (code: string) => string | null) =>
  ({ value, issues }: z.core.ParsePayload<string>) => {
    const message = faultOf(value);
    if (message !== null) issues.push({ code: "custom", input: value, message });
  };

/** A whole number, or the text of one: digits alone. */
export const IntCell = (min: number, max: number) =>
  z.preprocess((value, { addIssue }) => {
    if (typeof value !== "string") return value;
    const number = wholeNumber(value);
    if (number === undefined) addIssue(notWhole(value));
    return number;
  }, z.int().min(min).max(max));

/** A number, or the text of one. */
export const NumberCell = (min: number, max: number) =>
  z.preprocess((value, { addIssue }) => {
    if (typeof value !== "string") return value;
    const text = withPoint(value);
    if (text === undefined) addIssue(notDecimal(value));
    return text !== undefined && /^\s*[+-]?\d+(\.\d+)?\s*$/.test(text) ? Number(text) : value;
  }, z.number().min(min).max(max));

/** One of a few words, whatever their capitals. */
export const ChoiceCell = <E extends z.core.util.EnumLike>(choice: z.ZodEnum<E>) =>
  z.preprocess((value) => (typeof value === "string" ? value.trim().toLowerCase() : value), choice);

/** `true`, `yes` or `1`, or `false`, `no` or `0`, as spreadsheets and people write it. */
export const BooleanCell = z.preprocess((value, { addIssue }) => {
  const word = String(value).trim().toLowerCase();
  if (["true", "yes", "1"].includes(word)) return true;
  if (["false", "no", "0"].includes(word)) return false;
  addIssue({ code: "custom", input: value, message: "must be true or false" });
  return z.NEVER;
}, z.boolean());

/** The id of a record. */
export const IdCell = IntCell(1, 2_147_483_647);

/** A day as `YYYY-MM-DD`; a time after it is ignored. */
export const DayCell = Cell(32)
  .refine((text) => dayOf(text) !== undefined, "not a date as YYYY-MM-DD")
  .transform((text) => dayOf(text) as string);

/** A label on a shelf, or a code: text, or a number that is read as text. */
export const LabelCell = (max: number) =>
  z.preprocess((value) => (Number.isInteger(value) ? String(value) : value), CodeCell(max));
