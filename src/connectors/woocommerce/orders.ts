import { Decimal } from "decimal.js";
import type { SourceLine, SourceRecord } from "../connector.js";
import { cutTexts } from "../cut-texts.js";
import { lineProperties } from "../line-properties.js";
import { addressColumns, inOneLine, isEmpty, personOf } from "./addresses.js";
import type { WooConfig } from "./config.js";
import { isContainer, itemOf, type LineItem, Order, over, plainText, read, VOIDED, waiting } from "./documents.js";

/** How many units are left of a line; by default all of them. */
export type Left = (line: LineItem) => number;

/**
 * An order as it is here. The warehouse gets those in `processing`: paid, and not shipped. Other statuses concern it
 * only when it has the order already: an order that waits for something is put on hold, and of a completed one nothing
 * is left to ship, whoever shipped it.
 */
export function orderRecord(
  document: unknown,
  config: WooConfig,
  left: Left = ({ quantity }) => quantity,
): SourceRecord {
  const order = read(Order, document, "an order");
  const record = {
    resource: "sales_orders",
    external_id: order.id,
    external_version: order.date_modified_gmt,
    payload: document as Record<string, unknown>,
  } as const;
  const values = cutTexts("sales_orders", header(order, config));
  const cancelled = { ...record, values: { ...values, status: "CANCELLED" }, onlyIfKnown: true };
  if (order.status === "processing" || waiting.includes(order.status)) {
    const lines = linesOf(order, left);
    const held = order.status !== "processing";
    // Refunded to the last unit, or of virtual products only.
    return lines.length > 0 ? { ...record, values, lines, held, ...(held && { onlyIfKnown: true }) } : cancelled;
  }
  if (order.status === "completed") return { ...record, values, nothingLeft: true, held: false, onlyIfKnown: true };
  return over.includes(order.status) && !wasShipped(order) ? cancelled : { ...record, values, onlyIfKnown: true };
}

/** A deleted order, of which the shop tells only the id. The time is ours: the shop gives none. */
export const deletedOrder = (id: string): SourceRecord => ({
  resource: "sales_orders",
  external_id: id,
  external_version: new Date().toISOString(),
  values: { status: "CANCELLED" },
  payload: { id: Number(id) },
  onlyIfKnown: true,
});

/** A refund of a completed order is a return: there is nothing left to cancel. */
const wasShipped = ({ date_completed_gmt, meta_data }: Order): boolean =>
  date_completed_gmt !== null && !meta_data.some(({ key, value }) => key === VOIDED && value === "yes");

/** A line keeps its number when one before it is refunded. */
const linesOf = ({ line_items }: Order, left: Left): SourceLine[] =>
  line_items
    .map((line, i) => ({
      item: itemOf(line),
      // The SKU of a variation may be its product's, so it may mean any variation.
      sku: line.variation_id === "0" ? line.sku : null,
      values: { quantity_ordered: left(line), line_number: i + 1, properties: propertiesOf(line) },
    }))
    .filter(({ values }, i) => values.quantity_ordered > 0 && !isContainer(line_items[i] as LineItem));

/** The properties of a line that the shop shows: plugins store theirs under keys that begin with `_`. */
const propertiesOf = ({ meta_data }: LineItem) =>
  lineProperties(
    meta_data
      .filter(({ key }) => typeof key === "string" && !key.startsWith("_"))
      .map(({ key, value, display_key, display_value }) => ({
        name: shown(display_key) ?? key,
        value: shown(display_value) ?? value,
      })),
  );

const shown = (text: unknown) => (typeof text === "string" ? plainText(text) : null) || null;

function header(order: Order, { order_prefix = "" }: WooConfig): Record<string, unknown> {
  const { billing } = order;
  const shipping = isEmpty(order.shipping) ? billing : order.shipping;
  return {
    so_number: `${order_prefix}${order.number ?? order.id}`,
    customer_name: personOf(billing) ?? billing.company ?? personOf(shipping),
    customer_email: billing.email ?? null,
    customer_phone: billing.phone ?? shipping.phone ?? null,
    customer_address: inOneLine(billing),
    ship_address: inOneLine(shipping),
    ...addressColumns("billing", billing),
    ...addressColumns("shipping", { ...shipping, phone: shipping.phone ?? billing.phone ?? null }),
    ship_method: order.shipping_lines.flatMap((line) => plainText(line.method_title) ?? []).join(", ") || null,
    order_total: money(order.total),
    customer_shipping_paid: money(order.shipping_total, order.shipping_tax),
    currency: order.currency,
    memo: order.customer_note,
    order_date: order.date_created?.slice(0, 10) ?? null,
    order_origin: order.created_via,
  };
}

/** The sum, exactly; null where there is none. */
function money(...amounts: (string | null)[]): string | null {
  const numbers = amounts.filter((amount) => amount !== null && /^-?\d{1,12}(\.\d{1,12})?$/.test(amount));
  return numbers.length > 0 ? numbers.reduce((sum, one) => sum.plus(one as string), new Decimal(0)).toFixed() : null;
}
