import { problem } from "../../platform/problem.js";

export const InspectionNotFound = problem("inspection_not_found", 404, "Inspection not found");
export const InspectionClosed = problem(
  "inspection_closed",
  409,
  "Inspection {inspection_id} is closed: there is nothing left to decide",
);
export const InspectionHasFewer = problem(
  "inspection_has_fewer",
  409,
  "{open} units of inspection {inspection_id} are open: {requested} were requested",
);
export const LotIsDecidedWhole = problem(
  "lot_is_decided_whole",
  400,
  "Inspection {inspection_id} is of a lot, which is decided about as a whole, without a quantity",
);
