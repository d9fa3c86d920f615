import { problem } from "../platform/problem.js";
import type { SalesOrderStatus } from "../platform/states.js";
import { OrderHeld } from "./holds.js";
import type { OrderType } from "./shapes.js";

/**
 * Orders of every type but returns are picked, packed and shipped (docs/interface.md, Sales orders); a refund documents
 * a return.
 */

export const isFulfilled = (type: OrderType): boolean => type !== "return" && type !== "refund";

/** Whether there is something yet to be picked, packed or shipped. An order in review is held by that. */
export const isHoldable = ({ status, order_type }: { status: SalesOrderStatus; order_type: OrderType }): boolean =>
  isFulfilled(order_type) && ["WAITING_STOCK", "OPEN", "PICKED", "PACKED"].includes(status);

export const OrderNotHoldable = problem(
  "order_not_holdable",
  409,
  "Sales order {so_number} is {status}: there is nothing to hold",
);

export const ReturnNotFulfillable = problem(
  "return_not_fulfillable",
  400,
  "Sales order {so_number} is a {order_type}: it is not picked, packed or shipped",
);

/** An order that is not picked, packed or shipped: either never, or not while it is on hold. */
export const unservable = [ReturnNotFulfillable, OrderHeld];

/** Throws 400 for an order that ships no goods; `fields` are added to the body. */
export function refuseReturn(
  order: { so_number: string; order_type: OrderType },
  fields: Record<string, unknown> = {},
): void {
  const { so_number, order_type } = order;
  if (!isFulfilled(order_type)) throw ReturnNotFulfillable({ so_number, order_type }, fields);
}
