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
export const FaceLimits = problem(
  "face_limits",
  400,
  "A pick face has min_units, max_units and case_units, and min_units is at most max_units",
);
export const FaceInReserve = problem(
  "face_in_reserve",
  400,
  "Bin {bin} holds reserves: pickers are not sent there, so it is no pick face",
);

/** Units that come are not as their item asks (docs/lots.md, What an item asks for); the body names the `field`. */
export const LotNotKept = openProblem(
  "lot_not_kept",
  400,
  "Lots of {sku} are not kept, but lot {lot_number} was given",
);
export const LotRequired = openProblem("lot_required", 400, "Units of {sku} come with the number of their lot only");
export const ExpiryRequired = openProblem(
  "expiry_required",
  400,
  "Units of {sku} come with their last day only, or one that it follows from",
);
export const ProducedLater = openProblem(
  "produced_later",
  400,
  "{sku} would have been made on {production_date}, which is still to come",
);
export const TooFewDaysLeft = openProblem(
  "too_few_days_left",
  400,
  "{sku} expires on {expiry_date}, which leaves {days} days; at least {least} are asked for at receipt",
);
export const ExpiresBeforeProduction = problem(
  "expires_before_production",
  400,
  "{units} would expire on {expiry_date}, before it was made on {production_date}",
);
/** What may be wrong with units that come, by the policy of their item; from vendors also TooFewDaysLeft. */
export const unlikePolicy = [LotNotKept, LotRequired, ExpiryRequired, ProducedLater, ExpiresBeforeProduction];
