import { metrics, type ObservableGauge } from "@opentelemetry/api";
import { z } from "zod";
import { ttlCache } from "../concurrency/ttl-cache.js";
import { number, text } from "../db/columns.js";
import { db } from "../db/db.js";
import { inNoSandbox } from "../db/sandboxes.js";
import { log } from "../log.js";

/** Counts of waiting rows, by metric; the prefix is `warehouse_`. */
const gauges = {
  events_waiting: "Committed events that have no number yet: nobody outside can see them",
  events_waiting_seconds: "Age of the oldest of them",
  webhooks: "Webhook subscriptions, by status",
  webhook_lag_events: "Events that the active webhook which is furthest behind has not looked at",
  webhook_deliveries: "Webhook deliveries that wait or are under way, by status",
  webhook_deliveries_waiting_seconds: "Age of the oldest of them",
  webhook_dead_letters: "Webhook deliveries that were given up after eight attempts, and kept",
  channels: "Channels of availability, by status",
  channel_items: "Items of channels, by state: due to be sent, or parked after all attempts failed",
  notifications_waiting: "Messages to notification destinations that are not delivered yet",
  notifications_failed_last_day: "Messages that were given up within the last 24 hours",
  inbound_refusals_last_hour: "Records that other systems pushed and that were refused within the last hour",
  pick_waves_open: "Pick waves and batches that somebody picks",
  pick_waves_oldest_seconds: "For how long the oldest of them has been picked",
  orders_waiting_for_stock: "Sales orders that wait for stock",
  orders_waiting_for_stock_seconds: "Age of the one that waits longest",
  connector_syncs_running: "Syncs that are under way, by connector",
  connector_sync_failures: "Runs of a sync that failed one after the other, the most of any warehouse",
  connector_sync_age_seconds: "Time since an enabled sync last succeeded, the longest of any warehouse",
  connector_sources_away: "Sources that are left alone while a sync or shipments wait for them, by connector",
  connector_refusals: "Records of a connector's source that could not be written, by connector",
  connector_pushes: "Shipments that shops are to be told of, by status: pending or failed",
} as const;
type Name = keyof typeof gauges;

const Figure = z.strictObject({
  name: z.enum(Object.keys(gauges) as Name[]),
  labels: z.record(z.string(), text).nullable(),
  value: number,
});
type Figure = z.infer<typeof Figure>;

/**
 * All of them in one statement, each part from an index of just these rows. A part without rows is 0, unless its labels
 * come from rows.
 */
