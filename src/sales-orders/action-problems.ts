import { namedProblem, problem } from "../platform/problem.js";

/** Refusals of actions on a sales order; the bodies have their `kind` (docs/interface.md, Sales orders). */

export const PickOrderNotFound = namedProblem("so_not_found", 404, "Sales order not found");
export const PickNotOpen = namedProblem(
  "so_not_open",
  422,
  "Sales order {so_number} is {status}: only an OPEN order is picked",
);
export const PickInBatch = namedProblem(
  "in_active_batch",
  422,
  "Sales order {so_number} is being picked in {batch_number}: complete or cancel that batch first",
);
export const PickEmpty = namedProblem("empty", 422, "Nothing to pick was sent");
export const LineNotOnOrder = namedProblem("line_not_on_so", 422, "Not on sales order {so_number}: line(s) {missing}");
export const OverPick = namedProblem("over_pick", 422, "{sku}: only {remaining} left to pick, {requested} given");
export const PickBinNotFound = namedProblem("bin_not_found", 422, "Bin {bin_id} not found");
export const PickBinElsewhere = namedProblem("bin_wrong_warehouse", 422, "Bin {bin} belongs to another warehouse");
export const InsufficientAvailable = namedProblem(
  "insufficient_available",
  409,
  "{sku}: only {available} available in bin {bin}, {requested} given",
);

/** Of ship and revert. */
export const ActionOrderNotFound = namedProblem("not_found", 404, "Sales order not found");
/** Orders of these types are not fulfilled (docs/interface.md, Sales orders). */
const NO_FULFILMENT = "Sales order {so_number} is a {order_type}: it is not picked or shipped";
export const NotEligible = namedProblem("not_eligible", 422, NO_FULFILMENT);
export const RevertNotEligible = namedProblem("not_eligible", 400, NO_FULFILMENT);

export const AlreadyFulfilled = namedProblem("already_fulfilled", 409, "Sales order {so_number} is already fulfilled");
export const WrongStatus = namedProblem(
  "wrong_status",
  422,
  "Sales order {so_number} is {status}: it cannot be shipped",
);
export const NothingToShip = namedProblem("nothing_to_ship", 422, "Nothing was picked for sales order {so_number}");
export const ShipsShort = namedProblem(
  "silent_shortfall",
  422,
  "Picked less than ordered without a short pick being reported: {skus}",
);
export const NoBin = namedProblem("no_bin", 422, "The warehouse has no bin that the goods could have come from");

export const InvalidStatus = namedProblem(
  "invalid_status",
  400,
  "An order is reverted to OPEN, PICKED or PACKED, not to {status}",
);
export const RevertCancelled = namedProblem("cancelled", 400, "Sales order {so_number} is CANCELLED: that is final");
export const NotBackward = namedProblem(
  "not_backward",
  400,
  "Sales order {so_number} is {status}: {target} is no earlier status",
);
export const PickTaskMissing = namedProblem("pick_task_missing", 400, "Not a pick of this order: task(s) {ids}");
export const PickTaskWrongState = namedProblem(
  "pick_task_wrong_state",
  400,
  "Not picked, so nothing to release: task(s) {ids}",
);
export const PickedQtyRemaining = namedProblem(
  "picked_qty_remaining",
  409,
  "{remaining} picked unit(s) must be released before the order can be {target}",
);

/** The body names the `returns` that were not voided, and the credit memos. */
export const HasReturns = namedProblem(
  "has_returns",
  409,
  "Goods of sales order {so_number} come back on {returns}: it is not reverted",
);

/** For a counter sale, or a sale of another system: the bins that its units came from are unknown. */
export const ShippedWithoutPicks = namedProblem(
  "shipped_without_picks",
  409,
  "Sales order {so_number} left without picks: nothing of it can go back to a bin. Refund or return it instead",
);

/** A return is voided, and a refund is history. The body names the order's `current_status`. */
export const ReturnNotCancellable = problem(
  "return_not_cancellable",
  400,
  "Sales order {so_number} is a {order_type}: it is not cancelled; a return is voided",
);
/** The body names the order's `current_status`. */
export const NotCancellable = problem(
  "not_cancellable",
  400,
  "Sales order {so_number} is {status}: it cannot be cancelled",
);
