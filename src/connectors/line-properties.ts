import { type LineProperties, LONGEST_NAME, LONGEST_VALUE, MOST_PROPERTIES } from "../sales-orders/properties.js";

/**
 * The customer's wishes for the units of a line, from what the shop sends: named texts, numbers and booleans. They are
 * cut as all texts of shops are; where there are too many, those that people see are kept.
 */
export function lineProperties(entries: { name: unknown; value: unknown }[]): LineProperties {
  const properties = entries.flatMap(({ name, value }) => {
    const of = { name: cut(name, LONGEST_NAME), value: cut(value, LONGEST_VALUE) };
    return of.name && of.value ? [of] : [];
  });
  const isHidden = ({ name }: { name: string }) => Number(name.startsWith("_"));
  return properties.length > MOST_PROPERTIES
    ? properties.toSorted((a, b) => isHidden(a) - isHidden(b)).slice(0, MOST_PROPERTIES)
    : properties;
}

const cut = (value: unknown, longest: number): string =>
  ["string", "number", "boolean"].includes(typeof value)
    ? [...String(value).replaceAll("\0", "").toWellFormed().trim()].slice(0, longest).join("").trim()
    : "";