const BACKLOG = `
  with events as (
    select count(*) as waiting, min(created_at) as since from integration_events where event_id is null
  ), deliveries as (
    select count(*) filter (where d.status = 'pending') as pending,
           count(*) filter (where d.status = 'in_flight') as in_flight,
           min(coalesce(first.created_at, d.created_at)) as since
    from webhook_deliveries d left join webhook_deliveries first on first.delivery_id = d.first_delivery_id
    where d.status in ('pending', 'in_flight')
  ), waves as (
    select count(*) as open, min(coalesce(started_at, created_at)) as since from pick_batches
    where status in ('OPEN', 'IN_PROGRESS') and assigned_to is not null
      and ${inNoSandbox("pick_batches.warehouse_id")}
  ), waiting as (
    select count(*) as orders, min(coalesce(backorder_opened_at, created_at)) as since
    from sales_orders where status = 'WAITING_STOCK' and ${inNoSandbox("sales_orders.warehouse_id")}
  ), syncs as (
    select connector_name as connector, sync_type, max(s.consecutive_errors) as failures,
           count(*) filter (where s.sync_status = 'running') as running,
           max(extract(epoch from now() - coalesce(s.last_success_at, c.updated_at)))
             filter (where c.enabled) as age
    from sync_state s full join connector_schedules c using (connector_name, warehouse_id, sync_type)
    group by 1, 2
  )
  select name, labels, coalesce(value, 0)::float8 as value from (
    select 'events_waiting' as name, null::jsonb as labels, waiting::numeric as value from events
    union all select 'events_waiting_seconds', null, extract(epoch from now() - since) from events
    union all
    select 'webhooks', jsonb_build_object('status', status), count(s)
    from unnest(array['active', 'paused', 'revoked']) as t (status) left join webhook_subscriptions s using (status)
    group by status
    union all
    select 'webhook_lag_events', null, max(q.last_no - greatest(s.scanned_event_id, s.last_delivered_event_id))
    from webhook_subscriptions s cross join sequencer_state q where q.name = 'events' and s.status = 'active'
    union all select 'webhook_deliveries', '{"status": "pending"}', pending from deliveries
    union all select 'webhook_deliveries', '{"status": "in_flight"}', in_flight from deliveries
    union all select 'webhook_deliveries_waiting_seconds', null, extract(epoch from now() - since) from deliveries
    union all select 'webhook_dead_letters', null, count(*) from webhook_deliveries where status = 'dlq'
    union all
    select 'channels', jsonb_build_object('status', status), count(*) from channels group by status
    union all
    select 'channel_items', '{"state": "due"}', count(*) from channel_items where due_at is not null
    union all
    select 'channel_items', '{"state": "parked"}', count(*) from channel_items where parked
    union all
    select 'notifications_waiting', null, count(*) from notifications where status = 'pending'
    union all
    select 'notifications_failed_last_day', null, count(*) from notifications
    where completed_at > now() - interval '1 day' and status = 'dlq'
    union all
    select 'inbound_refusals_last_hour', null, count(*) from inbound_refusals
    where received_at > now() - interval '1 hour'
    union all select 'pick_waves_open', null, open from waves
    union all select 'pick_waves_oldest_seconds', null, extract(epoch from now() - since) from waves
    union all select 'orders_waiting_for_stock', null, orders from waiting
    union all select 'orders_waiting_for_stock_seconds', null, extract(epoch from now() - since) from waiting
    union all
    select 'connector_syncs_running', jsonb_build_object('connector', connector), sum(running)
    from syncs group by connector
    union all
    select 'connector_sync_failures', jsonb_build_object('connector', connector, 'type', sync_type), failures
    from syncs
    union all
    select 'connector_sync_age_seconds', jsonb_build_object('connector', connector, 'type', sync_type), age
    from syncs where age is not null
    union all
    select 'connector_sources_away', jsonb_build_object('connector', connector_name),
           count(*) filter (where open_until is not null and (
             exists (select from sync_state s where s.connector_name = c.connector_name
                       and s.warehouse_id = c.warehouse_id and s.sync_status = 'running')
             or exists (select from fulfillment_pushes p where p.connector_name = c.connector_name
                          and p.warehouse_id = c.warehouse_id and p.status = 'pending')))
    from connector_circuits c group by connector_name
    union all
    select 'connector_refusals', jsonb_build_object('connector', connector_name), count(*)
    from connector_refusals group by connector_name
    union all
    select 'connector_pushes', '{"status": "pending"}', count(*) from fulfillment_pushes where status = 'pending'
    union all
    select 'connector_pushes', '{"status": "failed"}', count(*) from fulfillment_pushes where status = 'failed'
  ) figures`;

/** Concurrent scrapes of a worker cost one query. */
const KEPT_MS = 5_000;
const figures = ttlCache<Figure[]>(() => KEPT_MS);

/** Measures the waiting rows whenever a worker is scraped. The API does not: it would report the same. */
export function measureBacklog(): void {
  const meter = metrics.getMeter("warehouse");
  const reachable = meter.createObservableGauge("warehouse_database_reachable", {
    description: "Whether the worker could read what waits: 1 or 0",
  });
  const made = new Map<string, ObservableGauge>();
  for (const [name, description] of Object.entries(gauges))
    made.set(name, meter.createObservableGauge(`warehouse_${name}`, { description }));
  meter.addBatchObservableCallback(
    async (result) => {
      try {
        for (const { name, labels, value } of await figures("", () => db.rows(Figure, BACKLOG))) {
          const gauge = made.get(name);
          if (gauge) result.observe(gauge, value, labels ?? {});
        }
        result.observe(reachable, 1);
      } catch (err) {
        log.warn({ err }, "what waits in the database could not be measured");
        result.observe(reachable, 0);
      }
    },
    [reachable, ...made.values()],
  );
}
