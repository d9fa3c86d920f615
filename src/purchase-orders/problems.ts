import { problem } from "../problem.js";

export const PoExists = problem(
  "po_exists",
  400,
  "Purchase order {po_number} already exists",
);
