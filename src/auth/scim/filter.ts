import { scimError } from "./errors.js";

const EQUALS = /^\s*([\w.]+)\s+eq\s+("(?:[^"\\]|\\.)*")\s*$/i;

/** The attribute and value of `userName eq "ann"`; other filters are refused. Names may be in any case. */
export function filterIn<A extends string>(
  filter: string | undefined,
  attributes: readonly A[],
): { attribute: A; value: string } | undefined {
  if (filter === undefined) return undefined;
  const [, name = "", text = ""] = EQUALS.exec(filter) ?? [];
  const attribute = attributes.find((known) => known.toLowerCase() === name.toLowerCase());
  if (!attribute) throw scimError(400, `Only eq is known, of ${attributes.join(", ")}`, "invalidFilter");
  try {
    return { attribute, value: JSON.parse(text) };
  } catch {
    throw scimError(400, "The value of the filter is no text", "invalidFilter");
  }
}
