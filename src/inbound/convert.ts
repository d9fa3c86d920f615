import { type Exact, exact, plain, shown, wholeDigits } from "./decimals.js";
import { Fault } from "./fault.js";

/** What a field mapping (schema.ts) says of the values of its field. */
interface Rules {
  type: string;
  enum_values?: string[] | undefined;
  max_digits?: number | undefined;
  decimal_places?: number | undefined;
  ge?: Exact | undefined;
  le?: Exact | undefined;
}

/**
 * A value as its field wants it: decimals and enums are converted and checked, the rest passes as given (reference 04
 * §5.3).
 */
export function convert(rules: Rules, value: unknown): unknown {
  if (value === null) return null;
  if (rules.type === "decimal") return plain(within(rules, exact(value)));
  if (rules.type !== "enum") return value;
  if (!rules.enum_values?.includes(value as string))
    throw new Fault(`${shown(value)} is none of ${rules.enum_values?.join(", ")}`);
  return value;
}

/** The decimal, within its bounds; zeros at the end of its places do not count. */
function within({ max_digits, decimal_places, ge, le }: Rules, decimal: Exact): Exact {
  const is = plain(decimal);
  const places = decimal.decimalPlaces();
  if (decimal_places !== undefined && places > decimal_places)
    throw new Fault(`${is} has more than ${decimal_places} decimal places`);
  // What is kept free for the places that are allowed is not there for whole digits, as in a column.
  const room = Math.max(places, decimal_places ?? 0);
  if (max_digits !== undefined && wholeDigits(decimal) + room > max_digits)
    throw new Fault(`${is} has more digits than ${max_digits}`);
  if (ge && decimal.lt(ge)) throw new Fault(`${is} is below ${plain(ge)}`);
  if (le && decimal.gt(le)) throw new Fault(`${is} is above ${plain(le)}`);
  return decimal;
}
