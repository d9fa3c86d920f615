import { z } from "zod";
import { Name, Text } from "../platform/fields.js";

/** The customer's wishes for the units of an order's line: an engraving, a size. */

export const LONGEST_NAME = 128;
export const LONGEST_VALUE = 1_000;
export const MOST_PROPERTIES = 30;

const LineProperty = z
  .strictObject({
    name: Name(LONGEST_NAME, "Engraving").describe("What it is called in the shop."),
    value: Text(LONGEST_VALUE, "Ada").describe("What the customer chose or wrote."),
  })
  .meta({
    id: "LineProperty",
    description:
      "What the customer wants of the units of a line, such as an engraving. A name that begins with `_` is of a " +
      "program, and not shown to people.",
  });

export const LineProperties = z
  .array(LineProperty)
  .max(MOST_PROPERTIES)
  .describe("What the customer wants of the units, such as an engraving, in the order of the shop.");
export type LineProperties = z.infer<typeof LineProperties>;

/** Those that people see: plugins of shops store their own under names that begin with `_`. */
export const shownProperties = (properties: LineProperties): LineProperties =>
  properties.filter(({ name }) => !name.startsWith("_"));

/** Parses the cell of a file: `Engraving: Ada | Size: M`. Undefined for any other form. */
export function propertiesOfCell(text: string): LineProperties | undefined {
  const parts = text.split("|").map((part) => {
    const colon = part.indexOf(":");
    return { name: part.slice(0, Math.max(colon, 0)).trim(), value: part.slice(colon + 1).trim() };
  });
  return parts.every(({ name }) => name !== "") ? parts : undefined;
}
