import { problem } from "./problem.js";

export const InsufficientStock = problem(
  "insufficient_stock",
  400,
  "Insufficient quantity in {bin}: {available} available, {requested} requested",
);
export const PromisedToPicks = problem(
  "promised_to_picks",
  400,
  "{promised} units in {bin} are promised to pick tasks: finish or cancel those waves first",
);
