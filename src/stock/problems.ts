import { openProblem, problem, QuantityOutOfRange } from "../platform/problem.js";

export const InsufficientStock = openProblem(
  "insufficient_stock",
  400,
  "Insufficient quantity in {bin}: {available} available, {requested} requested",
);
/** What a stock row can hold, which is what its column takes. */
export const MOST_ON_HAND = 2_147_483_647;
/**
 * Of one row of a list of changes; a request that overflows a column in any other way is refused with the same kind.
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
