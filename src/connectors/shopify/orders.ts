import { Decimal } from "decimal.js";
import type { SourceLine, SourceRecord } from "../connector.js";
import { cutTexts } from "../cut-texts.js";
import { addressColumns, inOneLine, personOf } from "./addresses.js";
import type { ShopifyConfig } from "./config.js";
import { type Fulfillment, type LineItem, Order, read } from "./documents.js";
import { skuOf } from "./items.js";
import { orderVersion } from "./versions.js";

/** Payments that a shop ships on: taken, or promised and taken when it ships. */
const shippable = ["paid", "authorized", "partially_refunded"];

/** Fulfilments that came to nothing. */
const void_ = ["cancelled", "error", "failure"];

/**
 * An order as the warehouse gets it: the units that are still to be fulfilled. Once there are none, the lines stay as
 * they are: it was shipped, usually by ourselves. Where nothing was shipped either, everything was refunded or removed,
 * which is a cancellation.
 */
export function orderRecord(document: Record<string, unknown>, { order_prefix = "" }: ShopifyConfig): SourceRecord {
  const order = read(Order, document, "an order");
  const lines = linesOf(order);
  const cancelled = order.cancelled_at !== null || (lines.length === 0 && !isShipped(order));
  const mayBegin = shippable.includes(order.financial_status ?? "") && order.closed_at === null;
  return {
    resource: "sales_orders",
    external_id: order.id,
    external_version: orderVersion(order),
    values: cutTexts("sales_orders", {
      so_number: order_prefix + order.name.replace(/^#/, ""),
      ...valuesOf(order),
      ...(cancelled && { status: "CANCELLED" }),
    }),
    ...(lines.length > 0 && !cancelled && { lines }),
    ...((cancelled || lines.length === 0 || !mayBegin) && { onlyIfKnown: true }),
    payload: document,
  };
}

/** What goes through the warehouse: no gift cards, no tips. */
const goods = ({ requires_shipping }: LineItem) => requires_shipping !== false;

/** Numbered by their place in the order, where lines that were removed keep theirs. */
const linesOf = ({ line_items }: Order): SourceLine[] =>
  line_items.flatMap((line, i) =>
    goods(line) && line.fulfillable_quantity > 0
      ? [
          {
            item: line.variant_id ?? `line ${line.id}`,
            sku: skuOf(line.variant_id, line.sku),
            ...(!line.variant_id && { sku_alone: true }),
            values: { quantity_ordered: line.fulfillable_quantity, line_number: i + 1 },
          },
        ]
      : [],
  );

/** Whether a fulfilment came to something. */
export const stands = ({ status }: Fulfillment): boolean => !void_.includes(status ?? "");

function isShipped({ line_items, fulfillments }: Order): boolean {
  const ids = new Set(line_items.filter(goods).map(({ id }) => id));
  return (fulfillments ?? []).some((one) => stands(one) && one.line_items.some(({ id }) => ids.has(id)));
}

function valuesOf(order: Order): Record<string, unknown> {
  const { customer, shipping_address, billing_address } = order;
  const email = order.email ?? order.contact_email ?? customer?.email ?? null;
  return {
    customer_name: personOf(shipping_address) ?? personOf(customer) ?? personOf(billing_address) ?? email,
    customer_email: email,
    customer_phone: order.phone ?? shipping_address?.phone ?? customer?.phone ?? null,
    ...addressColumns("shipping", shipping_address),
    ...addressColumns("billing", billing_address),
    ship_address: inOneLine(shipping_address),
    ...shippingOf(order),
    order_total: order.current_total_price ?? order.total_price,
    currency: order.currency,
    memo: order.note,
    order_date: order.created_at.slice(0, 10),
    order_origin: "shopify",
  };
}

function shippingOf({ shipping_lines }: Order) {
  const chosen = (shipping_lines ?? []).filter((line) => !line.is_removed);
  const paid = chosen.map(({ discounted_price, price }) => discounted_price ?? price ?? "0");
  return {
    ship_method: chosen.map(({ title }) => title).find(Boolean) ?? null,
    customer_shipping_paid: paid.reduce((sum, amount) => sum.plus(amount), new Decimal(0)).toFixed(2),
  };
}
