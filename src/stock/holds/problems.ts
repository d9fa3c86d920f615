import { problem } from "../../platform/problem.js";

export const StockRowNotFound = problem("stock_row_not_found", 404, "Stock row not found");
export const NotInBin = problem("not_in_bin", 404, "Of the item, nothing of lot {lot} lies in the bin");
export const NothingToHold = problem(
  "nothing_to_hold",
  409,
  "Of the units in {bin}, {available} can be put on hold: {requested} were requested",
);
export const HoldNotFound = problem("hold_not_found", 404, "Hold not found");
export const HoldHasFewer = problem("hold_has_fewer", 409, "{held} units are on hold: {requested} were requested");
export const UnderInspection = problem(
  "under_inspection",
  409,
  "The units are in inspection {inspection_id}: it is decided there",
);
