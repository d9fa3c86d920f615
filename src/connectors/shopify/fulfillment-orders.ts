import { z } from "zod";
import { askFor, type ShopifySource } from "./admin-api.js";
import type { ShopifyConfig } from "./config.js";
import { FulfillmentOrder, type LineItem, read } from "./documents.js";

/**
 * The units that the shop wants shipped, and from where: an order is divided into fulfilment orders, each at one
 * location, with a status of its own.
 */

/** Units that may be shipped now. */
const fulfillable = ["open", "in_progress"];
/** Units that may be shipped later: they are on hold, or scheduled. */
const waiting = ["on_hold", "scheduled"];

export const isFulfillable = ({ status }: FulfillmentOrder): boolean => fulfillable.includes(status);

/** Whether it is assigned to the warehouse's location, where one is set. */
export const isHere = ({ assigned_location_id }: FulfillmentOrder, { location_id }: ShopifyConfig): boolean =>
  location_id === undefined || assigned_location_id === location_id;

export async function fulfillmentOrdersOf(source: ShopifySource, orderId: string): Promise<FulfillmentOrder[]> {
  const answer = await askFor(source, "fulfillment_orders", `orders/${encodeURIComponent(orderId)}/fulfillment_orders`);
  return read(z.array(FulfillmentOrder), answer, "a fulfilment order");
}

/**
 * Units by the id of the order's line that the warehouse is to ship, and that it is to ship later. Without a location,
 * lines that a third party ships are not the warehouse's.
 */
export function unitsHere(
  lines: LineItem[],
  orders: FulfillmentOrder[],
  config: ShopifyConfig,
): { now: Map<string, number>; later: Map<string, number> } {
  const ours = new Set(lines.filter((line) => config.location_id !== undefined || isOwn(line)).map(({ id }) => id));
  const units = (statuses: string[]) => {
    const sums = new Map<string, number>();
    for (const { status, line_items } of orders.filter((one) => isHere(one, config)))
      for (const { line_item_id, fulfillable_quantity } of line_items)
        if (statuses.includes(status) && ours.has(line_item_id) && fulfillable_quantity > 0)
          sums.set(line_item_id, (sums.get(line_item_id) ?? 0) + fulfillable_quantity);
    return sums;
  };
  return { now: units(fulfillable), later: units(waiting) };
}

const isOwn = ({ fulfillment_service }: LineItem): boolean => (fulfillment_service ?? "manual") === "manual";
