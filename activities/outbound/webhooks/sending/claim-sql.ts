import type { Ordering } from "../../../../src/outbound/webhooks/shapes.js";

/** The filter is applied to this many events at a time. */
const WINDOW = 5_000;
/**
 * In the order of aggregates, no new events are claimed while so many deliveries wait or are under way, or one fewer
 * than `pending_ceiling`, which therefore pauses nobody whose own retries these are.
 */
const MOST_LIVE = 1_000;
/** Nor are any tried for the first time while so many aggregates wait for a retry: their partner may be down. */
const MOST_RETRIED = 100;

/** The event of a row `d` as JSON; null when it no longer exists. */
export const EVENT = "(select e.envelope::json from integration_events e where e.event_id = d.event_id)";

/** A window begins at the next existing event: a new epoch of the stream skips event ids. */
const NEXT = "(select event_id from integration_events where event_id > scanned order by event_id limit 1)";

const KEY = "coalesce(d.first_delivery_id, d.delivery_id)";

/** The subscription, if nothing has changed. */
const CURRENT = `s as (
    select subscription_id, pending_ceiling,
           greatest(scanned_event_id, last_delivered_event_id, :scanned::bigint) as scanned
    from webhook_subscriptions
    where subscription_id = :subscriptionId and updated_at = :version and status = 'active' for update
  )`;

/**
 * The next events that are `wanted`, and how far the filter was applied then. A new filter has set `scanned_event_id`
 * back to what was delivered or claimed by then. The two seconds of an event are measured by the clock of the database.
 * Events of sandboxes are for subscriptions that name their warehouse.
 * @param when Whether there may be any.
 * @param limit The maximum of them.
 */
const newEvents = (when: string, limit: string) => `reach as (
    select r.scanned, r.upto
    from (select scanned, greatest(scanned, least(:due::bigint, ${NEXT} - 1 + ${WINDOW})) as upto
          from s where ${when}) r
    left join integration_events last on last.event_id = r.upto
    where last.visible_at is null or last.visible_at <= now() - interval '2 seconds'
  ), wanted as (
    select next.event_id, next.aggregate from reach, lateral (
      select event_id, aggregate_external_id::text as aggregate
      from integration_events where event_id > reach.scanned and event_id <= reach.upto
        and (:event_types::text[] is null or event_type = any(:event_types))
        and case when :warehouse_ids::int[] is null then warehouse_id not in (select s.warehouse_id from sandboxes s)
                 else warehouse_id = any(:warehouse_ids) end
        and (:external_ids::uuid[] is null or aggregate_external_id = any(:external_ids))
      order by event_id limit ${limit}) next
  ), moved as (
    select case when (select count(*) from wanted) = ${limit} then (select max(event_id) from wanted) else upto end
             as scanned
    from reach
  ), noted as (
    update webhook_subscriptions u set scanned_event_id = moved.scanned from moved
    where u.subscription_id = :subscriptionId and u.scanned_event_id <> moved.scanned
  )`;

const FRESH = "delivery_id, delivery_id as first_delivery_id, attempt_number, event_id";

/** @param of SQL of the deliveries `d`. */
const claimed = (of: string) => `exists (select from s) as current, (select scanned from moved) as scanned,
         (select coalesce(json_agg(json_build_object(
                   'delivery_id', d.delivery_id, 'first_delivery_id', d.first_delivery_id,
                   'attempt_number', d.attempt_number, 'event_id', d.event_id, 'event', ${EVENT})
                   order by d.first_delivery_id, d.attempt_number), '[]')
          from (${of}) d
         ) as deliveries`;

/**
 * Waiting rows come first, in the order of their first attempts; new events are claimed only when there are none. A
 * row that was tried before is returned, but not claimed, and nor is any behind it: it has a workflow of its own.
 */
const BY_SUBSCRIPTION = `
  with ${CURRENT}, live as (
    select d.delivery_id, ${KEY} as first_delivery_id, d.attempt_number, d.event_id
    from s join webhook_deliveries d using (subscription_id) where d.status in ('pending', 'in_flight')
    order by ${KEY} limit :most
  ), taken as (
    update webhook_deliveries d set status = 'in_flight'
    from (select delivery_id, max(attempt_number) over (order by first_delivery_id, attempt_number) as tried
          from live) next
    where d.delivery_id = next.delivery_id and tried = 1
  ), ${newEvents("not exists (select from live)", ":most")}, fresh as (
    insert into webhook_deliveries (subscription_id, event_id, status)
    select :subscriptionId, event_id, 'in_flight' from wanted order by event_id returning ${FRESH}
  )
  select ${claimed("select * from live union all select * from fresh")}, false as full, null::int as retry_in_ms`;

/**
 * The first waiting row of each aggregate, if it is due, whether it was tried before or not, and new events beside
 * them. One of an aggregate of which something waits or is under way gets its row, and waits behind that; all that wait
 * are known here, since new events are only claimed where `live` has all of them. What is gone has no aggregate.
 */
const BY_AGGREGATE = `
  with ${CURRENT}, live as (
    select d.delivery_id, ${KEY} as first_delivery_id, d.attempt_number, d.event_id, d.status, d.scheduled_at,
           coalesce((select e.aggregate_external_id::text from integration_events e where e.event_id = d.event_id),
                    d.delivery_id::text) as aggregate
    from s join webhook_deliveries d using (subscription_id) where d.status in ('pending', 'in_flight')
    order by ${KEY} limit ${MOST_LIVE}
  ), first as (
    select distinct on (aggregate) * from live order by aggregate, first_delivery_id, attempt_number
  ), retried as (
    select count(*) >= ${MOST_RETRIED} as enough from first where attempt_number > 1
  ), next as (
    select f.delivery_id, f.first_delivery_id, f.attempt_number, f.event_id from first f, retried
    where f.status = 'pending' and f.scheduled_at <= now() and (f.attempt_number > 1 or not retried.enough)
    order by f.first_delivery_id limit :most
  ), taken as (
    update webhook_deliveries d set status = 'in_flight' from next where d.delivery_id = next.delivery_id
  ), room as (
    select case when retried.enough then 0
                else greatest(0, least(:most - (select count(*) from next),
                                       least(${MOST_LIVE}, s.pending_ceiling - 1) - (select count(*) from live)))
           end as events
    from s, retried
  ), ${newEvents("(select events from room) > 0", "(select events from room)")}, fresh as (
    insert into webhook_deliveries (subscription_id, event_id, status)
    select :subscriptionId, event_id,
           case when aggregate in (select aggregate from live)
                  or row_number() over (partition by aggregate order by event_id) > 1
             then 'pending' else 'in_flight' end
    from wanted order by event_id returning ${FRESH}, status
  )
  select ${claimed(`select * from next union all
            select delivery_id, first_delivery_id, attempt_number, event_id from fresh where status = 'in_flight'`)},
         coalesce((select events = 0 from room), false) as full,
         (select ceil(extract(epoch from min(scheduled_at) - now()) * 1000)::int from first
          where status = 'pending' and scheduled_at > now()) as retry_in_ms`;

/** How the next deliveries are claimed, in either order. */
export const CLAIMS: Record<Ordering, string> = { subscription: BY_SUBSCRIPTION, aggregate: BY_AGGREGATE };
