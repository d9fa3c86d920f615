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

export const SoNotPicked = openProblem(
  "so_not_picked",
  400,
  "Sales order {so_number} is {status}, not ready to pack: only a PICKED order is",
);
export const NotOnOrder = problem("not_on_order", 404, "No item with this barcode is on sales order {so_number}");
export const AlreadyVerified = problem("already_verified", 400, "All units of {sku} are already verified");
export const OverPack = problem("over_pack", 400, "Only {remaining} of {sku} remaining to be packed, {quantity} given");
export const NotAllVerified = problem("not_all_verified", 400, "{count} line(s) are not yet verified");
