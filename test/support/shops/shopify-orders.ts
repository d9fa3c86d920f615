/** The orders of a shop as Shopify keeps them, and the documents that it shows of them. */

export interface NewLine {
  variant_id: number | null;
  sku: string | null;
  quantity: number;
  requires_shipping?: boolean;
  /** By default the shop's only one. */
  location_id?: number;
  /** Who ships it: by default the shop itself. */
  fulfillment_service?: string;
  properties?: { name: string; value: string }[];
}

export interface Line extends Required<Omit<NewLine, "properties">>, Pick<NewLine, "properties"> {
  id: number;
  removed: number;
}

export interface Fulfilled {
  id: number;
  status: "success" | "cancelled";
  location_id: number;
  tracking_company: string | null;
  tracking_number: string | null;
  lines: { id: number; quantity: number }[];
  notified: boolean;
}

/** An order: fields that are shown as they are, and what the others follow from. */
export interface ShopOrder {
  id: number;
  updated: number;
  fields: Record<string, unknown>;
  lines: Line[];
  fulfillments: Fulfilled[];
  /** Fulfilment orders that wait, by their location. */
  waiting?: Map<number, "on_hold" | "scheduled">;
}

/** A refusal of the API. */
export class Refused extends Error {
  constructor(
    readonly status: number,
    readonly errors: unknown,
    readonly headers: Record<string, string> = {},
  ) {
    super(JSON.stringify(errors));
  }
}

let lastId = 450_789_000 + (process.pid % 1_000) * 1_000;
export const newId = () => ++lastId;

/** The location of the shop that ships. */
export const LOCATION = 655441491;

/** How many units of a line stand in fulfilments that were not cancelled. */
const fulfilledOf = ({ fulfillments }: ShopOrder, line: Line): number =>
  fulfillments
    .filter(({ status }) => status === "success")
    .flatMap(({ lines }) => lines)
    .filter(({ id }) => id === line.id)
    .reduce((sum, { quantity }) => sum + quantity, 0);

export const openOf = (order: ShopOrder, line: Line): number =>
  order.fields.cancelled_at ? 0 : Math.max(0, line.quantity - line.removed - fulfilledOf(order, line));

/** Shopify's times: whole seconds, with the offset of the shop. */
export const timeOf = (ms: number): string => `${new Date(ms - 4 * 3_600_000).toISOString().slice(0, 19)}-04:00`;

/** The order as Shopify documents it, with the fields that a warehouse may care for. */
export function orderDocument(order: ShopOrder): Record<string, unknown> {
  const { id, updated, fields, lines, fulfillments } = order;
  const left = lines.map((line) => openOf(order, line));
  const done = lines.map((line) => fulfilledOf(order, line));
  const fulfillment_status = done.every((units) => units === 0)
    ? null
    : left.some((n) => n > 0)
      ? "partial"
      : "fulfilled";
  return {
    id,
    admin_graphql_api_id: `gid://shopify/Order/${id}`,
    ...fields,
    updated_at: timeOf(updated),
    fulfillment_status,
    line_items: lines.map(({ location_id, removed, ...line }, i) => ({
      ...line,
      name: `Line ${line.id}`,
      price: "199.00",
      gift_card: false,
      taxable: true,
      current_quantity: line.quantity - removed,
      fulfillable_quantity: left[i],
      fulfillment_status: done[i] === 0 ? null : left[i] === 0 ? "fulfilled" : "partial",
    })),
    fulfillments: fulfillments.map((one) => fulfillmentDocument(order, one)),
  };
}

export function fulfillmentDocument(order: ShopOrder, fulfilled: Fulfilled): Record<string, unknown> {
  const { lines, notified, ...shown } = fulfilled;
  return {
    ...shown,
    order_id: order.id,
    name: `${order.fields.name}.${order.fulfillments.indexOf(fulfilled) + 1}`,
    service: "manual",
    tracking_numbers: shown.tracking_number ? [shown.tracking_number] : [],
    line_items: lines.map(({ id, quantity }) => ({ ...order.lines.find((line) => line.id === id), quantity })),
  };
}

/** Each location has one fulfilment order, whose ids follow from those of the lines. */
export function fulfillmentOrders(order: ShopOrder) {
  const locations = [...new Set(order.lines.map(({ location_id }) => location_id))];
  return locations.map((assigned_location_id) => {
    const lines = order.lines.filter(({ location_id }) => location_id === assigned_location_id);
    const line_items = lines.map((line) => ({
      id: line.id + 5_000_000,
      line_item_id: line.id,
      variant_id: line.variant_id,
      quantity: line.quantity - line.removed,
      fulfillable_quantity: openOf(order, line),
    }));
    const open = line_items.some((line) => line.fulfillable_quantity > 0);
    const begun = lines.some((line) => fulfilledOf(order, line) > 0);
    const ended = order.fields.cancelled_at ? "cancelled" : "closed";
    const status = open ? (order.waiting?.get(assigned_location_id) ?? (begun ? "in_progress" : "open")) : ended;
    const id = (lines[0] as Line).id + 9_000_000;
    return { id, order_id: order.id, assigned_location_id, status, request_status: "unsubmitted", line_items };
  });
}
