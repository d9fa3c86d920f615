import { importBins } from "./bins.js";
import type { Importer } from "./importer.js";
import { importInventoryAdjustments } from "./inventory-adjustments.js";
import { importItems } from "./items.js";
import { importPurchaseOrders } from "./purchase-orders.js";
import { importSalesOrders } from "./sales-orders.js";
import { importSourceLinks } from "./source-links.js";

/** What can be imported, by the entity type of the path. */
export const importers = new Map<string, Importer>([
  ["items", importItems],
  ["bins", importBins],
  ["inventory-adjustments", importInventoryAdjustments],
  ["purchase-orders", importPurchaseOrders],
  ["sales-orders", importSalesOrders],
  ["source-links", importSourceLinks],
]);
