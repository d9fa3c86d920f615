import { z } from "zod";
import { namerBy, readerOf } from "../alone.js";

/**
 * The parts of documents of Shopify's Admin REST API that are read. Texts that only people read may have any type, and
 * are left out then; ids, times and quantities have to be as documented.
 */

export const Id = z.union([z.int().positive(), z.string().regex(/^\d+$/)]).transform(String);
/** A text without spaces around it; null where there is none. */
export const Text = z
  .string()
  .nullish()
  .catch(null)
  .transform((text) => text?.trim() || null);
const Time = z.iso.datetime({ offset: true });
const Money = z
  .string()
  .regex(/^-?\d{1,12}(\.\d{1,6})?$/)
  .nullish()
  .catch(null)
  .transform((amount) => amount ?? null);

const Address = z
  .object({
    ...{ name: Text, first_name: Text, last_name: Text, company: Text, phone: Text },
    ...{ address1: Text, address2: Text, city: Text, zip: Text },
    ...{ province: Text, province_code: Text, country: Text, country_code: Text },
  })
  .nullish()
  .catch(null);
export type Address = z.output<typeof Address>;

const LineItem = z.object({
  id: Id,
  variant_id: Id.nullish(),
  sku: Text,
  quantity: z.int(),
  /** Without what was removed or refunded. */
  current_quantity: z.int().optional(),
  /** The units that are neither fulfilled nor removed yet. */
  fulfillable_quantity: z.int(),
  requires_shipping: z.boolean().optional(),
  /** Who ships it: `manual` for the shop itself, else the handle of a third party. */
  fulfillment_service: Text,
  /** The customer's wishes for the units. */
  properties: z
    .array(z.object({ name: z.unknown(), value: z.unknown() }).catch({ name: null, value: null }))
    .nullish()
    .catch(null),
});
export type LineItem = z.output<typeof LineItem>;

export const Fulfillment = z.object({
  id: Id,
  status: Text,
  location_id: Id.nullish(),
  tracking_number: Text,
  tracking_numbers: z.array(z.string()).nullish(),
  line_items: z.array(z.object({ id: Id, variant_id: Id.nullish(), quantity: z.int().default(0) })).default([]),
});
export type Fulfillment = z.output<typeof Fulfillment>;

export const FulfillmentOrder = z.object({
  id: Id,
  status: z.string(),
  assigned_location_id: Id.nullish(),
  updated_at: Time.nullish().catch(null),
  line_items: z.array(z.object({ id: Id, line_item_id: Id, variant_id: Id.nullish(), fulfillable_quantity: z.int() })),
});
export type FulfillmentOrder = z.output<typeof FulfillmentOrder>;

/** Terms on which a company of B2B pays. */
const PaymentTerms = z.object({ payment_terms_type: Text }).nullish().catch(null);

const ShippingLine = z.object({
  title: Text,
  ...{ price: Money, discounted_price: Money },
  is_removed: z.boolean().optional().catch(undefined),
});

export const Order = z.object({
  id: Id,
  name: z.string(),
  created_at: Time,
  updated_at: Time,
  ...{ cancelled_at: Text, closed_at: Text, financial_status: Text },
  ...{ email: Text, contact_email: Text, phone: Text, note: Text },
  ...{ currency: Text, total_price: Money, current_total_price: Money },
  customer: z.object({ first_name: Text, last_name: Text, email: Text, phone: Text }).nullish().catch(null),
  ...{ shipping_address: Address, billing_address: Address },
  shipping_lines: z.array(ShippingLine).nullish().catch(null),
  test: z.boolean().optional().catch(undefined),
  payment_terms: PaymentTerms,
  line_items: z.array(LineItem),
  fulfillments: z.array(Fulfillment).nullish(),
});
export type Order = z.output<typeof Order>;

const Variant = z.object({
  id: Id,
  ...{ title: Text, sku: Text, barcode: Text },
  updated_at: Time.nullish(),
  weight: z.number().nonnegative().nullish().catch(null),
  weight_unit: Text,
});
export type Variant = z.output<typeof Variant>;

export const Product = z.object({ id: Id, title: Text, status: Text, updated_at: Time, variants: z.array(Variant) });
export type Product = z.output<typeof Product>;

/** A list of documents as it came, each with the time of its last change if it can be read. */
export const Documents = z.array(
  z.looseObject({ updated_at: Time.nullable().catch(null) }).catch({ updated_at: null }),
);

/** The name in messages of a document that may be unreadable. */
export const nameOf = namerBy("updated_at");
export const read = readerOf("Shopify");
