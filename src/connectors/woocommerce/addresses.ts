import type { Address } from "./documents.js";

/** The columns of an address of an order. */
export function addressColumns(which: "billing" | "shipping", address: Address): Record<string, string | null> {
  const parts = {
    name: [personOf(address), address.company].filter(Boolean).join(", ") || null,
    line1: address.address_1,
    line2: address.address_2,
    city: address.city,
    state: address.state,
    postal_code: address.postcode,
    country: address.country,
    phone: address.phone,
  };
  return Object.fromEntries(Object.entries(parts).map(([part, text]) => [`${which}_address_${part}`, text ?? null]));
}

/** The address in one line, as it stands on picking tickets. */
export function inOneLine({ address_1, address_2, city, state, postcode, country }: Address): string | null {
  const region = [state, postcode].filter(Boolean).join(" ");
  return [address_1, address_2, city, region, country].filter(Boolean).join(", ") || null;
}

/**
 * Whether it is no usable address. A shop fills in its own country, and the customer's name, where nobody entered
 * anything.
 */
export const isEmpty = ({ address_1, address_2, city, postcode }: Address): boolean =>
  ![address_1, address_2, city, postcode].some(Boolean);

export const personOf = ({ first_name, last_name }: Address): string | null =>
  [first_name, last_name].filter(Boolean).join(" ") || null;
