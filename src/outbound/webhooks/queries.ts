import { z } from "zod";
import { type Actor, visibleWarehouses } from "../../platform/actor.js";
import { int } from "../../platform/db/columns.js";
import { db, type Sql } from "../../platform/db/db.js";
import { StuckDelivery } from "../sending.js";
import { keyFields, ShownKeys } from "./key-shapes.js";
import { WebhookSubscription } from "./shapes.js";

export type PauseReason = NonNullable<WebhookSubscription["pause_reason"]>;

/** A subscription without its figures and keys, and never with its secrets (docs/interface.md, Webhooks). */
export const Subscription = WebhookSubscription.omit({
  stats: true,
  signature: true,
  public_keys: true,
  client_tls: true,
  oauth: true,
});
export type Subscription = z.infer<typeof Subscription>;

/** The columns of `webhook_subscriptions s` that make a subscription. */
export const SUBSCRIPTION = `s.subscription_id, s.connector_id, s.display_name, s.delivery_url, s.subscription_filter,
  s.status, s.pause_reason, s.rate_limit_per_second, s.pending_ceiling, s.dlq_ceiling, s.ordering,
  s.payload, s.format, s.batch, s.contact_webhook_id, s.last_delivered_event_id, s.created_at, s.updated_at`;

/** What may be shown of the keys of a subscription `s` that hold. */
export const KEYS_SHOWN = `(select coalesce(json_object_agg(kind, shown), '{}') from webhook_keys k
  where k.subscription_id = s.subscription_id and (expires_at is null or expires_at > now()))`;

/**
 * The subscriptions `s` that a user may see and change: those whose filter has only the user's warehouses. A filter
 * without warehouses selects the events of all. $1 is null for all warehouses.
 */
export const WITHIN = "($1::int[] is null or s.subscription_filter->'warehouse_ids' <@ to_jsonb($1::int[]))";

/** What $1 is for this caller: null for a partner, to whom its connector is the limit. */
export const webhookWarehouses = (by: Pick<Actor, "role" | "warehouseIds" | "connectorId">): number[] | null =>
  by.connectorId === undefined ? visibleWarehouses(by) : null;

/**
 * All subscriptions that the user may see, or one of them, newest first; not paged, revoked ones too. Attempts are
 * counted in slots of ten minutes, so the 24 hours may be up to one slot longer.
 */
export async function subscriptions(
  sql: Sql,
  warehouseIds: number[] | null,
  subscriptionId: string | null = null,
  connectorId: string | null = null,
): Promise<WebhookSubscription[]> {
  const found = await sql.rows(
    { ...Subscription.shape, ...Figures.shape },
    `select ${SUBSCRIPTION}, ${KEYS_SHOWN} as keys, ended.*, pending.*
     from webhook_subscriptions s
       cross join lateral (
         select coalesce(sum(succeeded), 0) as succeeded_24h, coalesce(sum(failed), 0) as failed_24h,
                coalesce(sum(dlq), 0) as dlq_24h
         from webhook_delivery_counts c where c.subscription_id = s.subscription_id
           and slot > now() - interval '24 hours') as ended
       cross join lateral (
         select count(*) as pending_count from webhook_deliveries d
         where d.subscription_id = s.subscription_id and d.status = 'pending') as pending
     where ${WITHIN} and ($2::uuid is null or s.subscription_id = $2) and ($3::text is null or s.connector_id = $3)
     order by s.created_at desc, s.subscription_id`,
    [warehouseIds, subscriptionId, connectorId],
  );
  return found.map(({ succeeded_24h, failed_24h, dlq_24h, pending_count, keys, ...subscription }) => {
    const attempts_24h = succeeded_24h + failed_24h + dlq_24h;
    const success_rate_24h = successRate(succeeded_24h, attempts_24h);
    const ended = { attempts_24h, succeeded_24h, failed_24h, dlq_24h };
    const stats = { ...ended, success_rate_24h, pending_count };
    return { ...subscription, ...keyFields(keys), stats };
  });
}

const Figures = z.strictObject({
  ...{ succeeded_24h: int, failed_24h: int, dlq_24h: int, pending_count: int },
  keys: ShownKeys,
});

/** From 0 to 1; null when nothing was attempted. */
export const successRate = (succeeded: number, attempts: number) => (attempts === 0 ? null : succeeded / attempts);

/** Whether the subscription exists and the user may see it; of a partner, whether it is that of its connector. */
export async function subscriptionExists(
  warehouseIds: number[] | null,
  subscriptionId: string,
  connectorId: string | null = null,
): Promise<boolean> {
  const found = await db.row(
    {},
    `select from webhook_subscriptions s
     where ${WITHIN} and s.subscription_id = $2 and ($3::text is null or s.connector_id = $3)`,
    [warehouseIds, subscriptionId, connectorId],
  );
  return found !== undefined;
}

/** The deliveries `d` of a subscription `s` that wait or are under way, in the order of their first attempts. */
const live = (columns: string) =>
  `select ${columns} from webhook_deliveries d
   where d.subscription_id = s.subscription_id and d.status in ('pending', 'in_flight')
   order by coalesce(d.first_delivery_id, d.delivery_id)`;

/**
 * Whether a subscription `s` can be sent for. In the order of the subscription all others wait for a delivery that was
 * tried before, which its retry workflow sends; a sender that keeps the order of aggregates goes on beside it.
 */
export const CAN_BE_SENT_FOR = `(s.ordering = 'aggregate' or coalesce((${live("d.attempt_number")} limit 1), 1) = 1)`;

const STUCK = live("coalesce(d.first_delivery_id, d.delivery_id) as first_delivery_id, d.event_id, d.attempt_number");

/** The stuck deliveries of all active subscriptions, or those of one, whatever its status; the first one first. */
export const stuckDeliveries = (subscriptionId: string | null = null): Promise<StuckDelivery[]> =>
  db.rows(
    StuckDelivery,
    `select s.subscription_id, stuck.first_delivery_id, stuck.event_id, e.event_type
     from webhook_subscriptions s
       cross join lateral (${STUCK} limit case when s.ordering = 'subscription' then 1 end) stuck
       left join integration_events e on e.event_id = stuck.event_id
     where stuck.attempt_number > 1
       and ($1::uuid is null and s.status = 'active' or s.subscription_id = $1)
     order by stuck.first_delivery_id`,
    [subscriptionId],
  );
