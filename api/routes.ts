import * as adjustmentReview from "./adjustment-review.js";
import * as adjustments from "./adjustments.js";
import * as auditLog from "./audit-log.js";
import * as auth from "./auth.js";
import * as bins from "./bins.js";
import * as connectorRegistry from "./connector-registry.js";
import * as consumerGroups from "./consumer-groups.js";
import * as cycleCountList from "./cycle-count-list.js";
import * as cycleCounts from "./cycle-counts.js";
import * as dashboard from "./dashboard.js";
import * as dashboardPreferences from "./dashboard-preferences.js";
import * as health from "./health.js";
import * as imports from "./import.js";
import * as inbound from "./inbound.js";
import * as inboundActivity from "./inbound-activity.js";
import * as interWarehouse from "./inter-warehouse.js";
import * as inventory from "./inventory.js";
import * as items from "./items.js";
import * as lookup from "./lookup.js";
import * as mappingSchema from "./mapping-schema.js";
import * as operations from "./operations.js";
import * as packing from "./packing.js";
import * as pickBatches from "./pick-batches.js";
import * as pickStarts from "./pick-starts.js";
import * as picking from "./picking.js";
import * as pickingTickets from "./picking-tickets.js";
import * as polling from "./polling.js";
import * as preferredBins from "./preferred-bins.js";
import * as productivity from "./productivity.js";
import * as purchaseOrderEdit from "./purchase-order-edit.js";
import * as purchaseOrders from "./purchase-orders.js";
import * as putaway from "./putaway.js";
import * as receipts from "./receipts.js";
import * as receiving from "./receiving.js";
import * as reference from "./reference.js";
import type { Route } from "./route.js";
import * as salesOrderActions from "./sales-order-actions.js";
import * as salesOrderEdit from "./sales-order-edit.js";
import * as salesOrderLines from "./sales-order-lines.js";
import * as salesOrders from "./sales-orders.js";
import * as search from "./search.js";
import * as settings from "./settings.js";
import * as shipping from "./shipping.js";
import * as snapshot from "./snapshot.js";
import * as sourceSystems from "./source-systems.js";
import * as tokens from "./tokens.js";
import * as transfers from "./transfers.js";
import * as users from "./users.js";
import * as vendors from "./vendors.js";
import * as warehouses from "./warehouses.js";
import * as webhookDeliveries from "./webhook-deliveries.js";
import * as webhooks from "./webhooks.js";

/** Every route of the service, by surface. A new surface is imported here and nowhere else. */
export const routes: Route[] = [
  adjustmentReview,
  adjustments,
  auditLog,
  auth,
  bins,
  connectorRegistry,
  consumerGroups,
  cycleCountList,
  cycleCounts,
  dashboard,
  dashboardPreferences,
  health,
  imports,
  inbound,
  inboundActivity,
  interWarehouse,
  inventory,
  items,
  lookup,
  mappingSchema,
  operations,
  packing,
  pickBatches,
  picking,
  pickingTickets,
  pickStarts,
  polling,
  preferredBins,
  productivity,
  purchaseOrderEdit,
  purchaseOrders,
  putaway,
  receipts,
  receiving,
  reference,
  salesOrderActions,
  salesOrderEdit,
  salesOrderLines,
  salesOrders,
  search,
  settings,
  shipping,
  snapshot,
  sourceSystems,
  tokens,
  transfers,
  users,
  vendors,
  warehouses,
  webhookDeliveries,
  webhooks,
]
  .flatMap((surface) => Object.values(surface))
  // Express takes the first path that fits: `item/search` must stand before `item/:barcode`.
  .sort((a, b) => Number(a.path.includes(":")) - Number(b.path.includes(":")));
