import { Decimal } from "decimal.js";
import type { SourceFulfilment, SourceLine, SourceRecord } from "../connector.js";
import { cutTexts } from "../cut-texts.js";
import { lineProperties } from "../line-properties.js";
import { addressColumns, inOneLine, personOf } from "./addresses.js";
import type { ShopifyConfig } from "./config.js";
import { type Fulfillment, type FulfillmentOrder, type LineItem, Order, read } from "./documents.js";
import { unitsHere } from "./fulfillment-orders.js";
import { skuOf } from "./items.js";
import { orderVersion } from "./versions.js";

/** Payment statuses with which a shop ships: paid, or to be captured when it ships. */
const shippable = ["paid", "authorized", "partially_refunded"];
/**
 * Payments that are still due. A company on terms pays by a date, or after shipping; with "due on receipt" it pays
 * first.
 */
const due = ["pending", "partially_paid"];

/** Fulfilments that failed or were cancelled. */
const void_ = ["cancelled", "error", "failure"];

/**
 * Whether its fulfilment orders have to be requested, which say what is to be shipped from here: there are units that
 * are neither fulfilled nor removed.
 */
export function needsFulfillmentOrders(document: Record<string, unknown>): boolean {
  const { cancelled_at, closed_at, line_items } = read(Order, document, "an order");
  return cancelled_at === null && closed_at === null && line_items.some(isOpen);
}

/** Whether an order is a test of the checkout. */
export const isTest = (document: Record<string, unknown>): boolean => read(Order, document, "an order").test === true;

/**
 * An order as the warehouse gets it: the units that it still has to ship, and the existing fulfilments. Where nothing
 * was shipped and nothing is to be, everything was refunded or removed, which is a cancellation. For an archived order,
 * the open units are not requested.
 */
export function orderRecord(
  document: Record<string, unknown>,
  config: ShopifyConfig,
  fulfillmentOrders: FulfillmentOrder[] = [],
): SourceRecord {
  const order = read(Order, document, "an order");
  const goneBefore = !order.line_items.some(isOpen) && !isShipped(order);
  const cancelled = order.cancelled_at !== null || goneBefore;
  const { now, later } = unitsHere(order.line_items.filter(isOpen), fulfillmentOrders, config);
  const held = now.size === 0 && later.size > 0;
  const lines = linesOf(order, held ? later : now);
  const known = order.closed_at === null || !order.line_items.some(isOpen);
  return {
    resource: "sales_orders",
    external_id: order.id,
    external_version: orderVersion(order, fulfillmentOrders),
    values: cutTexts("sales_orders", {
      so_number: (config.order_prefix ?? "") + order.name.replace(/^#/, ""),
      ...valuesOf(order),
      ...(cancelled && { status: "CANCELLED" }),
    }),
    ...(known && !cancelled && { lines, held, fulfilled: fulfilledOf(order) }),
    ...(config.location_id !== undefined && { assigned: true }),
    ...((cancelled || lines.length === 0 || held || !mayBegin(order)) && { onlyIfKnown: true }),
    payload: document,
  };
}

function mayBegin({ financial_status, payment_terms, closed_at }: Order): boolean {
  const status = financial_status ?? "";
  const onTerms = payment_terms != null && payment_terms.payment_terms_type?.toLowerCase() !== "receipt";
  return closed_at === null && (shippable.includes(status) || (onTerms && due.includes(status)));
}

/** The lines that the warehouse ships: no gift cards, no tips. */
const goods = ({ requires_shipping }: LineItem) => requires_shipping !== false;

const isOpen = (line: LineItem): boolean => goods(line) && line.fulfillable_quantity > 0;

/** Numbered by their position in the order, where removed lines keep theirs. */
const linesOf = ({ line_items }: Order, units: Map<string, number>): SourceLine[] =>
  line_items.flatMap((line, i) => {
    const quantity_ordered = units.get(line.id);
    if (quantity_ordered === undefined) return [];
    return [
      {
        item: itemOf(line),
        sku: skuOf(line.variant_id, line.sku),
        ...(!line.variant_id && { sku_alone: true }),
        values: { quantity_ordered, line_number: i + 1, properties: lineProperties(line.properties ?? []) },
      },
    ];
  });

const itemOf = ({ id, variant_id }: Pick<LineItem, "id" | "variant_id">): string => variant_id ?? `line ${id}`;

/** The fulfilled units, by this service or by others. */
function fulfilledOf({ line_items, fulfillments }: Order): SourceFulfilment[] {
  const skus = new Map(line_items.map((line) => [line.id, skuOf(line.variant_id, line.sku)]));
  return (fulfillments ?? []).filter(stands).map((one) => ({
    id: one.id,
    tracking_numbers: trackingOf(one),
    lines: one.line_items.map((line) => ({
      ...{ item: itemOf(line), sku: skus.get(line.id), quantity: line.quantity },
      ...(!line.variant_id && { sku_alone: true }),
    })),
  }));
}

/** The numbers of a fulfilment: those of further parcels follow the first. */
export const trackingOf = ({ tracking_number, tracking_numbers }: Fulfillment): string[] =>
  [tracking_number, ...(tracking_numbers ?? [])].flatMap((number) => number?.split(", ") ?? []);

/** Whether a fulfilment succeeded. */
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
