import { problem } from "../problem.js";

export const AmbiguousBarcode = problem(
  "ambiguous_barcode",
  409,
  "{code} is that of several items ({items}): scan a code that only one of them has",
);
export const ScannedOtherItem = problem("scanned_other_item", 400, "The scanned code is not one of item {item_id}");
export const ScanDisagrees = problem(
  "scan_disagrees",
  400,
  "The label says {field} {scanned}, but the request says {said}",
);

/** The scanned code does not belong to the item that the request names. */
export const misread = [ScannedOtherItem, ScanDisagrees];
