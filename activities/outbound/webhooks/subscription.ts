import { CHANGES } from "../../../src/outbound/locks.js";
import { SubscriptionNotFound } from "../../../src/outbound/webhooks/problems.js";
import { SUBSCRIPTION, type Subscription, WITHIN } from "../../../src/outbound/webhooks/queries.js";
import { type Actor, scopeOf } from "../../../src/platform/actor.js";
import { db, type Sql } from "../../../src/platform/db/db.js";
import type { AuditEntry } from "../../command.js";

/** A subscription as its sender reads it. */
export interface SendingSubscription {
  subscription_id: string;
  status: "active" | "paused" | "revoked";
  delivery_url: string;
  subscription_filter: unknown;
  rate_limit_per_second: number;
  /** Set by every change, of the secrets too: a sender uses what it has read as long as this is the same. */
  updated_at: string;
  /** Sealed, the newest first; the previous one until it expires. */
  secrets: { generation: 1 | 2; sealed: string }[];
}

export const readSubscription = (subscriptionId: string) =>
  db.row<SendingSubscription>(
    `select subscription_id, status, delivery_url, subscription_filter, rate_limit_per_second, updated_at,
            (select coalesce(json_agg(json_build_object('generation', generation, 'sealed', secret_ciphertext)
                                      order by generation), '[]')
             from webhook_secrets k
             where k.subscription_id = s.subscription_id and (expires_at is null or expires_at > now())) as secrets
     from webhook_subscriptions s where subscription_id = $1`,
    [subscriptionId],
  );

/**
 * Locks a subscription, which is done before any change of it, its secrets or its deliveries; undefined when there is
 * none in the scope.
 */
export const lockSubscription = (tx: Sql, subscriptionId: string, scope: number[] | null = null) =>
  tx.row<Subscription>(
    `select ${SUBSCRIPTION} from webhook_subscriptions s where ${WITHIN} and s.subscription_id = $2 for update`,
    [scope, subscriptionId],
  );

/** The same for a user; 404 when there is none that the user may see. */
export async function lockVisibleSubscription(tx: Sql, subscriptionId: string, by: Actor): Promise<Subscription> {
  const found = await lockSubscription(tx, subscriptionId, scopeOf(by));
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
export async function notifySenders(tx: Sql, subscriptionId: string): Promise<void> {
  await tx.run("select pg_notify($1, $2)", [CHANGES, subscriptionId]);
}
