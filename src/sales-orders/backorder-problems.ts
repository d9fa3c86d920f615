import { namedProblem } from "../platform/problem.js";

/** Refusals of splitting an order into what ships now and what ships later (docs/interface.md, Backorders). */

export const ShortOrderNotFound = namedProblem("so_not_found", 404, "Sales order not found");
export const NotDivisible = namedProblem(
  "not_eligible",
  422,
  "Sales order {so_number} is a {order_type}: it is not divided",
);
/** The body names the order's `current_status`. */
export const NotDivisibleNow = namedProblem(
  "wrong_status",
  409,
  "Sales order {so_number} is {status}: only an OPEN or PICKED order is divided",
);
/** The body names the `batch_id`. */
export const DividedInBatch = namedProblem(
  "in_active_batch",
  409,
  "Sales order {so_number} is being picked in {batch_number}: complete or cancel that batch first",
);
export const ShortLineNotOnOrder = namedProblem(
  "line_not_on_so",
  422,
  "Not on sales order {so_number}: line(s) {missing}",
);
export const OverShort = namedProblem(
  "over_short",
  422,
  "{sku}: only {remaining} left that are not picked, {requested} given as short",
);
export const NothingLeft = namedProblem(
  "nothing_left",
  422,
  "Nothing of sales order {so_number} would be left: cancel it instead",
);

/** Refusals of decisions about missing units. */
export const NotShort = namedProblem(
  "not_short",
  409,
  "Nothing is to be decided about {so_number}: it was not picked short, or somebody decided before",
);

/** Refusals of cancelling a backorder (docs/interface.md, Backorders). */
export const BackorderNotFound = namedProblem("so_not_found", 404, "Sales order not found");
export const NotABackorder = namedProblem("not_a_backorder", 422, "Sales order {so_number} is no backorder");
/** The body names the order's `current_status`. */
export const BackorderUnderWay = namedProblem(
  "wrong_status",
  409,
  "Backorder {so_number} is {status}: only one that waits or is OPEN is cancelled",
);
