import { db, type Sql } from "../../src/db.js";

/** Where the events of a subscription go, as its sender reads it. */
export interface SendingSubscription {
  subscription_id: string;
  status: "active" | "paused" | "revoked";
  delivery_url: string;
  subscription_filter: unknown;
  rate_limit_per_second: number;
  /** Every change of the subscription, its secrets included, sets this: a sender acts on what it read only as long as it stands. */
  updated_at: string;
  /** Sealed, the newest first; the one before only as long as it holds. */
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

/** What may stop a subscription, held by whoever changes its deliveries. */
export interface LockedSubscription {
  subscription_id: string;
  display_name: string;
  status: "active" | "paused" | "revoked";
  pending_ceiling: number;
  dlq_ceiling: number;
  updated_at: string;
}

/** Whoever changes a subscription or its deliveries locks it first. */
export const lockSubscription = (tx: Sql, subscriptionId: string) =>
  tx.row<LockedSubscription>(
    `select subscription_id, display_name, status, pending_ceiling, dlq_ceiling, updated_at
     from webhook_subscriptions where subscription_id = $1 for update`,
    [subscriptionId],
  );
