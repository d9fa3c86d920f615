import { dispatchProblem } from "../platform/dispatch-problem.js";

/** Refusals of the shipping station (docs/interface.md, Shipping station and Returns). */

export const InvalidSoNumber = dispatchProblem(
  "invalid_so_number",
  422,
  "An order number has 1 to 128 characters, no blank at its ends, and none that is not printed",
);
export const StationNotFound = dispatchProblem("not_found", 404, "Not found, or not in a warehouse of this token");
export const UnknownOperator = dispatchProblem("unknown_operator", 422, "No active user is called {operator_username}");
export const KeyLockTimeout = dispatchProblem(
  "idempotency_lock_timeout",
  503,
  "Another request holds this key or this order; send it again",
);
export const AlreadyShipped = dispatchProblem("already_shipped", 409, "Sales order {so_number} is SHIPPED already");
export const NotInShippableStatus = dispatchProblem(
  "not_in_shippable_status",
  410,
  "Sales order {so_number} is {status}: it cannot be shipped",
);
export const StationOrderHeld = dispatchProblem("order_held", 409, "Sales order {so_number} is held: {why}");
export const StationShortfall = dispatchProblem(
  "silent_shortfall",
  409,
  "Picked less than ordered without a short pick being reported: {skus}",
);
export const StationNothingToShip = dispatchProblem(
  "nothing_to_ship",
  409,
  "No unit of sales order {so_number} is picked: there is nothing to ship",
);
export const NotShipped = dispatchProblem(
  "not_shipped",
  409,
  "Sales order {so_number} is {status} without a shipment that could be voided",
);
export const StationHasReturns = dispatchProblem(
  "has_returns",
  409,
  "Goods of sales order {so_number} come back on {returns}: its shipment is not voided",
);

/** An order that does not exist, or not for this token. */
export const unknownOrder = [InvalidSoNumber, StationNotFound];
