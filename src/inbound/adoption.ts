import type { Resource } from "../auth/tokens/scope.js";

/**
 * By which columns a record that is here already is found for one that a source sends for the first time. A name or a
 * UPC may be that of several records, which is refused then. Lists and imports of links call a record by the first.
 */
export const adoptionKeys = {
  customers: ["email"],
  items: ["sku", "upc"],
  vendors: ["vendor_name"],
  purchase_orders: ["po_number"],
  sales_orders: ["so_number"],
} as const satisfies Record<Resource, readonly string[]>;
