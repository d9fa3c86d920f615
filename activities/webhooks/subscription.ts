import { db, type Sql } from "../../src/db.js";

/** A subscription as its sender knows it. */
export interface SendingSubscription {
  subscription_id: string;
  display_name: string;
  status: "active" | "paused" | "revoked";
  delivery_url: string;
  subscription_filter: unknown;
  rate_limit_per_second: number;
  last_delivered_event_id: number;
  scanned_event_id: number;
  pending_ceiling: number;
  dlq_ceiling: number;
  /** Every change of the subscription, its secrets included, sets this: a sender acts on what it read only as long as it stands. */
  updated_at: string;
  /** Sealed, the newest first; the one before only as long as it holds. */
  secrets: { generation: 1 | 2; sealed: string }[];
}

const SUBSCRIPTION = `select s.subscription_id, display_name, status, delivery_url, subscription_filter, rate_limit_per_second,
    last_delivered_event_id, scanned_event_id, pending_ceiling, dlq_ceiling, updated_at,
    (select coalesce(json_agg(json_build_object('generation', generation, 'sealed', secret_ciphertext)
                              order by generation), '[]')
     from webhook_secrets k
     where k.subscription_id = s.subscription_id and (expires_at is null or expires_at > now())) as secrets
  from webhook_subscriptions s where s.subscription_id = $1`;

export const readSubscription = (subscriptionId: string) =>
  db.row<SendingSubscription>(SUBSCRIPTION, [subscriptionId]);

/** Whoever changes a subscription or its deliveries locks it first. */
export const lockSubscription = (tx: Sql, subscriptionId: string) =>
  tx.row<SendingSubscription>(`${SUBSCRIPTION} for update of s`, [
    subscriptionId,
  ]);
