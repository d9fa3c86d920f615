/** The 16 columns of an order's two addresses, with their widths (docs/interface.md, Sales orders). */
const parts = {
  name: 200,
  line1: 200,
  line2: 200,
  city: 100,
  state: 100,
  postal_code: 32,
  country: 64,
  phone: 64,
} as const;

export type AddressColumn = `${"billing" | "shipping"}_address_${keyof typeof parts}`;

export const addressWidths = Object.fromEntries(
  ["billing", "shipping"].flatMap((whose) =>
    Object.entries(parts).map(([part, width]) => [`${whose}_address_${part}`, width]),
  ),
) as Record<AddressColumn, number>;

export const addressColumns = Object.keys(addressWidths) as AddressColumn[];

/** SQL of the shipping address of an order as one object, as stations and tills get it. */
export const SHIPPING_ADDRESS = `json_build_object(${Object.keys(parts)
  .map((part) => `'${part}', shipping_address_${part}`)
  .join()})`;

/** The parts that lists show: without name, country and phone. */
export type ListedAddressColumn = Exclude<AddressColumn, `${string}_address_${"name" | "country" | "phone"}`>;

export const listedAddressColumns = addressColumns.filter(
  (column): column is ListedAddressColumn => !/_(name|country|phone)$/.test(column),
);
