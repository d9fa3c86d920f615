import type { FulfillmentOrder, LineItem, Order } from "./documents.js";

/** A time of Shopify in UTC, in whole seconds; so the same moment is the same text, whatever zone the shop is in. */
const inUtc = (time: string): string => new Date(time).toISOString().slice(0, 19);

/** A time of Shopify, or the later of two, in UTC. */
export const later = (one: string, other?: string | null): string =>
  `${[inUtc(one), inUtc(other ?? one)].sort().at(-1)}Z`;

/**
 * The version of an order. Shopify's times are whole seconds, and several changes may fall into one: an order is
 * refunded and cancelled at once. Values that only ever grow make the fraction, so that the later version is greater:
 * whether it is cancelled, the units ever ordered, and the units removed. Changes of its fulfilment orders count as
 * well.
 */
export function orderVersion(
  { updated_at, cancelled_at, line_items }: Order,
  fulfillmentOrders: FulfillmentOrder[] = [],
): string {
  const changed = [updated_at, ...fulfillmentOrders.flatMap((one) => one.updated_at ?? [])].map(inUtc).sort().at(-1);
  const ordered = sum(line_items, ({ quantity }) => quantity);
  const removed = sum(line_items, ({ quantity, current_quantity = quantity }) => quantity - current_quantity);
  return `${changed}.${cancelled_at ? 1 : 0}${digits(ordered)}${digits(removed)}Z`;
}

const sum = (lines: LineItem[], of: (line: LineItem) => number) => lines.reduce((so, line) => so + of(line), 0);

const digits = (count: number) => String(Math.min(Math.max(count, 0), 9_999)).padStart(4, "0");
