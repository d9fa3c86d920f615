import { openProblem, problem } from "../../platform/problem.js";

/** Refusals of boxes: docs/parcels.md. */

export const BoxNotFound = problem("box_not_found", 404, "Box not found, or not in use");
export const BoxCost = problem("box_cost", 400, "A box has a cost with its currency, or neither");
export const BoxExists = openProblem("box_exists", 409, "There is a box {box_code} already");
export const BoxInUse = openProblem(
  "box_in_use",
  409,
  "Parcels were packed in box {box_code}: it may be taken out of use, but not deleted",
);
