import { z } from "zod";
import { namerBy, readerOf } from "../alone.js";

/**
 * The parts of documents of WooCommerce's REST API v3 that are read. Extensions add to them and change them: texts that
 * only people read may have any type, and are left out then; ids, times and quantities have to be as documented.
 */

export const Id = z.union([z.int().nonnegative(), z.string().regex(/^\d+$/)]).transform(String);
/** A text without spaces around it; null for what is empty, which WooCommerce sends as "". */
const Text = z
  .union([z.string(), z.number()])
  .nullish()
  .catch(null)
  .transform((text) => (typeof text === "number" ? String(text) : text?.trim()) || null);
/** The time of a record that has none. */
export const NEVER = "1970-01-01T00:00:00";
/** A time in GMT, which does not say so. A record that was never changed, by a faulty import, has none. */
const Gmt = z
  .string()
  .regex(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d$/)
  .nullish()
  .transform((time) => time ?? NEVER);
const listOf = <T extends z.ZodType>(schema: T) =>
  z
    .array(schema)
    .nullish()
    .transform((list) => list ?? []);

/** The fields of every record of a list, if it can be read. */
export const Documents = z.array(
  z.looseObject({ date_modified_gmt: Gmt.catch(NEVER) }).catch({ date_modified_gmt: NEVER }),
);
export type Document = z.output<typeof Documents>[number];

const Measures = {
  weight: Text,
  dimensions: z.object({ length: Text, width: Text, height: Text }).nullish().catch(null),
};

export const Variation = z.object({
  id: Id,
  date_modified_gmt: Gmt,
  ...{ status: Text, sku: Text, global_unique_id: Text },
  virtual: z.boolean().catch(false),
  attributes: listOf(z.object({ option: Text })).catch([]),
  ...Measures,
});
export type Variation = z.output<typeof Variation>;

export const Product = Variation.omit({ attributes: true }).extend({ name: Text, type: z.string() });
export type Product = z.output<typeof Product>;

const Address = z
  .object({
    ...{ first_name: Text, last_name: Text, company: Text, phone: Text, email: Text },
    ...{ address_1: Text, address_2: Text, city: Text, state: Text, postcode: Text, country: Text },
  })
  .partial()
  .nullish()
  .catch(null)
  .transform((address) => address ?? {});
export type Address = z.output<typeof Address>;

/** Statuses of an order that is not to be shipped, or no longer. */
export const over = ["cancelled", "refunded", "failed", "trash"];

/** Statuses of an order that waits for its payment, or for the shop's staff. */
export const waiting = ["on-hold", "pending"];

/**
 * The order's meta data by which a voided shipment is distinguished from a valid one: WooCommerce keeps
 * `date_completed` when an order goes back to processing.
 */
export const VOIDED = "_warehouse_shipment_voided";

const Meta = listOf(z.object({ key: z.unknown(), value: z.unknown() })).catch([]);
/** The contents of a bundle or a composite, by the extensions Product Bundles and Composite Products. */
const Contents = z.array(z.unknown()).nullish().catch(null);

/** Meta data of a line by extensions and variations, each with a name and a value for people. */
const LineMeta = listOf(
  z
    .object({ key: z.unknown(), value: z.unknown(), display_key: z.unknown(), display_value: z.unknown() })
    .partial()
    .catch({}),
).catch([]);

const LineItem = z.object({
  ...{ id: Id, product_id: Id, variation_id: Id, quantity: z.number(), sku: Text, name: Text },
  ...{ bundled_items: Contents, composite_children: Contents },
  meta_data: LineMeta,
});
export type LineItem = z.output<typeof LineItem>;

/** Whether a line stands for other lines of the order, which are shipped instead. */
export const isContainer = ({ bundled_items, composite_children }: LineItem): boolean =>
  [bundled_items, composite_children].some((contents) => contents != null && contents.length > 0);

/** The item of a line: the variation, or the product where it has none. */
export const itemOf = ({ product_id, variation_id }: LineItem): string =>
  variation_id === "0" ? product_id : variation_id;

export const Order = z.object({
  id: Id,
  number: Text,
  status: z.string(),
  date_modified_gmt: Gmt,
  ...{ date_created: Text, date_completed_gmt: Text },
  ...{ currency: Text, total: Text, shipping_total: Text, shipping_tax: Text },
  ...{ customer_note: Text, created_via: Text },
  ...{ billing: Address, shipping: Address },
  line_items: listOf(LineItem),
  shipping_lines: listOf(z.object({ method_title: Text })).catch([]),
  refunds: listOf(z.unknown()),
  meta_data: Meta,
});
export type Order = z.output<typeof Order>;

export const Refunds = z.array(z.object({ line_items: listOf(z.object({ quantity: z.number(), meta_data: Meta })) }));

/** The name in messages of a document that may be unreadable. */
export const nameOf = namerBy("date_modified_gmt");
export const read = readerOf("WooCommerce");

const named: Record<string, string> = { amp: "&", lt: "<", gt: ">", quot: '"', apos: "'", ndash: "–", nbsp: " " };

/** A name without HTML: WordPress stores "Salt &amp; Pepper", and WooCommerce sends it so. */
export const plainText = (html: string | null): string | null =>
  html
    ?.replaceAll(/<[^<>]*>/g, "")
    .replaceAll(/&(?:#(\d{1,6})|(\w{1,8}));/g, (entity, code?: string, name = "") =>
      code ? String.fromCodePoint(Number(code)) : (named[name] ?? entity),
    )
    .trim() ?? null;
