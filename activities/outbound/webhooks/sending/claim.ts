import { z } from "zod";
import type { Filter } from "../../../../src/outbound/webhooks/filter.js";
import { arrayOf, bool, int } from "../../../../src/platform/db/columns.js";
import { transaction } from "../../../../src/platform/db/db.js";
import type { Envelope } from "../../../../src/platform/events/envelope.js";
import { lockSubscription } from "../../receivers.js";
import { Claimed, type Ended, settle } from "./settle.js";

/** A delivery that a sender has claimed, or the failed one that all others wait for. */
export const Delivery = Claimed.extend({
  /** Null when the event no longer exists. */
  event: z.custom<Envelope>().nullable(),
});
export type Delivery = z.infer<typeof Delivery>;

/** The results of a sender, its state, and how much it claims next. */
export interface ClaimRequest {
  subscriptionId: string;
  /** Results of deliveries that were sent, and ids of those that were claimed and not sent. */
  ended: Ended[];
  unsent: number[];
  /** The subscription's `updated_at` as the sender read it. */
  version: string;
  filter: Filter;
  /** The last event that the filter was applied to. */
  scanned: number;
  /** The newest event that may be sent, two seconds after it became visible; 0 where none is known yet. */
  due: number;
  /** The maximum of deliveries. */
  most: number;
}

export const Claim = z.strictObject({
  /** Whether the subscription is active and unchanged since the sender read it; otherwise nothing was claimed. */
  current: bool,
  deliveries: arrayOf(Delivery),
  /** The last event that the filter was applied to; null when waiting rows were claimed instead. */
  scanned: int.nullable(),
});
export type Claim = z.infer<typeof Claim>;

/** The filter is applied to this many events at a time. */
const WINDOW = 5_000;

/**
 * Stores results and claims the next deliveries, in one transaction and one round trip. It needs no command id: results
 * are stored once, on the rows that were claimed, and senders of one subscription exclude each other.
 */
export function claim(wanted: ClaimRequest): Promise<Claim> {
  const { subscriptionId, ended, unsent, filter } = wanted;
  return transaction(async (tx) => {
    const [, , claimed] = await tx.inOrder([
      ended.length + unsent.length > 0 && lockSubscription(tx, subscriptionId),
      settle(tx, subscriptionId, ended, unsent),
      tx.row(Claim, CLAIM, {
        ...wanted,
        event_types: filter.event_types,
        warehouse_ids: filter.warehouse_ids,
        external_ids: filter.aggregate_external_id_allowlist,
      }),
    ]);
    return claimed as Claim;
  });
}

/** The event of a row `d` as JSON; null when it no longer exists. */
export const EVENT = "(select e.envelope::json from integration_events e where e.event_id = d.event_id)";

/** A window begins at the next existing event: a new epoch of the stream skips event ids. */
const NEXT = "(select event_id from integration_events where event_id > scanned order by event_id limit 1)";

/**
 * Waiting rows come first, in the order of their first attempts; new events are claimed only when there are none. A
 * row that was tried before is returned, but not claimed, and nor is any behind it: it has a workflow of its own. A new
 * filter has set `scanned_event_id` back to what was delivered by then; what was claimed already and has been delivered
 * since is not selected again. The two seconds of an event are measured by the clock of the database.
 */
const CLAIM = `
  with s as (
    select subscription_id, greatest(scanned_event_id, last_delivered_event_id, :scanned::bigint) as scanned
    from webhook_subscriptions
    where subscription_id = :subscriptionId and updated_at = :version and status = 'active' for update
  ), live as (
    select d.delivery_id, coalesce(d.first_delivery_id, d.delivery_id) as first_delivery_id, d.attempt_number,
      d.event_id
    from s join webhook_deliveries d using (subscription_id) where d.status in ('pending', 'in_flight')
    order by coalesce(d.first_delivery_id, d.delivery_id) limit :most
  ), taken as (
    update webhook_deliveries d set status = 'in_flight'
    from (select delivery_id, max(attempt_number) over (order by first_delivery_id, attempt_number) as tried
          from live) next
    where d.delivery_id = next.delivery_id and tried = 1
  ), reach as (
    select r.scanned, r.upto
    from (select scanned, greatest(scanned, least(:due::bigint, ${NEXT} - 1 + ${WINDOW})) as upto
          from s where not exists (select from live)) r
    left join integration_events last on last.event_id = r.upto
    where last.visible_at is null or last.visible_at <= now() - interval '2 seconds'
  ), wanted as (
    select next.event_id from reach, lateral (
      select event_id from integration_events where event_id > reach.scanned and event_id <= reach.upto
        and (:event_types::text[] is null or event_type = any(:event_types))
        and (:warehouse_ids::int[] is null or warehouse_id = any(:warehouse_ids))
        and (:external_ids::uuid[] is null or aggregate_external_id = any(:external_ids))
      order by event_id limit :most) next
  ), fresh as (
    insert into webhook_deliveries (subscription_id, event_id, status)
    select :subscriptionId, event_id, 'in_flight' from wanted order by event_id
    returning delivery_id, delivery_id as first_delivery_id, attempt_number, event_id
  ), moved as (
    select case when (select count(*) from wanted) = :most then (select max(event_id) from wanted) else upto end
             as scanned
    from reach
  ), noted as (
    update webhook_subscriptions u set scanned_event_id = moved.scanned from moved
    where u.subscription_id = :subscriptionId and u.scanned_event_id <> moved.scanned
  )
  select exists (select from s) as current, (select scanned from moved) as scanned,
         (select coalesce(json_agg(json_build_object(
                   'delivery_id', d.delivery_id, 'first_delivery_id', d.first_delivery_id,
                   'attempt_number', d.attempt_number, 'event_id', d.event_id, 'event', ${EVENT})
                   order by d.first_delivery_id, d.attempt_number), '[]')
          from (select * from live union all select delivery_id, first_delivery_id, attempt_number, event_id
            from fresh) d
         ) as deliveries`;
