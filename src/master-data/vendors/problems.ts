import { problem } from "../../platform/problem.js";

export const VendorNotFound = problem("vendor_not_found", 404, "Vendor not found");
export const VendorNamed = problem(
  "vendor_named",
  400,
  "Vendor {vendor_name} cannot be deleted: purchase orders name it; deactivate it instead",
);
