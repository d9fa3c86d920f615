import { z } from "zod";
import { groupBy } from "../../platform/values.js";
import { type Pushed, type Shipment, SourceError } from "../connector.js";
import { askFor, type ShopifySource } from "./admin-api.js";
import { Fulfillment, type FulfillmentOrder, read } from "./documents.js";
import { fulfillmentOrdersOf, isFulfillable, isHere } from "./fulfillment-orders.js";
import { stands, trackingOf } from "./orders.js";
import { type FulfilledPart, unitsOf } from "./units.js";

/**
 * Pushes the shipped units to the shop, as far as they are open there, or at the warehouse's location: in one
 * fulfilment for each location, as Shopify requires. A push may be repeated after its answer was lost: where a
 * fulfilment has the tracking number already, and is not that of another shipment, none is added.
 */
export async function pushFulfillment(source: ShopifySource, shipment: Shipment): Promise<Pushed> {
  const [present, orders] = [await fulfillmentsOf(source, shipment), await openOrders(source, shipment)];
  const ours = present.filter((one) => isOf(shipment, one));
  const told = ours.map(({ id }) => id);
  const done = new Set(ours.map(({ location_id }) => location_id));
  const left = orders.filter(({ assigned_location_id }) => !done.has(assigned_location_id));
  const parts = unitsOf(shipment, ours, left);
  for (const atLocation of groupBy(parts, (order) => order.assigned_location_id).values())
    told.push(await fulfil(source, shipment, atLocation));
  if (told.length === 0)
    throw new SourceError(
      `Nothing of what ${shipment.so_number} shipped is open in Shopify, and nothing has its tracking number`,
    );
  return { external_id: told.join() };
}

/** Cancels the fulfilments; those that are cancelled already are skipped. */
export async function voidFulfillment(
  source: ShopifySource,
  shipment: Shipment & { external_id: string | null },
): Promise<void> {
  const ids = shipment.external_id?.split(",");
  for (const one of await fulfillmentsOf(source, shipment))
    if (ids ? ids.includes(one.id) && stands(one) : isOf(shipment, one))
      await askFor(source, "fulfillment", `fulfillments/${one.id}/cancel`, { body: {} });
}

async function fulfillmentsOf(source: ShopifySource, { order_id }: Shipment): Promise<Fulfillment[]> {
  const answer = await askFor(source, "fulfillments", `orders/${encodeURIComponent(order_id)}/fulfillments`);
  return read(z.array(Fulfillment), answer, "a fulfilment");
}

/** Whether a fulfilment is this shipment's. One without a tracking number is, where the shipment has none either. */
function isOf({ tracking_numbers, others }: Shipment, fulfillment: Fulfillment): boolean {
  if (!stands(fulfillment) || others.some((ids) => ids.split(",").includes(fulfillment.id))) return false;
  const numbers = trackingOf(fulfillment);
  return tracking_numbers.length === 0 ? numbers.length === 0 : numbers.some((one) => tracking_numbers.includes(one));
}

/** The fulfilment orders that units can be fulfilled from: those of the warehouse's location, where one is set. */
async function openOrders(source: ShopifySource, { order_id }: Shipment): Promise<FulfillmentOrder[]> {
  const orders = await fulfillmentOrdersOf(source, order_id);
  return orders.filter((one) => isFulfillable(one) && isHere(one, source.config));
}

async function fulfil(source: ShopifySource, shipment: Shipment, orders: FulfilledPart[]): Promise<string> {
  const { tracking_numbers, carrier } = shipment;
  const made = await askFor(source, "fulfillment", "fulfillments", {
    body: {
      fulfillment: {
        line_items_by_fulfillment_order: orders.map(({ id, line_items }) => ({
          fulfillment_order_id: Number(id),
          fulfillment_order_line_items: line_items.map((line) => ({ id: Number(line.id), quantity: line.quantity })),
        })),
        // A fulfilment has one number; those of further parcels follow it.
        ...(tracking_numbers.length > 0 && {
          tracking_info: { number: tracking_numbers.join(", "), company: carrier },
        }),
        notify_customer: true,
      },
    },
  });
  return read(Fulfillment, made, "a fulfilment").id;
}
