import type { Config } from "../../../src/platform/config/config.js";
import { int } from "../../../src/platform/db/columns.js";
import { transaction } from "../../../src/platform/db/db.js";

export type HealthThresholds = Pick<
  Config<"worker">,
  "dispatcherHealthStalledS" | "dispatcherHealthDlqGrowth" | "dispatcherHealthLagEvents"
>;

/**
 * The job `webhook-health`: looks at the state of all webhooks and tells the destinations that ask for it, and the
 * contacts of the partners, once when a condition begins; after it was over it may be told again. Gives how many
 * conditions began and ended.
 */
export function checkWebhookHealth(thresholds: HealthThresholds): Promise<{ begun: number; ended: number }> {
  return transaction(async (tx) => {
    await tx.run("select pg_advisory_xact_lock(hashtext('webhook-health'))");
    const done = await tx.row({ begun: int, ended: int }, CHECK, [
      thresholds.dispatcherHealthStalledS,
      thresholds.dispatcherHealthDlqGrowth,
      thresholds.dispatcherHealthLagEvents,
    ]);
    return done as { begun: number; ended: number };
  });
}

/** So much of a ceiling is told, before it pauses the webhook. */
const NEAR = 0.8;

/**
 * Paused by a person is no condition: somebody knows; the partner, where it has a contact, does not. A stalled delivery
 * is one that was tried in vain before: what only waits behind many others is not stalled.
 */
const CHECK = `
  with found as materialized (
    select subscription_id, 'dispatcher.subscription_paused' as notice,
           jsonb_build_object('pause_reason', pause_reason) as facts, pause_reason <> 'manual' as for_all
    from webhook_subscriptions
    where status = 'paused' and (pause_reason <> 'manual' or contact_webhook_id is not null)
    union all
    select subscription_id, 'dispatcher.ceiling_near',
           jsonb_build_object('waiting', waiting, 'given_up', given_up, 'pending_ceiling', pending_ceiling,
                              'dlq_ceiling', dlq_ceiling), true
    from webhook_subscriptions s
      cross join lateral (select count(*) as waiting from webhook_deliveries d
                          where d.subscription_id = s.subscription_id and d.status in ('pending', 'in_flight')) waits
      cross join lateral (select count(*) as given_up from webhook_deliveries d
                          where d.subscription_id = s.subscription_id and d.status = 'dlq') dead
    where s.status = 'active' and (waiting >= ${NEAR} * pending_ceiling or given_up >= ${NEAR} * dlq_ceiling)
    union all
    select s.subscription_id, 'dispatcher.delivery_stalled',
           jsonb_build_object('failing_since',
             to_char(tried.attempted_at at time zone 'UTC', 'YYYY-MM-DD HH24:MI "UTC"')), true
    from webhook_subscriptions s cross join lateral (
      select d.attempt_number, d.first_delivery_id from webhook_deliveries d
      where d.subscription_id = s.subscription_id and d.status in ('pending', 'in_flight')
      order by coalesce(d.first_delivery_id, d.delivery_id) limit 1) head
      join webhook_deliveries tried on tried.delivery_id = head.first_delivery_id
    where s.status = 'active' and tried.attempted_at < now() - make_interval(secs => $1)
    union all
    select subscription_id, 'dispatcher.dlq_growth', jsonb_build_object('dead_letters', sum(dlq)), true
    from webhook_delivery_counts join webhook_subscriptions s using (subscription_id)
    where slot > now() - interval '1 hour' and s.status <> 'revoked'
    group by subscription_id having sum(dlq) >= $2
    union all
    select s.subscription_id, 'dispatcher.subscription_lagging', jsonb_build_object('events_behind', behind), true
    from webhook_subscriptions s, sequencer_state q,
         lateral (select q.last_no - greatest(s.scanned_event_id, s.last_delivered_event_id) as behind) lag
    where q.name = 'events' and s.status = 'active' and behind >= $3
  ), ended as (
    delete from webhook_conditions c
    where not exists (select from found f where f.subscription_id = c.subscription_id and f.notice = c.notice)
    returning 1
  ), begun as (
    insert into webhook_conditions (subscription_id, notice) select subscription_id, notice from found
    on conflict do nothing
    returning subscription_id, notice
  ), written as (
    insert into notifications (webhook_id, event_type, facts, occurred_at)
    select d.webhook_id, notice, f.facts || jsonb_build_object('display_name', s.display_name), now()
    from begun join found f using (subscription_id, notice) join webhook_subscriptions s using (subscription_id)
      join notification_webhooks d on d.enabled
        and (d.webhook_id = s.contact_webhook_id or f.for_all and notice = any(d.event_filter))
    order by subscription_id, notice, d.webhook_id
  )
  select (select count(*)::int from begun) as begun, (select count(*)::int from ended) as ended`;
