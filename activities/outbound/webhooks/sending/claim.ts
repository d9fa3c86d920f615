import { z } from "zod";
import {
  type DeliveryAttempted,
  type GivenUp,
  type StuckDelivery,
  StuckPartner,
} from "../../../../src/outbound/sending.js";
import type { Filter } from "../../../../src/outbound/webhooks/filter.js";
import type { Ordering } from "../../../../src/outbound/webhooks/shapes.js";
import { arrayOf, bool, int } from "../../../../src/platform/db/columns.js";
import { db, type Sql, transaction } from "../../../../src/platform/db/db.js";
import type { Envelope } from "../../../../src/platform/events/envelope.js";
import { systemActor } from "../../../../src/platform/system-actor.js";
import { command } from "../../../command.js";
import { entry, lockSubscription, notifySenders, pauseAtCeiling, webhookReceivers } from "../../receivers.js";
import { notSent } from "../../sending/wire.js";
import { CLAIMS, EVENT } from "./claim-sql.js";
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
  ordering: Ordering;
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
  /** By aggregate: whether new events wait until some of those before them have ended. */
  full: bool,
  /** By aggregate: until the next retry is due. */
  retry_in_ms: int.nullable(),
});
export type Claim = z.infer<typeof Claim>;

/**
 * Stores results and claims the next deliveries, in one transaction and one round trip. It needs no command id: results
 * are stored once, on the rows that were claimed, and senders of one subscription exclude each other.
 */
export function claim(wanted: ClaimRequest): Promise<Claim> {
  const { subscriptionId, ended, unsent, filter, ordering } = wanted;
  return transaction(async (tx) => {
    const [, , claimed] = await tx.inOrder([
      ended.length + unsent.length > 0 && lockSubscription(tx, subscriptionId),
      settle(tx, subscriptionId, ended, unsent),
      tx.row(Claim, CLAIMS[ordering], {
        ...wanted,
        event_types: filter.event_types,
        warehouse_ids: filter.warehouse_ids,
        external_ids: filter.aggregate_external_id_allowlist,
      }),
    ]);
    return claimed as Claim;
  });
}

const Newest = Delivery.extend({
  status: z.enum(["pending", "in_flight", "succeeded", "failed", "dlq"]),
  /** Until it is due. */
  wait_ms: int,
});

const OF_STUCK = "subscription_id = $1 and (delivery_id = $2 or first_delivery_id = $2)";

const NEWEST = `d.attempt_number, d.event_id, ${EVENT} as event, d.status,
  greatest(0, ceil(extract(epoch from d.scheduled_at - now()) * 1000))::int as wait_ms`;

/** The newest row of a stuck delivery, and how it has ended, if it did; a row that is gone has failed. */
async function newestOf(sql: Sql, { subscription_id, first_delivery_id }: StuckDelivery) {
  const newest = await sql.row(
    Newest,
    `select d.delivery_id, $2::bigint as first_delivery_id, ${NEWEST}
     from webhook_deliveries d where ${OF_STUCK} order by d.attempt_number desc limit 1`,
    [subscription_id, first_delivery_id],
  );
  if (!newest) return { ended: "failed" as const };
  const { status, wait_ms, ...delivery } = newest;
  return status === "pending" || status === "in_flight" ? { delivery, wait_ms } : { ended: status };
}

/**
 * What the workflow of a stuck delivery is told while a sender has the lock: how it ended, if it did, as the sender
 * goes on behind it; in the order of aggregates, where the sender makes the attempts, when to look again.
 */
export async function standOf(stuck: StuckDelivery): Promise<DeliveryAttempted | undefined> {
  const { delivery, wait_ms, ended } = await newestOf(db, stuck);
  if (!delivery) return { ended };
  const { by_aggregate, failure } = await readPartner(stuck);
  if (!by_aggregate) return undefined;
  return { next: later(delivery, wait_ms), ...(failure && { failure }) };
}

