import { isFoundByIndex } from "../platform/db/list.js";

/** The parts of an address with their maximum lengths, examples and descriptions. */
const parts = {
  name: [200, "Mary Miller", "Who lives at the {} address."],
  line1: [200, "12 Main Street", "First line of the {} address: street and number."],
  line2: [200, "Apt 4", "Second line of the {} address: floor, flat."],
  city: [100, "Springfield", "Town of the {} address."],
  state: [100, "IL", "State or region of the {} address, mostly as a code."],
  postal_code: [32, "62701", "Postal (ZIP) code of the {} address, as text."],
  country: [64, "US", "Country of the {} address, as a code of two letters or in words."],
  phone: [64, "+1 555 0100", "Telephone number for the {} address."],
} as const;

export type AddressColumn = `${"billing" | "shipping"}_address_${keyof typeof parts}`;

/** The 16 columns of an order's two addresses (docs/interface.md, Sales orders). */
export const addressFields = Object.fromEntries(
  ["billing", "shipping"].flatMap((whose) =>
    Object.entries(parts).map(([part, [width, example, description]]) => [
      `${whose}_address_${part}`,
      { width, example, description: description.replace("{}", whose) },
    ]),
  ),
) as Record<AddressColumn, { width: number; example: string; description: string }>;

export const addressColumns = Object.keys(addressFields) as AddressColumn[];

/** SQL of the shipping address of an order as one object, as stations and tills get it. */
export const SHIPPING_ADDRESS = `json_build_object(${Object.keys(parts)
  .map((part) => `'${part}', shipping_address_${part}`)
  .join()})`;

const SHIPPING_LINES = ["line1", "line2", "city", "state", "postal_code", "country"].map(
  (part) => `nullif(so.shipping_address_${part}, '')`,
);
/** SQL of where the order `so` goes, in one text. */
export const CUSTOMER_ADDRESS = `coalesce(nullif(concat_ws(', ', ${SHIPPING_LINES.join(", ")}), ''), so.ship_address,
  so.customer_address)`;

/** SQL of where an order goes as it is searched, as in the index `sales_orders_address`. */
const SEARCHED_ADDRESS = `(coalesce(shipping_address_line1, '') || ' ' || coalesce(shipping_address_line2, '') || ' ' ||
  coalesce(shipping_address_postal_code, '') || ' ' || coalesce(shipping_address_city, '') || ' ' ||
  coalesce(ship_address, customer_address, ''))`;

/** SQL: whether an order goes to an address that all patterns fit; `placeholders` stand for the patterns. */
export const goesTo = (placeholders: string[]) =>
  placeholders.map((pattern) => `${SEARCHED_ADDRESS} ~* ${pattern}`).join(" and ");

/** Endings of streets that people write in several ways, cut to what these have in common. */
const STREET = /(?<=str)a(ß|ss)e$|(?<=^st)reet$|(?<=^ave?)nue$/i;

/**
 * Patterns for an address as somebody names it, such as “Lindenweg 7, Berlin”: each word begins a word of the address,
 * a number of up to three digits is a whole one. None where no word of it is found by the index.
 */
export function addressPatterns(sought: string): string[] {
  if (!isFoundByIndex(sought)) return [];
  const words = sought.split(/[^\p{L}\p{N}]+/u).filter(Boolean);
  return words.map((word) => `(?<!\\w)${word.replace(STREET, "")}${/^\d{1,3}$/.test(word) ? "(?!\\d)" : ""}`);
}

/** The parts that lists show: without name, country and phone. */
export type ListedAddressColumn = Exclude<AddressColumn, `${string}_address_${"name" | "country" | "phone"}`>;

export const listedAddressColumns = addressColumns.filter(
  (column): column is ListedAddressColumn => !/_(name|country|phone)$/.test(column),
);
