import { formatAddress } from "localized-address-format";
import { z } from "zod";
import { text } from "../db/columns.js";
import { countryCode } from "./country.js";
import { stateCode } from "./state.js";

/** Addresses on paper: each in the order of its country. */

const part = text.nullable();
export const PrintedAddress = z.strictObject({
  ...{ name: part, line1: part, line2: part, city: part, state: part, postal_code: part, country: part },
});
export type PrintedAddress = z.infer<typeof PrintedAddress>;

const EAST_ASIAN = /[\p{Script=Han}\p{Script=Hangul}\p{Script=Hiragana}\p{Script=Katakana}]/u;

/** The lines of an address in the order of its country, which comes last as it is stored; none of it is left out. */
export function addressLines(address: PrintedAddress): string[] {
  const { name, line1, line2, city, state, postal_code, country } = trimmed(address);
  const code = country && countryCode(country);
  const street = [line1, line2].filter(Boolean);
  const cityLine = [postal_code, city].filter(Boolean).join(" ");
  const asStored = [name, ...street, [cityLine, state].filter(Boolean).join(", "), country];
  if (!code) return asStored.filter(Boolean);
  const given = {
    ...{ postalCountry: code, name, addressLines: street, locality: city, postalCode: postal_code },
    administrativeArea: state && (stateCode(code, state) ?? state),
  };
  const script = EAST_ASIAN.test(line1 + city) ? "local" : "latin";
  const lines = formatAddress(given, script).map((line) => withoutPrefix(line, postal_code));
  // Some countries have no town of their own in it, or no postcode.
  const has = (part: string) => lines.some((line) => line.includes(part));
  return (has(city) && has(postal_code) ? [...lines, country] : asStored).filter(Boolean);
}

const trimmed = (address: PrintedAddress) =>
  Object.fromEntries(Object.entries(address).map(([part, value]) => [part, value?.trim() ?? ""])) as Record<
    keyof PrintedAddress,
    string
  >;

/** Without the country before the postcode (`CH-6300`), which posts no longer ask for. */
function withoutPrefix(line: string, postcode: string): string {
  const at = postcode ? line.indexOf(postcode) : -1;
  return at > 0 ? line.slice(0, at).replace(/\b[A-Z]{1,2}-$/, "") + line.slice(at) : line;
}
