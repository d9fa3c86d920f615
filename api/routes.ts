import { approvalRoutes } from "./agents/approvals.js";
import { mcpRoute } from "./agents/mcp.js";
import * as badgeSignIn from "./auth/badge-sign-in.js";
import * as badges from "./auth/badges.js";
import * as personalKeys from "./auth/keys.js";
import * as agentAccess from "./auth/oauth/access.js";
import * as signInMapping from "./auth/oidc/mapping.js";
import * as oidc from "./auth/oidc/sign-in.js";
import * as userSignIn from "./auth/oidc/user-sign-in.js";
import * as passkeys from "./auth/passkeys.js";
import * as secondFactor from "./auth/second-factor.js";
import * as auth from "./auth/session.js";
import * as userSessions from "./auth/sessions.js";
import * as stepUps from "./auth/step-up.js";
import * as tokens from "./auth/tokens.js";
import * as users from "./auth/users.js";
import * as carrierAccounts from "./carriers/accounts.js";
import * as carrierCollections from "./carriers/collections.js";
import * as carrierLabels from "./carriers/labels.js";
import * as carrierRules from "./carriers/rules.js";
import * as carrierTracking from "./carriers/tracking.js";
import * as carrierWebhooks from "./carriers/webhooks.js";
import * as connectors from "./connectors/connectors.js";
import * as connectorCredentials from "./connectors/credentials.js";
import * as connectorPushes from "./connectors/pushes.js";
import * as connectorSchedules from "./connectors/schedules.js";
import * as connectorSync from "./connectors/sync.js";
import * as connectorSyncStatus from "./connectors/sync-status.js";
import * as connectorWebhooks from "./connectors/webhooks.js";
import * as cycleCounts from "./counting/cycle-counts.js";
import * as cycleCountList from "./counting/list.js";
import * as countProgrammes from "./counting/programmes.js";
import type { Route } from "./http/route.js";
import * as imports from "./imports/imports.js";
import * as inboundActivity from "./inbound/activity.js";
import * as mappingSchema from "./inbound/mapping-schema.js";
import * as inbound from "./inbound/push.js";
import * as sourceLinks from "./inbound/source-links.js";
import * as sourceSystems from "./inbound/source-systems.js";
import * as inboundTry from "./inbound/try.js";
import * as damage from "./lots/damage.js";
import * as holds from "./lots/holds.js";
import * as inspections from "./lots/inspections.js";
import * as lots from "./lots/lots.js";
import * as bins from "./master-data/bins.js";
import * as items from "./master-data/items.js";
import * as masterDataLabels from "./master-data/labels.js";
import * as layouts from "./master-data/layouts.js";
import * as preferredBins from "./master-data/preferred-bins.js";
import * as vendors from "./master-data/vendors.js";
import * as warehouses from "./master-data/warehouses.js";
import { getAsyncApiDocument, openApiRoute } from "./openapi/route.js";
import type { NamedRoute, Tag } from "./openapi/tags.js";
import * as channels from "./outbound/channels.js";
import * as connectorRegistry from "./outbound/connector-registry.js";
import * as consumerGroups from "./outbound/consumer-groups.js";
import * as webhookDeliveries from "./outbound/deliveries.js";
import * as notifications from "./outbound/notifications.js";
import * as polling from "./outbound/polling.js";
import * as resolve from "./outbound/resolve.js";
import * as snapshot from "./outbound/snapshot.js";
import * as webhooks from "./outbound/webhooks.js";
import * as partnerDeliveries from "./partners/deliveries.js";
import * as partnerInbound from "./partners/inbound.js";
import * as partnerLinks from "./partners/links.js";
import * as partnerPolling from "./partners/polling.js";
import * as partnerSession from "./partners/session.js";
import * as partnerWebhooks from "./partners/webhooks.js";
import * as pickBatches from "./picking/batches.js";
import * as pickBoard from "./picking/board.js";
import * as toteLabels from "./picking/labels.js";
import * as pickLeases from "./picking/leases.js";
import * as picking from "./picking/picking.js";
import * as waveRelease from "./picking/release.js";
import * as replenishment from "./picking/replenishment.js";
import * as pickingTickets from "./picking/tickets.js";
import * as waveTemplates from "./picking/wave-templates.js";
import * as pickStarts from "./picking/waves.js";
import * as posActivity from "./pos/activity.js";
import * as posReads from "./pos/reads.js";
import * as posRefund from "./pos/refund.js";
import * as posSales from "./pos/sales.js";
import * as printJobs from "./printing/jobs.js";
import * as printers from "./printing/printers.js";
import * as purchaseOrderEdit from "./purchasing/edit.js";
import * as purchaseOrders from "./purchasing/purchase-orders.js";
import * as recalls from "./recalls/recalls.js";
import * as putaway from "./receiving/putaway.js";
import * as putawayRules from "./receiving/putaway-rules.js";
import * as receipts from "./receiving/receipts.js";
import * as receiving from "./receiving/receive.js";
import * as ageing from "./reports/ageing.js";
import * as auditLog from "./reports/audit-log.js";
import * as dashboard from "./reports/dashboard.js";
import * as dashboardPreferences from "./reports/dashboard-preferences.js";
import * as day from "./reports/day.js";
import * as inbox from "./reports/inbox.js";
import * as lookup from "./reports/lookup.js";
import * as operations from "./reports/operations.js";
import * as productivity from "./reports/productivity.js";
import * as savedViews from "./reports/saved-views.js";
import * as search from "./reports/search.js";
import * as work from "./reports/work.js";
import * as returnsFloor from "./returns/floor.js";
import * as returns from "./returns/returns.js";
import * as salesOrderActions from "./sales-orders/actions.js";
import * as backorders from "./sales-orders/backorders.js";
import * as customers from "./sales-orders/customers.js";
import * as salesOrderEdit from "./sales-orders/edit.js";
import * as salesOrderLines from "./sales-orders/lines.js";
import * as salesOrders from "./sales-orders/sales-orders.js";
import * as partnerSandbox from "./sandboxes/of-partner.js";
import * as sandboxes from "./sandboxes/sandboxes.js";
import * as serials from "./serials/serials.js";
import * as boxes from "./shipping/boxes.js";
import * as customs from "./shipping/customs.js";
import * as packing from "./shipping/packing.js";
import * as packingSlip from "./shipping/packing-slip.js";
import * as parcelPapers from "./shipping/parcel-papers.js";
import * as parcels from "./shipping/parcels.js";
import * as shipments from "./shipping/shipments.js";
import * as shipping from "./shipping/shipping.js";
import * as station from "./station/station.js";
import * as adjustmentReview from "./stock/adjustment-review.js";
import * as adjustments from "./stock/adjustments.js";
import * as interWarehouse from "./stock/inter-warehouse.js";
import * as inventory from "./stock/inventory.js";
import * as transfers from "./stock/transfers.js";
import * as demo from "./system/demo.js";
import * as health from "./system/health.js";
import * as live from "./system/live.js";
import * as settings from "./system/settings.js";
import * as transferCreation from "./transfers/create.js";
import * as transferPicking from "./transfers/floor.js";
import * as transferReads from "./transfers/read.js";
import * as transferSteps from "./transfers/steps.js";

