/**
 * Text that a spreadsheet would run as a formula. In a file that we write, an apostrophe before it makes it text; in a
 * file that we read, that apostrophe is removed. A text that begins with an apostrophe already gets another one, so
 * that a file which we wrote is read back unchanged.
 */

/** What begins a formula; some spreadsheets take the full-width forms as well. */
const SIGNS = "=+\\-@＝＋－＠";

/** At the beginning of a value. */
const FIRST = new RegExp(`^('*)(?=\\s*[${SIGNS}]|[\\t\\r])`);
/** After what a spreadsheet may take for the end of a cell or a row; "- " begins an entry of a list. */
const LATER = /([;\t\r\n])('*)(?=[=@＝＠]|[+\-＋－](?! ))/g;
const NUMBER = /^-?\d+(\.\d+)?$/;

/** A value of a file that we write. */
export function guarded(text: string): string {
  if (NUMBER.test(text)) return text;
  return text.replace(FIRST, "$1'").replace(LATER, "$1$2'");
}

/** The value of a cell that was protected from being run, here or by another program; the inverse of `guarded`. */
export function unguarded(text: string): string {
  return text
    .replace(LATER, (_, end: string, marks: string) => end + marks.slice(1))
    .replace(FIRST, (_, marks: string) => marks.slice(1));
}

const NUMBER_OR_PHONE = /^\s*[+\-＋－][\d\s().,/-]*$/;

/** Whether a value of a file would be run; not for numbers and telephone numbers. */
export const isFormula = (text: string): boolean =>
  (new RegExp(`^\\s*[${SIGNS}]|^[\\t\\r]`).test(text) && !NUMBER_OR_PHONE.test(text)) || /[;,\t]\s*[=＝]/.test(text);

/** The same, for values that can be nothing but a formula. */
export const isSurelyFormula = (text: string): boolean => /(?:^|[;,\t])\s*[=＝]/.test(text);

/** `="0042"`, as programs write a code so that a spreadsheet keeps its zeros, is `0042`. */
export const withoutWrap = (text: string): string => /^="([^"]*)"$/.exec(text)?.[1] ?? text;
