import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { diag, metrics } from "@opentelemetry/api";
import { freePort } from "../../src/launcher/free-port.js";
import { clearCaches } from "../../src/platform/concurrency/ttl-cache.js";
import { connect, disconnect } from "../../src/platform/db/db.js";
import { measureBacklog } from "../../src/platform/monitoring/backlog.js";
import { serveMetrics } from "../../src/platform/monitoring/metrics-server.js";
import { db } from "../support/db.js";
import { scrape } from "../support/scrape.js";
import { createDatabase, databaseUrl } from "../support/servers.js";

const SHOP = "00000000-0000-4000-8000-000000000001";
const STUCK = "00000000-0000-4000-8000-000000000002";
const ago = (seconds: number) => `now() - interval '${seconds} s'`;

/** A row of each kind that waits, and beside it what is over. Events and deliveries point to nothing else. */
const rows = [
  "insert into warehouses (warehouse_id, warehouse_code, warehouse_name) values (1, 'W', 'Warehouse')",
  "insert into items (item_id, sku, item_name) values (1, 'MUG', 'Mug'), (2, 'CUP', 'Cup')",
  "update sequencer_state set last_no = 9 where name = 'events'",
  `insert into integration_events (event_type, aggregate_type, aggregate_external_id, entity_type, entity_id,
     warehouse_id, source_txn_id, payload, created_at)
   values ('receipt.completed', 'purchase_order', gen_random_uuid(), 'item_receipt', 1, 1, gen_random_uuid(), '{}',
     ${ago(1_000)})`,
  "insert into connectors (connector_id, display_name) values ('erp', 'ERP')",
  `insert into webhook_subscriptions (subscription_id, connector_id, display_name, delivery_url, status, pause_reason,
     last_delivered_event_id, scanned_event_id)
   values ('${SHOP}', 'erp', 'Shop', 'https://shop.example.com', 'active', null, 3, 4),
          ('${STUCK}', 'erp', 'Stuck', 'https://stuck.example.com', 'active', null, 8, 7),
          (gen_random_uuid(), 'erp', 'Paused', 'https://paused.example.com', 'paused', 'manual', 0, 0)`,
  `insert into webhook_deliveries (delivery_id, subscription_id, event_id, status, first_delivery_id, attempt_number,
     created_at, completed_at)
   values (101, '${STUCK}', 5, 'failed', null, 1, ${ago(4_000)}, ${ago(4_000)}),
          (102, '${STUCK}', 5, 'pending', 101, 2, ${ago(2_000)}, null),
          (103, '${SHOP}', 4, 'in_flight', null, 1, ${ago(1_000)}, null),
          (104, '${SHOP}', 3, 'dlq', null, 8, ${ago(9_000)}, ${ago(3_000)}),
          (105, '${SHOP}', 2, 'succeeded', null, 1, ${ago(9_000)}, ${ago(9_000)})`,
  `insert into channels (channel_id, display_name, delivery_url, status, pause_reason)
   values ('market', 'Market', 'https://market.example.com', 'paused', 'manual')`,
  `insert into channel_items (channel_id, item_id, sku, available, version, in_scope, dirty_since, due_at, parked)
   values ('market', 1, 'MUG', 0, 1, true, now(), now(), false), ('market', 2, 'CUP', 0, 2, true, now(), null, true)`,
  `insert into notification_webhooks (webhook_id, warehouse_id, url_sealed, host_preview, event_filter)
   values (1, 1, 'x', 'chat.example.com', '{backorder.opened}')`,
  `insert into notifications (webhook_id, event_type, facts, occurred_at, status, completed_at)
   values (1, 'backorder.opened', '{}', now(), 'pending', null), (1, 'backorder.opened', '{}', now(), 'dlq', now()),
          (1, 'backorder.opened', '{}', now(), 'dlq', now() - interval '25 hours')`,
  `insert into inbound_source_systems_allowlist (source_system, kind) values ('shop', 'connector')`,
  `insert into inbound_refusals (resource, source_system, external_id, external_version, status, error_kind)
   values ('items', 'shop', 'x-1', '0', 'stale_version', 'stale_version')`,
  `insert into pick_batches (batch_number, warehouse_id, status, assigned_to, created_at, started_at)
   values ('B-1', 1, 'OPEN', 'picker', ${ago(1_000)}, null),
          ('B-2', 1, 'IN_PROGRESS', 'picker', ${ago(8_000)}, ${ago(5_000)}),
          ('B-3', 1, 'COMPLETED', 'picker', ${ago(9_000)}, ${ago(9_000)}),
          ('B-4', 1, 'OPEN', null, ${ago(9_000)}, null)`,
  `insert into sales_orders (so_id, so_number, so_barcode, warehouse_id, customer_name, status, created_at)
   values (1, 'SO-1', 'SO-1', 1, 'Customer', 'WAITING_STOCK', ${ago(6_000)}),
          (2, 'SO-2', 'SO-2', 1, 'Customer', 'SHIPPED', ${ago(9_000)})`,
  `insert into item_fulfillments (fulfillment_id, so_id, warehouse_id) values (1, 2, 1), (2, 2, 1), (3, 2, 1)`,
  `insert into sync_state (connector_name, warehouse_id, sync_type, sync_status, running_since, run_id, workflow_id,
     consecutive_errors, last_success_at)
   values ('a-shop', 1, 'orders', 'running', now(), gen_random_uuid(), 'sync', 2, ${ago(7_000)})`,
  `insert into connector_schedules (connector_name, warehouse_id, sync_type, interval_minutes)
   values ('a-shop', 1, 'orders', 10)`,
  `insert into connector_circuits (connector_name, warehouse_id, failures, open_until)
   values ('a-shop', 1, 5, now()), ('b-shop', 1, 5, now())`,
  `insert into connector_refusals (connector_name, warehouse_id, sync_type, external_id, external_version, record,
     error_kind, error_message)
   values ('a-shop', 1, 'orders', '1', '1', '{}', 'unknown', 'unknown')`,
  `insert into fulfillment_pushes (kind, connector_name, warehouse_id, so_id, fulfillment_id, source_order_id,
     tracking_numbers, carrier, shipped_at, status, completed_at)
   values ('ship', 'a-shop', 1, 2, 1, '1', '{}', 'UPS', now(), 'pending', null),
          ('ship', 'a-shop', 1, 2, 2, '1', '{}', 'UPS', now(), 'failed', now()),
          ('ship', 'a-shop', 1, 2, 3, '1', '{}', 'UPS', now(), 'pushed', now())`,
];

