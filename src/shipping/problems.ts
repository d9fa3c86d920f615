import { openProblem, problem } from "../platform/problem.js";

export const BarcodeLength = problem("barcode_length", 400, "A barcode has 1 to 100 characters");
export const SoNotShippable = openProblem(
  "so_not_shippable",
  400,
  "Sales order {so_number} is {status}, not ready to be shipped",
);
export const SoNotPacked = openProblem(
  "so_not_packed",
  400,
  "Sales order {so_number} is {status}, not ready to be shipped: it must be packed before",
);
