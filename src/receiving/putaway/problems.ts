import { problem } from "../../platform/problem.js";

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
