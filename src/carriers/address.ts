import type { FieldFault, PostalAddress } from "./carrier.js";

/** The columns of an order that say where it goes. */
export interface OrderAddress extends Record<keyof PostalAddress, string | null> {
  customer_name: string | null;
}

const NEEDED = ["name", "line1", "city", "country"] as const;

/**
 * Where an order goes, as carriers take it: orders have countries as codes or in English words. Gives what is missing
 * or not understood.
 */
export function postalAddress(from: OrderAddress): PostalAddress | FieldFault[] {
  const { customer_name, ...given } = from;
  const said = Object.fromEntries(
    Object.entries(given).map(([part, value]) => [part, value?.trim() || null]),
  ) as typeof given;
  const address = {
    ...said,
    name: said.name ?? (customer_name?.trim() || null),
    country: said.country && countryCode(said.country),
  };
  const faults = NEEDED.filter((part) => address[part] == null).map((part) => ({
    field: `shipping_address_${part}`,
    message: said[part] ? `${said[part]} is not a country` : "It is missing",
  }));
  return faults.length > 0 ? faults : (address as PostalAddress);
}

const names = new Intl.DisplayNames("en", { type: "region", fallback: "none" });
const LETTERS = Array.from({ length: 26 }, (_, at) => String.fromCharCode(65 + at));
/** Regions that are no countries, and one that is none at all. */
const NO_COUNTRY = ["EU", "EZ", "UN", "QO", "XA", "XB", "ZZ"];

/** The code that the standard has for it: GB for UK; undefined where there is no such country. */
function standardCode(letters: string): string | undefined {
  const code = new Intl.Locale(`und-${letters}`).region as string;
  return names.of(code) === undefined || NO_COUNTRY.includes(code) ? undefined : code;
}

const codes = new Map(
  LETTERS.flatMap((a) => LETTERS.map((b) => standardCode(a + b) ?? [])).flatMap((found) =>
    [found].flat().map((code) => [(names.of(code) as string).toLowerCase(), code] as const),
  ),
);

/** The code of a country that is given as a code or as its English name; undefined for others. */
export function countryCode(country: string): string | undefined {
  const code = country.toUpperCase();
  if (/^[A-Z]{2}$/.test(code)) return standardCode(code);
  return codes.get(country.toLowerCase());
}
