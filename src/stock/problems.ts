import { openProblem, problem, QuantityOutOfRange } from "../platform/problem.js";

export const InsufficientStock = openProblem(
  "insufficient_stock",
  400,
  "Insufficient quantity in {bin}: {available} available, {requested} requested",
);
/** The most units of a stock row, which is the limit of its column. */
export const MOST_ON_HAND = 2_147_483_647;
/**
 * For one row of a list of changes; a request that overflows a column in any other way is refused with the same kind.
 */
export const TooMuchStock = problem(
  QuantityOutOfRange.kind,
  QuantityOutOfRange.status,
  "Quantity out of range: {bin} has {on_hand} already, and takes no {quantity} more",
);
export const PromisedToPicks = openProblem(
  "promised_to_picks",
  400,
  "{promised} units in {bin} are promised to pick tasks or picked for transfer orders: finish or cancel those first",
);
export const UnitsHeld = openProblem(
  "units_held",
  400,
  "{held} of the units in {bin} are on hold: they are released first, or counted",
);
/** The bin that goods are to arrive in, its zone or its warehouse is inactive. */
export const BinInactive = problem("bin_inactive", 400, "Bin {bin} is not in use");
export const BinNotFound = problem("bin_not_found", 404, "Bin {bin_id} not found");
export const DestinationElsewhere = problem(
  "destination_elsewhere",
  400,
  "Bin {bin} belongs to another warehouse than bin {from_bin}",
);
export const BinNotPickable = problem(
  "bin_not_pickable",
  400,
  "Bin {bin} is {bin_type}: only a Pickable bin can be preferred",
);