describe("what waits in the database", () => {
  let port: number;
  let stop: () => Promise<void>;
  before(async () => {
    const name = `t_${randomUUID().replaceAll("-", "")}`;
    await createDatabase(name);
    connect(databaseUrl(name), 2);
    port = await freePort();
    stop = await serveMetrics("127.0.0.1", port);
    measureBacklog();
  });
  after(async () => {
    await stop();
    metrics.disable();
    diag.disable();
    await disconnect();
  });

  /** What is measured now, by name and labels; ages in thousands of seconds, rounded down. */
  async function measured(): Promise<Record<string, number>> {
    clearCaches();
    const samples = (await scrape(port)).filter(({ name }) => name.startsWith("warehouse_"));
    return Object.fromEntries(
      samples.map(({ name, labels, value }) => [
        [name.replace("warehouse_", ""), ...Object.values(labels).sort()].join(" "),
        name.endsWith("_seconds") ? Math.floor(value / 1_000) : value,
      ]),
    );
  }

  it("is nothing at first", async () => {
    const { database_reachable, ...figures } = await measured();
    assert.equal(database_reachable, 1);
    assert.deepEqual(
      Object.entries(figures).filter(([, value]) => value !== 0),
      [],
    );
  });

  it("is measured, each kind by its rows", async () => {
    for (const row of rows) await db.run(row);
    assert.deepEqual(await measured(), {
      database_reachable: 1,
      ...{ events_waiting: 1, events_waiting_seconds: 1 },
      ...{ "webhooks active": 2, "webhooks paused": 1, "webhooks revoked": 0, webhook_lag_events: 5 },
      ...{ "webhook_deliveries pending": 1, "webhook_deliveries in_flight": 1, webhook_dead_letters: 1 },
      webhook_deliveries_waiting_seconds: 4,
      ...{ "channels paused": 1, "channel_items due": 1, "channel_items parked": 1 },
      ...{ notifications_waiting: 1, notifications_failed_last_day: 1, inbound_refusals_last_hour: 1 },
      ...{ pick_waves_open: 2, pick_waves_oldest_seconds: 5 },
      ...{ orders_waiting_for_stock: 1, orders_waiting_for_stock_seconds: 6 },
      ...{ "connector_syncs_running a-shop": 1, "connector_sync_failures a-shop orders": 2 },
      ...{ "connector_sync_age_seconds a-shop orders": 7, "connector_refusals a-shop": 1 },
      ...{ "connector_sources_away a-shop": 1, "connector_sources_away b-shop": 0 },
      ...{ "connector_pushes pending": 1, "connector_pushes failed": 1 },
    });
  });
});
