import { z } from "zod";
import {
  type DeliveryAttempted,
  type GivenUp,
  type StuckDelivery,
  StuckPartner,
} from "../../../../src/outbound/sending.js";
import type { Filter } from "../../../../src/outbound/webhooks/filter.js";
import { arrayOf, bool, int } from "../../../../src/platform/db/columns.js";
import { db, type Sql, transaction } from "../../../../src/platform/db/db.js";
import type { Envelope } from "../../../../src/platform/events/envelope.js";
import { systemActor } from "../../../../src/platform/system-actor.js";
import { command } from "../../../command.js";
import { entry, lockSubscription, notifySenders, pauseAtCeiling, webhookReceivers } from "../../receivers.js";
import { notSent } from "../../sending/wire.js";
import { Claimed, type Ended, resultOf, settle } from "./settle.js";

/** A delivery that a sender has claimed, or the failed one that all others wait for. */
const Delivery = Claimed.extend({
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

const Claim = z.strictObject({
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
const EVENT = "(select e.envelope::json from integration_events e where e.event_id = d.event_id)";

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

const Newest = Delivery.extend({
  status: z.enum(["pending", "in_flight", "succeeded", "failed", "dlq"]),
  /** Until it is due. */
  wait_ms: int,
});

const OF_STUCK = "subscription_id = $1 and (delivery_id = $2 or first_delivery_id = $2)";

/** The newest row of a stuck delivery, and how it has ended, if it did; a row that is gone has failed. */
async function newestOf(sql: Sql, { subscription_id, first_delivery_id }: StuckDelivery) {
  const newest = await sql.row(
    Newest,
    `select d.delivery_id, $2::bigint as first_delivery_id, d.attempt_number, d.event_id, ${EVENT} as event, d.status,
            greatest(0, ceil(extract(epoch from d.scheduled_at - now()) * 1000))::int as wait_ms
     from webhook_deliveries d where ${OF_STUCK} order by d.attempt_number desc limit 1`,
    [subscription_id, first_delivery_id],
  );
  if (!newest) return { ended: "failed" as const };
  const { status, wait_ms, ...delivery } = newest;
  return status === "pending" || status === "in_flight" ? { delivery, wait_ms } : { ended: status };
}

/** How a stuck delivery ended, if it did: a sender that goes on behind it keeps the lock. */
export async function endedBefore(stuck: StuckDelivery): Promise<DeliveryAttempted | undefined> {
  const { ended } = await newestOf(db, stuck);
  return ended && { ended };
}

/**
 * Claims the newest row of a stuck delivery, if it is due or its event is gone; else says when it is due, or how it
 * ended, and nothing where the subscription changed. One that is claimed already is claimed again: the sender that did
 * so has stopped.
 * @param version The subscription's `updated_at` as its sender read it.
 */
export function claimAgain(stuck: StuckDelivery, version: string): Promise<{ claimed?: Delivery } & DeliveryAttempted> {
  return transaction(async (tx) => {
    const subscription = await lockSubscription(tx, stuck.subscription_id);
    const { delivery, wait_ms, ended } = await newestOf(tx, stuck);
    if (!delivery) return { ended };
    if (subscription?.updated_at !== version) return {};
    if (wait_ms > 0 && delivery.event) return { next: { attempt: delivery.attempt_number, wait_ms } };
    await tx.run("update webhook_deliveries set status = 'in_flight' where delivery_id = $1", [delivery.delivery_id]);
    return { claimed: delivery };
  });
}

/** What the workflow of a stuck delivery shows of its partner: names, and why the last attempt failed. */
export async function readPartner({ subscription_id, first_delivery_id }: StuckDelivery): Promise<StuckPartner> {
  const found = await db.row(
    StuckPartner,
    `select display_name, connector_id,
            (select concat_ws(' ', error_kind, http_status) from webhook_deliveries d
             where d.${OF_STUCK} and error_kind is not null order by attempt_number desc limit 1) as failure
     from webhook_subscriptions s where subscription_id = $1`,
    [subscription_id, first_delivery_id],
  );
  return found ?? { display_name: "a deleted webhook", connector_id: null, failure: null };
}

/**
 * Gives up a stuck delivery as the system user, because somebody asked its workflow to be cancelled in the Temporal UI:
 * it is a dead letter, which can be replayed, and the subscription goes on with the next event. Where it had ended
 * before, says how.
 */
export function giveUpDelivery(stuck: StuckDelivery, commandId: string): Promise<GivenUp> {
  const { subscription_id, first_delivery_id, event_id } = stuck;
  const by = systemActor(commandId);
  return command("webhooks.giveUp", by, { first_delivery_id }, async (tx) => {
    const subscription = await lockSubscription(tx, subscription_id);
    const { delivery, ended } = await newestOf(tx, stuck);
    if (!subscription || !delivery) return { ended: ended ?? "failed" };
    const { delivery_id } = delivery;
    await settle(tx, subscription_id, [resultOf(delivery_id, notSent("Cancelled in the Temporal UI"), "dlq")], []);
    if (subscription.status === "active") await pauseAtCeiling(tx, subscription);
    await tx.run("update webhook_subscriptions set updated_at = clock_timestamp() where subscription_id = $1", [
      subscription_id,
    ]);
    const { details, ...of } = entry(subscription);
    tx.audit({
      ...of,
      action: "WEBHOOK_DELIVERY_GIVE_UP",
      details: { ...details, delivery_id, event_id, reason: "cancelled in the Temporal UI" },
    });
    await notifySenders(tx, webhookReceivers, subscription_id);
    return { ended: "cancelled" };
  });
}
