import { z } from "zod";
import { MAX_ATTEMPTS } from "../../../../src/outbound/retry.js";
import type { Subscription } from "../../../../src/outbound/webhooks/queries.js";
import { int } from "../../../../src/platform/db/columns.js";
import { type Sql, transaction } from "../../../../src/platform/db/db.js";
import { systemActor } from "../../../../src/platform/system-actor.js";
import { command } from "../../../command.js";
import { lockSubscription, pauseAtCeiling, pauseGone } from "../../receivers.js";
import type { Attempt } from "../../sending/wire.js";

/** An attempt of a delivery, as it is claimed. */
export const Claimed = z.strictObject({ delivery_id: int, first_delivery_id: int, attempt_number: int, event_id: int });
export type Claimed = z.infer<typeof Claimed>;

/** The result of an attempt, as its row stores it. */
export interface Ended extends Attempt {
  delivery_id: number;
  status: "succeeded" | "failed" | "dlq";
  /** Of the secret that it was signed with first. */
  secret_generation: 1 | null;
}

export const resultOf = (
  delivery_id: number,
  attempt: Attempt,
  status: Ended["status"] = attempt.ok ? "succeeded" : "failed",
): Ended => ({ ...attempt, delivery_id, status, secret_generation: attempt.response_time_ms === null ? null : 1 });

/**
 * Stores the results of deliveries that a sender had claimed, and releases those that it did not send. The cursor moves
 * to the newest event that was delivered or given up. A sender that lost its lock may store and release, too: the first
 * result of a delivery holds, also where it was released meanwhile.
 * @returns How many results were stored.
 */
export async function settle(tx: Sql, subscriptionId: string, ended: Ended[], unsent: number[]): Promise<number> {
  const [noted] = await Promise.all([
    ended.length > 0 &&
      tx.row(
        { count: int },
        `with noted as (
           update webhook_deliveries d
           set status = r.status, attempted_at = r.attempted_at, completed_at = r.completed_at,
               http_status = r.http_status, response_body_hash = r.response_body_hash,
               response_time_ms = r.response_time_ms, error_kind = r.error_kind, error_detail = r.error_detail,
               secret_generation = r.secret_generation
           from jsonb_populate_recordset(null::webhook_deliveries, $2) r
           where d.delivery_id = r.delivery_id and d.status in ('pending', 'in_flight')
           returning d.event_id, d.status
         )
         update webhook_subscriptions s
         set last_delivered_event_id = greatest(s.last_delivered_event_id, newest.event_id)
         from (select max(event_id) as event_id from noted where status in ('succeeded', 'dlq')) newest
         where s.subscription_id = $1 returning (select count(*) from noted) as count`,
        [subscriptionId, JSON.stringify(ended)],
      ),
    unsent.length > 0 &&
      tx.run("update webhook_deliveries set status = 'pending' where delivery_id = any($1) and status = 'in_flight'", [
        unsent,
      ]),
  ]);
  return noted ? noted.count : 0;
}

/** The same in a transaction of its own, for a sender that stops. */
export function settleNow(subscriptionId: string, ended: Ended[], unsent: number[]): Promise<void> {
  return transaction(async (tx) => {
    await tx.inOrder([lockSubscription(tx, subscriptionId), settle(tx, subscriptionId, ended, unsent)]);
  });
}

/** Releases the deliveries that a sender which was killed had claimed, so that they are sent (again). */
export function releaseClaims(subscriptionId: string): Promise<void> {
  return transaction(async (tx) => {
    await tx.inOrder([
      lockSubscription(tx, subscriptionId),
      tx.run("update webhook_deliveries set status = 'pending' where subscription_id = $1 and status = 'in_flight'", [
        subscriptionId,
      ]),
    ]);
  });
}

/** The consequences of a failed attempt. */
export interface Failed {
  /** Whether it was the last attempt: the event was given up. */
  given_up: boolean;
  status: Subscription["status"];
}

/** A partner that answers so wants nothing any more (Standard Webhooks). */
const GONE = 410;

/**
 * Stores a failed attempt of one delivery, or of those of a batch, with the results that its sender had before: the
 * next attempt is scheduled, or after the eighth the events are given up; neither where another sender that took over
 * the lock has stored a result. Too many deliveries that wait or were given up pause the subscription
 * (docs/interface.md, Webhooks), and so does a partner that has ended it.
 * @param retryInMs Until the next attempt.
 */
export function failDeliveries(
  subscriptionId: string,
  deliveries: Claimed[],
  { before, failures, unsent }: { before: Ended[]; failures: Ended[]; unsent: number[] },
  retryInMs: number,
): Promise<Failed> {
  const [{ delivery_id, attempt_number }, [failure]] = [deliveries[0] as Claimed, failures as [Ended]];
  const given_up = attempt_number === MAX_ATTEMPTS;
  const by = systemActor(`webhook-attempt:${delivery_id}`);
  return command("webhooks.fail", by, { delivery_id }, async (tx) => {
    const subscription = await lockSubscription(tx, subscriptionId);
    const status = given_up ? ("dlq" as const) : ("failed" as const);
    const [, stored] = await Promise.all([
      settle(tx, subscriptionId, before, unsent),
      settle(
        tx,
        subscriptionId,
        failures.map((one) => ({ ...one, status })),
        [],
      ),
    ]);
    if (!subscription || subscription.status === "revoked") return { given_up, status: "revoked" as const };
    if (stored > 0 && !given_up)
      await tx.run(
        `insert into webhook_deliveries (subscription_id, event_id, attempt_number, first_delivery_id, scheduled_at)
         select d.subscription_id, d.event_id, d.attempt_number + 1, coalesce(d.first_delivery_id, d.delivery_id),
                now() + :retryInMs * interval '1 millisecond'
         from webhook_deliveries d
         where d.delivery_id = any(:ids) and d.status = 'failed' and not exists (
           select from webhook_deliveries n
           where n.first_delivery_id = coalesce(d.first_delivery_id, d.delivery_id)
             and n.attempt_number > d.attempt_number)
         order by coalesce(d.first_delivery_id, d.delivery_id)`,
        { ids: deliveries.map((one) => one.delivery_id), retryInMs },
      );
    if (subscription.status === "active") {
      if (failure.http_status === GONE) {
        await pauseGone(tx, subscription);
        return { given_up, status: "paused" as const };
      }
      if (await pauseAtCeiling(tx, subscription)) return { given_up, status: "paused" as const };
    }
    return { given_up, status: subscription.status };
  });
}
