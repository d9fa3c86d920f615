import type { Address } from "./documents.js";

/** The columns of an address of an order. */
export function addressColumns(which: "billing" | "shipping", address: Address): Record<string, string | null> {
  const { address1, address2, city, zip, phone } = address ?? {};
  const parts = {
    name: nameOf(address),
    ...{ line1: address1, line2: address2, city },
    state: address?.province_code ?? address?.province,
    postal_code: zip,
    country: address?.country_code ?? address?.country,
    phone,
  };
  return Object.fromEntries(Object.entries(parts).map(([part, text]) => [`${which}_address_${part}`, text ?? null]));
}

/** The address in one line, as it stands on picking tickets. */
export function inOneLine(address: Address): string | null {
  if (!address) return null;
  const { address1, address2, city, province_code, province, zip, country_code, country } = address;
  const region = [province_code ?? province, zip].filter(Boolean).join(" ");
  return [address1, address2, city, region, country_code ?? country].filter(Boolean).join(", ") || null;
}

/** The recipient, with the company. */
const nameOf = (address: Address): string | null =>
  [personOf(address), address?.company].filter(Boolean).join(", ") || null;

interface Person {
  name?: string | null;
  first_name: string | null;
  last_name: string | null;
}

export const personOf = (person: Person | null | undefined): string | null =>
  person?.name || [person?.first_name, person?.last_name].filter(Boolean).join(" ") || null;
