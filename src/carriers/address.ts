import { countryCode } from "../platform/address/country.js";
import { needsPostcode, postcode } from "../platform/address/postcode.js";
import { needsState, stateCode } from "../platform/address/state.js";
import type { FieldFault, PostalAddress } from "./carrier.js";

/** The columns of an order that say where it goes. */
export interface OrderAddress extends Record<keyof PostalAddress, string | null> {
  customer_name: string | null;
}

type Part = Exclude<keyof PostalAddress, "phone" | "email" | "line2">;
const MISSING = "It is missing";

/**
 * Where an order goes, as carriers take it: the country as a code, the state where its country has codes, the postcode
 * as its country writes it. Gives what is missing or not understood instead.
 */
export function postalAddress({ customer_name, ...given }: OrderAddress): PostalAddress | FieldFault[] {
  const said = Object.fromEntries(
    Object.entries(given).map(([part, value]) => [part, value?.trim() || null]),
  ) as typeof given;
  const name = said.name ?? (customer_name?.trim() || null);
  const country = said.country && countryCode(said.country);
  const state = country && said.state ? stateCode(country, said.state) : said.state;
  const postal_code = country && said.postal_code ? postcode(country, said.postal_code) : said.postal_code;
  const faults: [Part, string | false | null][] = [
    ...(["line1", "city"] as const).map((part): [Part, string | false] => [part, !said[part] && MISSING]),
    ["state", fault(state, said.state, country && needsState(country), `is not a state of ${country}`)],
    [
      "postal_code",
      fault(postal_code, said.postal_code, country && needsPostcode(country), `is not a postcode of ${country}`),
    ],
    ["country", fault(country, said.country, true, "is not a country")],
  ];
  if (!name) faults.unshift(["name", MISSING]);
  const found = faults.flatMap(([part, message]) => (message ? { field: `shipping_address_${part}`, message } : []));
  return found.length > 0 ? found : ({ ...said, name, country, state, postal_code } as PostalAddress);
}

/** Where an account sends from, as carriers take it; as somebody wrote it, where that is not understood. */
export function senderAddress(from: PostalAddress): PostalAddress {
  const known = postalAddress({ ...from, customer_name: null });
  return Array.isArray(known) ? from : known;
}

/** What is wrong with a part: it is needed and not there, or it was not understood. */
const fault = (known: string | null | undefined, said: string | null, needed: unknown, what: string) =>
  known ? false : said ? `${said} ${what}` : needed ? MISSING : false;
