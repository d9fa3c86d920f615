import assert from "node:assert/strict";
import { endpointSlugs, resources } from "../../src/auth/tokens/scope.js";
import { eventTypes } from "../../src/platform/events/catalog.js";
import { metrics } from "../../src/reports/dashboard/shapes.js";
import { fieldOf } from "../support/operations.js";

/** Every field of a request that is held against a fixed list: route, where it stands, what it takes. */
const lists: [route: string, field: string, values: readonly string[]][] = [
  ["post /api/admin/adjustments/direct", "body.adjustment_type", ["ADD", "REMOVE"]],
  ["post /api/admin/sales-orders/:so_id/revert-status", "body.new_status", ["OPEN", "PICKED", "PACKED"]],
  ["get /api/admin/webhooks/:subscription_id/stats", "query.window", ["1h", "6h", "24h", "7d"]],
  [
    "post /api/admin/import/:entity_type",
    "path.entity_type",
    ["items", "bins", "inventory-adjustments", "purchase-orders", "sales-orders", "source-links"],
  ],
  ["get /api/admin/inbound/activity", "query.resource", resources],
  [
    "get /api/admin/inbound/activity",
    "query.status",
    ["accepted", "stale_version", "lookup_miss", "rejected", "applied", "superseded"],
  ],
  ["get /api/admin/inbound/activity/:resource/:inbound_id", "path.resource", resources],
  ["put /api/v1/dashboard/preferences", "body.chart_order", metrics],
  ["put /api/v1/dashboard/preferences", "body.default_range", ["today", "yesterday", "last_7d", "last_30d", "custom"]],
  ["put /api/v1/dashboard/preferences", "body.default_view", ["charts", "table"]],
  ["get /api/v1/events/schema/:type/:version", "path.type", eventTypes],
  ["get /api/v1/events/schema/:type/:version", "path.version", ["1"]],
  ["post /api/admin/tokens", "body.event_types", eventTypes],
  ["post /api/admin/tokens", "body.endpoints", endpointSlugs],
  ["patch /api/admin/tokens/:token_id", "body.event_types", eventTypes],
  ["put /api/admin/tokens/:token_id", "body.endpoints", endpointSlugs],
  ["post /api/admin/consumer-groups", "body.subscription.event_types", eventTypes],
  ["post /api/admin/webhooks", "body.subscription_filter.event_types", eventTypes],
  ["patch /api/admin/webhooks/:subscription_id", "body.subscription_filter.event_types", eventTypes],
];

describe("the OpenAPI document lists the words of", () => {
  for (const [route, field, values] of lists)
    it(`${route}, ${field}`, () => assert.deepEqual(fieldOf(route, field)?.enum, [...values]));
});
