import { type Fulfilled, fulfillmentOrders, newId, openOf, Refused, type ShopOrder } from "./shopify-orders.js";

interface Part {
  fulfillment_order_id: number;
  fulfillment_order_line_items: { id: number; quantity: number }[];
}

export interface NewFulfillment {
  line_items_by_fulfillment_order: Part[];
  tracking_info?: { number?: string; company?: string };
  notify_customer?: boolean;
}

/** The fulfilment that is asked for, and the order that it is of; refused where it does not fit what is open. */
export function fulfilled(orders: ShopOrder[], asked: NewFulfillment): { order: ShopOrder; made: Fulfilled } {
  const parts = asked.line_items_by_fulfillment_order.map((part) => ({ part, ...placeOf(orders, part) }));
  const [first] = parts;
  if (!first) throw new Refused(422, ["Line items by fulfillment order can't be blank"]);
  if (parts.some(({ at }) => at.assigned_location_id !== first.at.assigned_location_id))
    throw new Refused(422, ["Fulfillment orders must be assigned to the same location."]);
  if (parts.some(({ at }) => ["on_hold", "scheduled"].includes(at.status)))
    throw new Refused(422, ["Fulfillment order is not in a fulfillable state."]);
  const lines = parts.flatMap(({ part, order, at }) =>
    part.fulfillment_order_line_items.map(({ id, quantity }) => {
      const line = order.lines.find((one) => one.id === at.line_items.find((item) => item.id === id)?.line_item_id);
      if (!line || quantity < 1 || quantity > openOf(order, line))
        throw new Refused(422, ["Fulfillment order line items quantity is invalid."]);
      return { id: line.id, quantity };
    }),
  );
  const { number = null, company = null } = asked.tracking_info ?? {};
  const made: Fulfilled = {
    ...{ id: newId(), status: "success", location_id: first.at.assigned_location_id },
    ...{ tracking_company: company, tracking_number: number, lines, notified: asked.notify_customer === true },
  };
  return { order: first.order, made };
}

function placeOf(orders: ShopOrder[], { fulfillment_order_id }: Part) {
  for (const order of orders)
    for (const at of fulfillmentOrders(order)) if (at.id === fulfillment_order_id) return { order, at };
  throw new Refused(422, ["Fulfillment order does not exist."]);
}

/** A fulfilment that may be cancelled, and its order. */
export function cancellable(orders: ShopOrder[], id: number): { order: ShopOrder; one: Fulfilled } {
  for (const order of orders)
    for (const one of order.fulfillments)
      if (one.id === id) {
        if (one.status === "cancelled") throw new Refused(422, ["Fulfillment is already cancelled."]);
        return { order, one };
      }
  throw new Refused(404, "Not Found");
}
