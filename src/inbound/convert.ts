import { type Exact, exact, plain, shown, wholeDigits } from "./decimals.js";
import { Fault } from "./fault.js";
import type { Rules } from "./rules.js";

/** Converts and checks decimals and enums; other values stay as they are (docs/interface.md, Inbound). */
export function convert(rules: Rules, value: unknown): unknown {
  if (value === null) return null;
  if (rules.type === "decimal") return plain(checked(rules, exact(value)));
  if (rules.type !== "enum") return value;
  if (!rules.enum_values?.includes(value as string))
    throw new Fault(`${shown(value)} is none of ${rules.enum_values?.join(", ")}`);
  return value;
}

/** Checks the bounds of a decimal; trailing zeros do not count as places. */
function checked({ max_digits, decimal_places, ge, le }: Rules, decimal: Exact): Exact {
  const text = plain(decimal);
  const places = decimal.decimalPlaces();
  if (decimal_places !== undefined && places > decimal_places)
    throw new Fault(`${text} has more than ${decimal_places} decimal places`);
  // As in a numeric column, the allowed decimal places are reserved: they reduce the digits before the point.
  const reserved = Math.max(places, decimal_places ?? 0);
  if (max_digits !== undefined && wholeDigits(decimal) + reserved > max_digits)
    throw new Fault(`${text} has more digits than ${max_digits}`);
  if (ge && decimal.lt(ge)) throw new Fault(`${text} is below ${plain(ge)}`);
  if (le && decimal.gt(le)) throw new Fault(`${text} is above ${plain(le)}`);
  return decimal;
}
