import { z } from "zod";
import { CHANGES } from "../../../src/outbound/locks.js";
import { SubscriptionNotFound } from "../../../src/outbound/webhooks/problems.js";
import { SUBSCRIPTION, Subscription, WITHIN } from "../../../src/outbound/webhooks/queries.js";
import { type Actor, visibleWarehouses } from "../../../src/platform/actor.js";
import { arrayOf, int, json, text, time } from "../../../src/platform/db/columns.js";
import { db, type Effects, type Sql } from "../../../src/platform/db/db.js";
import { systemActor } from "../../../src/platform/system-actor.js";
import { type AuditEntry, command, type Tx } from "../../command.js";
import { SealedSecret, validSecrets, webhookSecrets } from "../secret-tables.js";

/** A subscription as its sender reads it. */
export const SendingSubscription = z.strictObject({
  subscription_id: text,
  status: z.enum(["active", "paused", "revoked"]),
  delivery_url: text,
  subscription_filter: json,
  rate_limit_per_second: int,
  /** Set by every change, of the secrets too: a sender uses what it has read as long as this is the same. */
  updated_at: time,
  secrets: arrayOf(SealedSecret),
});
export type SendingSubscription = z.infer<typeof SendingSubscription>;

export const readSubscription = (subscriptionId: string) =>
  db.row(
    SendingSubscription,
    `select subscription_id, status, delivery_url, subscription_filter, rate_limit_per_second, updated_at,
            ${validSecrets(webhookSecrets)}
     from webhook_subscriptions r where subscription_id = $1`,
    [subscriptionId],
  );

/** What is stored may be outside the limits of requests. */
const Stored = Subscription.extend({ rate_limit_per_second: int });

/**
 * Locks a subscription, which is done before any change of it, its secrets or its deliveries; undefined when there is
 * none in the scope.
 */
export const lockSubscription = (tx: Sql, subscriptionId: string, scope: number[] | null = null) =>
  tx.row(
    Stored,
    `select ${SUBSCRIPTION} from webhook_subscriptions s where ${WITHIN} and s.subscription_id = $2 for update`,
    [scope, subscriptionId],
  );

/** The same for a user; 404 when there is none that the user may see. */
export async function lockVisibleSubscription(tx: Sql, subscriptionId: string, by: Actor): Promise<Subscription> {
  const found = await lockSubscription(tx, subscriptionId, visibleWarehouses(by));
  if (!found) throw SubscriptionNotFound();
  return found;
}

/** The entity of an audit row. Entity ids are numbers; a subscription has none, so its id is in the details. */
export const entry = ({ subscription_id, display_name }: Subscription): Omit<AuditEntry, "action"> => ({
  entity: "WEBHOOK_SUBSCRIPTION",
  entityId: 0,
  details: { subscription_id, display_name },
});

/** Notifies the sender of a subscription, when the transaction commits, that the subscription has changed. */
export async function notifySenders(tx: Effects, subscriptionId: string): Promise<void> {
  await tx.run("select pg_notify($1, $2)", [CHANGES, subscriptionId]);
}

/**
 * Pauses a subscription with too many deliveries that wait or were given up (docs/interface.md, Webhooks); true if it
 * did.
 */
export async function pauseAtCeiling(tx: Tx, subscription: Subscription): Promise<boolean> {
  const { subscription_id, pending_ceiling, dlq_ceiling } = subscription;
  const counts = await tx.row(
    { live: int, dlq: int },
    `select (select count(*) from webhook_deliveries
             where subscription_id = $1 and status in ('pending', 'in_flight')) as live,
            (select count(*) from webhook_deliveries where subscription_id = $1 and status = 'dlq') as dlq`,
    [subscription_id],
  );
  const { live = 0, dlq = 0 } = counts ?? {};
  if (live >= pending_ceiling) await pause(tx, subscription, "pending_ceiling");
  else if (dlq >= dlq_ceiling) await pause(tx, subscription, "dlq_ceiling");
  else return false;
  return true;
}

/** Pauses a subscription whose stored filter is malformed: no event is better than a wrong one. */
export function pauseMalformed(subscriptionId: string, version: string): Promise<void> {
  const by = systemActor(`webhook-malformed:${subscriptionId}:${version}`);
  return command("webhooks.pauseMalformed", by, { subscriptionId }, async (tx) => {
    const subscription = await lockSubscription(tx, subscriptionId);
    if (subscription?.status === "active" && subscription.updated_at === version)
      await pause(tx, subscription, "malformed_filter");
  });
}

async function pause(
  tx: Tx,
  { subscription_id, display_name }: Subscription,
  pause_reason: "pending_ceiling" | "dlq_ceiling" | "malformed_filter",
): Promise<void> {
  await tx.run(
    `update webhook_subscriptions set status = 'paused', pause_reason = $2, updated_at = clock_timestamp()
      where subscription_id = $1`,
    [subscription_id, pause_reason],
  );
  tx.audit({
    action: "WEBHOOK_SUBSCRIPTION_AUTO_PAUSE",
    entity: "WEBHOOK_SUBSCRIPTION",
    entityId: 0,
    details: { subscription_id, display_name, pause_reason },
  });
}
