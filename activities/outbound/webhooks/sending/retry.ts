import { z } from "zod";
import { retryDelay } from "../../../../src/outbound/retry.js";
import {
  type DeliveryAttempted,
  type GivenUp,
  type StuckDelivery,
  StuckPartner,
} from "../../../../src/outbound/webhooks/delivery.js";
import { int, text } from "../../../../src/platform/db/columns.js";
import { db, transaction } from "../../../../src/platform/db/db.js";
import { systemActor } from "../../../../src/platform/system-actor.js";
import { command } from "../../../command.js";
import { Attention, type Ends } from "../../sending/changes.js";
import { entry, lockSubscription, notifySenders, pauseAtCeiling } from "../subscription.js";
import { Delivery, EVENT } from "./claim.js";
import { type Destination, deliver, destinationOf, hasEvent } from "./post.js";
import type { Sending } from "./sender.js";
import { failDelivery, settle, settleNow, withoutAttempt, withoutEvent } from "./settle.js";

/**
 * Makes the next attempt of a stuck delivery if it is due, else says when it will be. Used only under the
 * subscription's lock.
 */
export function attempt(stuck: StuckDelivery, sending: Sending, ends: Ends): Promise<DeliveryAttempted> {
  const attention = new Attention(sending.changes, stuck.subscription_id, ends);
  const unwanted = attention.unwanted(() => attention.changed);
  return attemptUnless(stuck, sending, { unwanted, lost: ends.lost }).finally(() => attention.end());
}

async function attemptUnless(
  stuck: StuckDelivery,
  { keys, wire, retryDelaysMs }: Sending,
  ends: { unwanted: AbortSignal; lost: AbortSignal },
): Promise<DeliveryAttempted> {
  const { subscription_id } = stuck;
  const to = await destinationOf(subscription_id, keys);
  if (typeof to === "string") return { ended: to };
  const { taken, waits, ended } = await take(stuck, to);
  if (!taken) return ended ? { ended } : { ...(waits && { next: waits }) };
  if (!hasEvent(taken)) {
    await settleNow(subscription_id, [withoutEvent(taken)], []);
    return { ended: "failed" };
  }
  const outcome = await deliver(wire, taken, to, ends);
  ends.lost.throwIfAborted();
  if (!outcome) {
    await settleNow(subscription_id, [], [taken.delivery_id]);
    return {};
  }
  if (outcome.status === "succeeded") {
    await settleNow(subscription_id, [outcome], []);
    return { ended: "succeeded" };
  }
  const { attempt_number } = taken;
  const wait_ms = retryDelay(attempt_number, retryDelaysMs, Math.random());
  const results = { before: [], failure: outcome, unsent: [] };
  const { given_up } = await failDelivery(subscription_id, taken, results, wait_ms);
  if (given_up) return { ended: "dlq" };
  const failure = [outcome.error_kind, outcome.http_status].filter(Boolean).join(" ");
  return { failure, next: { attempt: attempt_number + 1, wait_ms } };
}

/** A stuck delivery: claimed for its next attempt, or when that is due, or how it ended; empty if the row changed. */
interface NextAttempt {
  taken?: Delivery;
  waits?: { attempt: number; wait_ms: number };
  ended?: "succeeded" | "dlq" | "failed";
}

const Row = Delivery.extend({ status: z.enum(["pending", "in_flight", "succeeded", "failed", "dlq"]), wait_ms: int });
type Row = z.infer<typeof Row>;

const OF_STUCK = "subscription_id = $1 and (delivery_id = $2 or first_delivery_id = $2)";

const endOf = (status: Row["status"]) => (status === "pending" || status === "in_flight" ? undefined : status);

const EndedBeforeRow = Row.pick({ status: true });

/** How a stuck delivery ended, if it did: a sender that goes on behind it keeps the lock. */
export async function endedBefore(stuck: StuckDelivery): Promise<DeliveryAttempted | undefined> {
  const row = await db.row(
    EndedBeforeRow,
    `select status from webhook_deliveries where ${OF_STUCK} order by attempt_number desc limit 1`,
    [stuck.subscription_id, stuck.first_delivery_id],
  );
  const ended = row ? endOf(row.status) : "failed";
  return ended && { ended };
}

/**
 * Claims the newest row of a stuck delivery, if it is due or its event is gone. One that is claimed already is
 * claimed again: the sender that did so has stopped.
 */
function take({ subscription_id, first_delivery_id }: StuckDelivery, to: Destination): Promise<NextAttempt> {
  return transaction(async (tx) => {
    const subscription = await lockSubscription(tx, subscription_id);
    const row = await tx.row(
      Row,
      `select d.delivery_id, $2::bigint as first_delivery_id, d.attempt_number, d.event_id, ${EVENT} as event, d.status,
              greatest(0, ceil(extract(epoch from d.scheduled_at - now()) * 1000))::int as wait_ms
       from webhook_deliveries d
       where ${OF_STUCK}
       order by d.attempt_number desc limit 1`,
      [subscription_id, first_delivery_id],
    );
    if (!row) return { ended: "failed" };
    const { status, wait_ms, ...delivery } = row;
    const ended = endOf(status);
    if (ended) return { ended };
    if (subscription?.updated_at !== to.version) return {};
    if (wait_ms > 0 && hasEvent(delivery)) return { waits: { attempt: delivery.attempt_number, wait_ms } };
    await tx.run("update webhook_deliveries set status = 'in_flight' where delivery_id = $1", [delivery.delivery_id]);
    return { taken: delivery };
  });
}

/** What the workflow of a stuck delivery shows of its partner: names, and why the last attempt failed. */
export async function readPartner({ subscription_id, first_delivery_id }: StuckDelivery): Promise<StuckPartner> {
  const found = await db.row(
    StuckPartner,
    `select display_name, connector_id,
            (select concat_ws(' ', error_kind, http_status) from webhook_deliveries d
             where d.subscription_id = s.subscription_id and (delivery_id = $2 or first_delivery_id = $2)
               and error_kind is not null order by attempt_number desc limit 1) as failure
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
export function giveUpDelivery(
  { subscription_id, first_delivery_id, event_id }: StuckDelivery,
  commandId: string,
): Promise<GivenUp> {
  const by = systemActor(commandId);
  return command("webhooks.giveUp", by, { first_delivery_id }, async (tx) => {
    const subscription = await lockSubscription(tx, subscription_id);
    const newest = await tx.row(
      { delivery_id: int, status: text },
      `select delivery_id, status from webhook_deliveries
       where subscription_id = $1 and (delivery_id = $2 or first_delivery_id = $2)
       order by attempt_number desc limit 1`,
      [subscription_id, first_delivery_id],
    );
    if (!subscription || !newest) return { ended: "failed" };
    const { delivery_id, status } = newest;
    if (status === "succeeded" || status === "dlq" || status === "failed") return { ended: status };
    const cancelled = { delivery_id, ...withoutAttempt("dlq", "Cancelled in the Temporal UI") };
    await settle(tx, subscription_id, [cancelled], []);
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
    await notifySenders(tx, subscription_id);
    return { ended: "cancelled" };
  });
}
