/**
 * Numbers as texts in files. A text that one program reads as one number and another program as another is refused:
 * 1.000 is a thousand in one country and one in another.
 */

/** A whole number, of digits alone; undefined for anything else. */
export const wholeNumber = (text: string): number | undefined =>
  /^\s*[+-]?\d+\s*$/.test(text) ? Number(text) : undefined;

/** The message for other texts. */
export const notWhole = (text: string) => `"${text.slice(0, 40)}" has to be digits alone, such as 1000`;

/**
 * The text of a number with a point. A comma is one where it can be no separator of thousands; undefined where it can
 * be.
 */
export function withPoint(text: string): string | undefined {
  const [, sign, whole = "", places] = /^\s*([+-]?)(\d+),(\d+)\s*$/.exec(text) ?? [];
  if (places === undefined) return text.includes(",") ? undefined : text;
  return places.length === 3 && whole !== "0" ? undefined : `${sign}${whole}.${places}`;
}

export const notDecimal = (text: string) => `"${text.slice(0, 40)}" may mean two numbers: write it with a point`;
