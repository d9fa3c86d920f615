import { z } from "zod";
import {
  type DeliveryAttempted,
  type GivenUp,
  type StuckDelivery,
  StuckPartner,
} from "../../../../src/outbound/sending.js";
import { int } from "../../../../src/platform/db/columns.js";
import { db, type Sql, transaction } from "../../../../src/platform/db/db.js";
import { systemActor } from "../../../../src/platform/system-actor.js";
import { command } from "../../../command.js";
import { entry, lockSubscription, notifySenders, pauseAtCeiling, webhookReceivers } from "../../receivers.js";
import { notSent } from "../../sending/wire.js";
import { Delivery, EVENT } from "./claim.js";
import { resultOf, settle } from "./settle.js";

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