/** What agents ask and people approve. */
const agents = { callAgentTools: mcpRoute(() => routes), ...approvalRoutes(() => routes) };
const getOpenApiDocument = openApiRoute(() => routes);

/** The files of routes, by their part of the interface. A new file is listed here and nowhere else. */
const files: Record<Tag, Record<string, Route>[]> = {
  "Sign in": [auth, agentAccess, badgeSignIn, oidc, passkeys, personalKeys, secondFactor, stepUps, userSessions],
  "Master data": [bins, imports, items, layouts, lookup, masterDataLabels, preferredBins, vendors, warehouses],
  Purchasing: [purchaseOrderEdit, purchaseOrders],
  Receiving: [receipts, receiving, returnsFloor],
  "Put-away": [putaway, putawayRules],
  Stock: [
    adjustmentReview,
    adjustments,
    damage,
    interWarehouse,
    inventory,
    lots,
    holds,
    inspections,
    recalls,
    serials,
    transfers,
  ],
  Counting: [countProgrammes, cycleCountList, cycleCounts],
  "Sales orders": [returns, salesOrderActions, backorders, customers, salesOrderEdit, salesOrderLines, salesOrders],
  Picking: [
    toteLabels,
    pickBoard,
    pickBatches,
    picking,
    pickLeases,
    pickingTickets,
    pickStarts,
    waveRelease,
    waveTemplates,
    replenishment,
    transferPicking,
  ],
  Packing: [boxes, customs, packing, packingSlip, parcelPapers, parcels],
  Shipping: [shipments, shipping],
  Station: [station],
  "Point of sale": [posActivity, posReads, posRefund, posSales],
  "Transfer orders": [transferCreation, transferReads, transferSteps],
  Reports: [
    ageing,
    auditLog,
    dashboard,
    day,
    dashboardPreferences,
    inbox,
    operations,
    productivity,
    savedViews,
    search,
    work,
  ],
  "Users & rights": [badges, signInMapping, users, userSignIn],
  Settings: [settings],
  "Integration tokens": [connectorRegistry, sandboxes, tokens],
  Inbound: [inbound, inboundActivity, inboundTry, mappingSchema, sourceLinks, sourceSystems],
  "Outbound polling": [consumerGroups, polling, resolve, snapshot],
  Webhooks: [webhookDeliveries, webhooks],
  Partners: [
    partnerSandbox,
    partnerDeliveries,
    partnerInbound,
    partnerLinks,
    partnerPolling,
    partnerSession,
    partnerWebhooks,
  ],
  Notifications: [notifications],
  Channels: [channels],
  Connectors: [
    connectors,
    connectorSchedules,
    connectorSync,
    connectorPushes,
    connectorCredentials,
    connectorSyncStatus,
    connectorWebhooks,
  ],
  Printing: [printers, printJobs],
  Carriers: [
    ...[carrierAccounts, carrierRules, carrierLabels, carrierCollections],
    ...[carrierTracking, carrierWebhooks],
  ],
  Agents: [agents],
  System: [demo, health, live, { getAsyncApiDocument, getOpenApiDocument }],
};

/** Every route of the service. */
export const routes: NamedRoute[] = Object.entries(files)
  .flatMap(([tag, ofTag]) =>
    ofTag.flatMap((file) =>
      Object.entries(file).map(([operationId, route]) => ({ ...route, operationId, tag: tag as Tag })),
    ),
  )
  // Express takes the first path that matches: `item/search` must stand before `item/:barcode`.
  .sort((a, b) => Number(a.path.includes(":")) - Number(b.path.includes(":")));
