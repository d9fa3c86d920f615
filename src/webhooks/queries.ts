import { db, type Sql } from "../db.js";
import type { WebhookSubscriptionStatus } from "../states.js";

export type PauseReason =
  | "manual"
  | "pending_ceiling"
  | "dlq_ceiling"
  | "malformed_filter";

/** A subscription without its figures, and never with its secrets (reference 05 §1). */
export interface Subscription {
  subscription_id: string;
  connector_id: string;
  display_name: string;
  delivery_url: string;
  /** As it is stored, which may be malformed. */
  subscription_filter: unknown;
  status: WebhookSubscriptionStatus;
  pause_reason: PauseReason | null;
  rate_limit_per_second: number;
  pending_ceiling: number;
  dlq_ceiling: number;
  last_delivered_event_id: number;
  created_at: string;
  updated_at: string;
}

export interface SubscriptionRecord extends Subscription {
  stats: {
    attempts_24h: number;
    succeeded_24h: number;
    failed_24h: number;
    dlq_24h: number;
    success_rate_24h: number | null;
    pending_count: number;
  };
}

/** The columns of `webhook_subscriptions s` that make a subscription. */
export const SUBSCRIPTION = `s.subscription_id, s.connector_id, s.display_name, s.delivery_url, s.subscription_filter, s.status,
  s.pause_reason, s.rate_limit_per_second, s.pending_ceiling, s.dlq_ceiling, s.last_delivered_event_id, s.created_at,
  s.updated_at`;

/**
 * Which subscriptions `s` somebody may see and change: those whose filter keeps them to own warehouses. One that names no warehouse
 * gets the events of all. A null is for all.
 */
export const WITHIN =
  "($1::int[] is null or s.subscription_filter->'warehouse_ids' <@ to_jsonb($1::int[]))";

/**
 * All subscriptions that the keeper may see, or the one of them, newest first; not paged, revoked ones too. What ended is counted by
 * ten minutes, so the last day is that much more or less.
 */
export async function subscriptions(
  sql: Sql,
  scope: number[] | null,
  subscriptionId: string | null = null,
): Promise<SubscriptionRecord[]> {
  const found = await sql.rows<Subscription & Figures>(
    `select ${SUBSCRIPTION}, ended.*, pending.*
     from webhook_subscriptions s
       cross join lateral (
         select coalesce(sum(succeeded), 0)::int as succeeded_24h, coalesce(sum(failed), 0)::int as failed_24h,
                coalesce(sum(dlq), 0)::int as dlq_24h
         from webhook_delivery_counts c where c.subscription_id = s.subscription_id and slot > now() - interval '24 hours') as ended
       cross join lateral (
         select count(*) as pending_count from webhook_deliveries d
         where d.subscription_id = s.subscription_id and d.status = 'pending') as pending
     where ${WITHIN} and ($2::uuid is null or s.subscription_id = $2)
     order by s.created_at desc, s.subscription_id`,
    [scope, subscriptionId],
  );
  return found.map(
    ({
      succeeded_24h,
      failed_24h,
      dlq_24h,
      pending_count,
      ...subscription
    }) => {
      const attempts_24h = succeeded_24h + failed_24h + dlq_24h;
      const success_rate_24h = successRate(succeeded_24h, attempts_24h);
      const ended = { attempts_24h, succeeded_24h, failed_24h, dlq_24h };
      const stats = { ...ended, success_rate_24h, pending_count };
      return { ...subscription, stats };
    },
  );
}

type Figures = Pick<
  SubscriptionRecord["stats"],
  "succeeded_24h" | "failed_24h" | "dlq_24h" | "pending_count"
>;

/** From 0 to 1; null when nothing was attempted. */
export const successRate = (succeeded: number, attempts: number) =>
  attempts === 0 ? null : succeeded / attempts;

/** Whether there is such a subscription that the keeper may see. */
export async function isThere(
  scope: number[] | null,
  subscriptionId: string,
): Promise<boolean> {
  const found = await db.row(
    `select from webhook_subscriptions s where ${WITHIN} and s.subscription_id = $2`,
    [scope, subscriptionId],
  );
  return found !== undefined;
}

/** What has a process as long as it is active. */
export async function activeSubscriptionIds(): Promise<string[]> {
  const rows = await db.rows<{ subscription_id: string }>(
    "select subscription_id from webhook_subscriptions where status = 'active'",
  );
  return rows.map(({ subscription_id }) => subscription_id);
}