/** By then somebody else may have done it. */
const LOOK_AGAIN_MS = 2_000;
const later = ({ attempt_number }: Delivery, wait_ms: number) => ({
  attempt: attempt_number,
  wait_ms: Math.max(wait_ms, LOOK_AGAIN_MS),
});

/**
 * Claims the newest row of a stuck delivery, if it is due or its event is gone; else says when it is due, or how it
 * ended, and nothing where the subscription changed. One that is claimed already is claimed again: the sender that did
 * so has stopped. In the order of the subscription it waits for all before it, which may wait for a retry themselves
 * where the order was another one before. Those behind it that were tried with it, in one batch, are claimed with it.
 * @param version The subscription's `updated_at` as its sender read it.
 * @param most The maximum of deliveries.
 */
export function claimAgain(
  stuck: StuckDelivery,
  version: string,
  most: number,
): Promise<{ claimed?: Delivery[] } & DeliveryAttempted> {
  return transaction(async (tx) => {
    const subscription = await lockSubscription(tx, stuck.subscription_id);
    const { delivery, wait_ms, ended } = await newestOf(tx, stuck);
    if (!delivery) return { ended };
    if (subscription?.updated_at !== version) return {};
    if (subscription.ordering === "subscription" && (await isBehind(tx, stuck)))
      return { next: later(delivery, wait_ms) };
    if (wait_ms > 0 && delivery.event) return { next: { attempt: delivery.attempt_number, wait_ms } };
    const claimed = [delivery, ...(most > 1 ? await triedWith(tx, stuck, delivery.attempt_number, most - 1) : [])];
    await tx.run("update webhook_deliveries set status = 'in_flight' where delivery_id = any($1)", [
      claimed.map(({ delivery_id }) => delivery_id),
    ]);
    return { claimed };
  });
}

/** What waits behind a stuck delivery, as far as it was tried as often, and is due. */
async function triedWith(tx: Sql, stuck: StuckDelivery, attempt: number, most: number): Promise<Delivery[]> {
  const behind = await tx.rows(
    Newest,
    `select d.delivery_id, coalesce(d.first_delivery_id, d.delivery_id) as first_delivery_id, ${NEWEST}
     from webhook_deliveries d
     where subscription_id = $1 and status in ('pending', 'in_flight')
       and coalesce(first_delivery_id, delivery_id) > $2
     order by coalesce(first_delivery_id, delivery_id) limit $3`,
    [stuck.subscription_id, stuck.first_delivery_id, most],
  );
  const other = behind.findIndex(({ attempt_number, wait_ms }) => attempt_number !== attempt || wait_ms > 0);
  return behind.slice(0, other < 0 ? most : other).map(({ status: _, wait_ms: __, ...delivery }) => delivery);
}

const isBehind = (tx: Sql, { subscription_id, first_delivery_id }: StuckDelivery) =>
  tx.row(
    {},
    `select from webhook_deliveries
     where subscription_id = $1 and status in ('pending', 'in_flight')
       and coalesce(first_delivery_id, delivery_id) < $2 limit 1`,
    [subscription_id, first_delivery_id],
  );

/** What the workflow of a stuck delivery shows of its partner: names, and why the last attempt failed. */
export async function readPartner({ subscription_id, first_delivery_id }: StuckDelivery): Promise<StuckPartner> {
  const found = await db.row(
    StuckPartner,
    `select display_name, connector_id, ordering = 'aggregate' as by_aggregate,
            (select concat_ws(' ', error_kind, http_status) from webhook_deliveries d
             where d.${OF_STUCK} and error_kind is not null order by attempt_number desc limit 1) as failure
     from webhook_subscriptions s where subscription_id = $1`,
    [subscription_id, first_delivery_id],
  );
  return found ?? { display_name: "a deleted webhook", connector_id: null, by_aggregate: false, failure: null };
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
