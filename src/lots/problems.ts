import { problem } from "../platform/problem.js";

export const LotNotFound = problem("lot_not_found", 404, "Lot not found");
/** Of another number: the two records would be one lot, which a merge makes of them. */
export const LotExists = problem("lot_exists", 409, "The item has a lot {lot_number} already: merge the two");
/** Of a merge of two lots (docs/lots.md). */
export const LotOfAnotherItem = problem(
  "lot_of_another_item",
  400,
  "Lot {lot_number} and lot {other} are not two records of one item",
);
export const LotConditionsDiffer = problem(
  "lot_conditions_differ",
  409,
  "Lot {lot_number} is {condition} and lot {other} is {of_other}: hold or release one of them first",
);
export const LotInQuarantine = problem(
  "lot_in_quarantine",
  409,
  "Lot {lot_number} and lot {other} are inspected: decide about both first",
);
export const LotNotHeld = problem("lot_not_held", 409, "Lot {lot_number} is AVAILABLE: there is nothing to release");
