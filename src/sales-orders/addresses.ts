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

/** The parts that lists show: without name, country and phone. */
export type ListedAddressColumn = Exclude<AddressColumn, `${string}_address_${"name" | "country" | "phone"}`>;

export const listedAddressColumns = addressColumns.filter(
  (column): column is ListedAddressColumn => !/_(name|country|phone)$/.test(column),
);
