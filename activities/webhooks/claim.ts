import { transaction } from "../../src/db.js";
import type { Envelope } from "../../src/events/envelope.js";
import type { Filter } from "../../src/webhooks/filter.js";
import { type Ended, settle } from "./settle.js";
import { lockSubscription } from "./subscription.js";

/** A delivery in the hands of a sender, or the one that all others wait for. */
export interface Delivery {
  delivery_id: number;
  first_delivery_id: number;
  attempt_number: number;
  event_id: number;
  /** Null when the event is gone. */
  event: Envelope | null;
}

/** What a sender has done, what it knows, and what it wants. */
export interface Wanted {
  subscriptionId: string;
  /** What was sent, and what was taken and not sent. */
  ended: Ended[];
  unsent: number[];
  /** The subscription's `updated_at` as the sender read it. */
  version: string;
  filter: Filter;
  /** How far events were held against the filter. */
  scanned: number;
  /** The newest event whose two seconds are over; 0 where none was heard of yet. */
  due: number;
  /** At most so many deliveries. */
  most: number;
}

export interface Claim {
  /** Whether the subscription is active and as the sender read it; else nothing was taken. */
  current: boolean;
  deliveries: Delivery[];
  /** How far events were held against the filter by now; null when rows that wait went first. */
  scanned: number | null;
}

/** So many events are held against the filter at a time. */
const WINDOW = 5_000;

/**
 * Notes what was sent and takes what is next, in one transaction and one round trip. It needs no command id: what was sent is noted
 * on the rows that were taken for it, once, and senders of one subscription exclude each other.
 */
export function claim(wanted: Wanted): Promise<Claim> {
  const { subscriptionId, ended, unsent, filter } = wanted;
  return transaction(async (tx) => {
    const [, , claimed] = await Promise.all([
      ended.length + unsent.length > 0 && lockSubscription(tx, subscriptionId),
      settle(tx, subscriptionId, ended, unsent),
      tx.row<Claim>(CLAIM, [
        subscriptionId,
        wanted.version,
        wanted.most,
        wanted.scanned,
        wanted.due,
        filter.event_types,
        filter.warehouse_ids,
        filter.aggregate_external_id_allowlist,
      ]),
    ]);
    return claimed as Claim;
  });
}

/** An event as JSON, for a row `d` that names it; null when it is gone. */
export const EVENT =
  "(select e.envelope::json from integration_events e where e.event_id = d.event_id)";

/**
 * Rows that wait go first, in the order of their first attempts; events are taken only when none does. A first row that was tried
 * before is only shown: it has a process of its own. The clock that counts for an event's two seconds is the database's.
 */
const CLAIM = `
  with s as (
    select subscription_id, greatest(scanned_event_id, $4::bigint) as scanned
    from webhook_subscriptions where subscription_id = $1 and updated_at = $2 and status = 'active' for update
  ), live as (
    select d.delivery_id, coalesce(d.first_delivery_id, d.delivery_id) as first_delivery_id, d.attempt_number, d.event_id
    from s join webhook_deliveries d using (subscription_id) where d.status in ('pending', 'in_flight')
    order by coalesce(d.first_delivery_id, d.delivery_id) limit $3
  ), taken as (
    update webhook_deliveries d set status = 'in_flight' from live
    where d.delivery_id = live.delivery_id and not exists (select from live where attempt_number > 1)
  ), reach as (
    select r.scanned, r.upto
    from (select scanned, greatest(scanned, least($5::bigint, scanned + ${WINDOW})) as upto
          from s where not exists (select from live)) r
    left join integration_events last on last.event_id = r.upto
    where last.visible_at is null or last.visible_at <= now() - interval '2 seconds'
  ), wanted as (
    select next.event_id from reach, lateral (
      select event_id from integration_events where event_id > reach.scanned and event_id <= reach.upto
        and ($6::text[] is null or event_type = any($6)) and ($7::int[] is null or warehouse_id = any($7))
        and ($8::uuid[] is null or aggregate_external_id = any($8))
      order by event_id limit $3) next
  ), fresh as (
    insert into webhook_deliveries (subscription_id, event_id, status)
    select $1, event_id, 'in_flight' from wanted order by event_id
    returning delivery_id, delivery_id as first_delivery_id, attempt_number, event_id
  ), moved as (
    select case when (select count(*) from wanted) = $3 then (select max(event_id) from wanted) else upto end as scanned
    from reach
  ), noted as (
    update webhook_subscriptions u set scanned_event_id = moved.scanned from moved
    where u.subscription_id = $1 and u.scanned_event_id <> moved.scanned
  )
  select exists (select from s) as current, (select scanned from moved) as scanned,
         (select coalesce(json_agg(json_build_object(
                   'delivery_id', d.delivery_id, 'first_delivery_id', d.first_delivery_id,
                   'attempt_number', d.attempt_number, 'event_id', d.event_id, 'event', ${EVENT})
                   order by d.first_delivery_id), '[]')
          from (select * from live union all select delivery_id, first_delivery_id, attempt_number, event_id from fresh) d
         ) as deliveries`;
