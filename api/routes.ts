import * as adjustments from "./adjustments.js";
import * as auditLog from "./audit-log.js";
import * as auth from "./auth.js";
import * as cycleCounts from "./cycle-counts.js";
import * as health from "./health.js";
import * as imports from "./import.js";
import * as inventory from "./inventory.js";
import * as items from "./items.js";
import * as lookup from "./lookup.js";
import * as packing from "./packing.js";
import * as pickStarts from "./pick-starts.js";
import * as picking from "./picking.js";
import * as purchaseOrders from "./purchase-orders.js";
import * as putaway from "./putaway.js";
import * as receiving from "./receiving.js";
import * as reference from "./reference.js";
import type { Route } from "./route.js";
import * as salesOrders from "./sales-orders.js";
import * as settings from "./settings.js";
import * as shipping from "./shipping.js";
import * as transfers from "./transfers.js";
import * as users from "./users.js";
import * as warehouses from "./warehouses.js";

/** Every route of the service, by surface. A new surface is imported here and nowhere else. */
export const routes: Route[] = [
  adjustments,
  auditLog,
  auth,
  cycleCounts,
  health,
  imports,
  inventory,
  items,
  lookup,
  packing,
  picking,
  pickStarts,
  purchaseOrders,
  putaway,
  receiving,
  reference,
  salesOrders,
  settings,
  shipping,
  transfers,
  users,
  warehouses,
]
  .flatMap((surface) => Object.values(surface))
  // Express takes the first path that fits: `item/search` must stand before `item/:barcode`.
  .sort((a, b) => Number(a.path.includes(":")) - Number(b.path.includes(":")));
