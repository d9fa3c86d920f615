import type { z } from "zod";
import { ttlCache } from "../../platform/concurrency/ttl-cache.js";
import { arrayOf, number } from "../../platform/db/columns.js";
import { db } from "../../platform/db/db.js";
import { WebhookStats, type Window } from "./delivery-shapes.js";
import { successRate } from "./queries.js";

const lengths: Record<Window, string> = { "1h": "1 hour", "6h": "6 hours", "24h": "24 hours", "7d": "7 days" };

const statsCache = ttlCache<WebhookStats>(() => 30_000);

/** How a subscription's deliveries went within a window: at most 30 seconds old (docs/interface.md, Webhooks). */
export function stats(subscriptionId: string, window: Window): Promise<WebhookStats> {
  return statsCache(`${subscriptionId} ${window}`, async () => {
    const found = await db.row(Found, STATS, [subscriptionId, lengths[window]]);
    const { percentiles, ...counts } = found as Found;
    const [p50 = null, p95 = null, p99 = null] = percentiles ?? [];
    const success_rate = successRate(counts.succeeded, counts.attempts_total);
    const response_time_ms = { p50, p95, p99 };
    return { ...counts, window, success_rate, response_time_ms };
  });
}

const Found = WebhookStats.omit({ window: true, success_rate: true, response_time_ms: true }).extend({
  percentiles: arrayOf(number).nullable(),
});
type Found = z.infer<typeof Found>;

/** Attempts that ended within the window, and open deliveries. Each part is read from one index. */
const STATS = `
  select $1::uuid as subscription_id, extract(epoch from now())::bigint as generated_at, ended.*, live.*,
         (select coalesce(json_agg(k), '[]') from (
            select coalesce(error_kind, 'unknown') as kind, count(*) from webhook_deliveries
            where subscription_id = $1 and completed_at > now() - $2::interval and status in ('failed', 'dlq')
            group by 1 order by 2 desc, 1 limit 5) k) as top_error_kinds,
         (select greatest(0, newest.event_id - last_delivered_event_id)
          from webhook_subscriptions, (select coalesce(max(event_id), 0) as event_id from integration_events) newest
          where subscription_id = $1) as current_lag
  from (
    select count(*) as attempts_total, count(*) filter (where status = 'succeeded') as succeeded,
           count(*) filter (where status = 'failed') as failed, count(*) filter (where status = 'dlq') as dlq,
           percentile_cont(array[0.5, 0.95, 0.99]) within group (order by response_time_ms) as percentiles
    from webhook_deliveries where subscription_id = $1 and completed_at > now() - $2::interval
  ) ended, (
    select count(*) filter (where status = 'in_flight') as in_flight, count(*)
      filter (where status = 'pending') as pending
    from webhook_deliveries where subscription_id = $1 and status in ('pending', 'in_flight')
  ) live`;
