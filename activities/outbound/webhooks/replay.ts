import { z } from "zod";
import {
  BatchAboveHardCap,
  CannotReplayToRevoked,
  DeliveryElsewhere,
  DeliveryNotFound,
  ReplayAbovePendingCeiling,
  ReplayGloballyThrottled,
  ReplayThrottled,
} from "../../../src/outbound/problems.js";
import type { ReplayFilter } from "../../../src/outbound/webhooks/delivery-shapes.js";
import { type Subscription, WITHIN, webhookWarehouses } from "../../../src/outbound/webhooks/queries.js";
import { matching, ONCE } from "../../../src/outbound/webhooks/replayed.js";
import type { Actor } from "../../../src/platform/actor.js";
import { int, text } from "../../../src/platform/db/columns.js";
import { command, type Tx } from "../../command.js";
import { entry, lockVisibleSubscription, notifySenders, webhookReceivers } from "../receivers.js";

/**
 * Sends the event of a delivery again, as a new delivery; the old row does not change. A USER may only replay events of
 * the user's warehouses: the filter may have had others before.
 */
export function replayDelivery(subscription_id: string, delivery_id: number, by: Actor) {
  const input = { subscription_id, delivery_id };
  return command("webhooks.replay", by, input, async (tx) => {
    const subscription = await lockVisibleSubscription(tx, subscription_id, by);
    if (subscription.status === "revoked") throw CannotReplayToRevoked();
    const original = await tx.row(
      { subscription_id: text, event_id: int },
      `select d.subscription_id, d.event_id from webhook_deliveries d join webhook_subscriptions s
        using (subscription_id)
       where ${WITHIN} and d.delivery_id = $2
         and ($1::int[] is null or not exists (
           select from integration_events e where e.event_id = d.event_id and e.warehouse_id <> all($1)))`,
      [webhookWarehouses(by), delivery_id],
    );
    if (!original) throw DeliveryNotFound();
    // A partner does not hear of deliveries that are not its own.
    if (original.subscription_id !== subscription_id)
      throw by.connectorId === undefined ? DeliveryElsewhere() : DeliveryNotFound();
    const { event_id } = original;
    const replayed = (await tx.row(
      { delivery_id: int },
      "insert into webhook_deliveries (subscription_id, event_id) values ($1, $2) returning delivery_id",
      [subscription_id, event_id],
    )) as { delivery_id: number };
    const ids = { original_delivery_id: delivery_id, replayed_delivery_id: replayed.delivery_id };
    const { details, ...of } = entry(subscription);
    tx.audit({ ...of, action: "WEBHOOK_DELIVERY_REPLAY_SINGLE", details: { ...details, ...ids, event_id } });
    await notifySenders(tx, webhookReceivers, subscription_id);
    return { subscription_id, ...ids };
  });
}

export interface ReplayLimits {
  hardCap: number;
  /** The most batches of all subscriptions within `globalWindowS` seconds. */
  globalBudget: number;
  globalWindowS: number;
}

/** A subscription may have one batch in this many seconds. */
const EVERY_S = 60;
/** Advisory lock: one batch after the other, so that each sees those before it. */
const REPLAY_LOCK = 7_303;

/** Sends the events of matching deliveries again, in their order; refuses batches that are too large. */
export function replayBatch(
  subscription_id: string,
  filter: ReplayFilter,
  acknowledged: boolean,
  limits: ReplayLimits,
  by: Actor,
) {
  const input = { subscription_id, filter, acknowledged };
  return command("webhooks.replayBatch", by, input, async (tx) => {
    await tx.run("select pg_advisory_xact_lock($1)", [REPLAY_LOCK]);
    const subscription = await lockVisibleSubscription(tx, subscription_id, by);
    if (subscription.status === "revoked") throw CannotReplayToRevoked();
    await refuseTooSoon(tx, subscription_id, limits);
    const hardCap = acknowledged ? null : limits.hardCap;
    const impact = await insertMatching(tx, subscription, filter, hardCap, webhookWarehouses(by));
    refuseTooMany(subscription, impact, hardCap);
    const { current_pending, ...counts } = impact;
    const { details, ...of } = entry(subscription);
    tx.later.run("insert into webhook_replays (subscription_id) values ($1)", [subscription_id]);
    tx.audit({
      ...of,
      action: "WEBHOOK_DELIVERY_REPLAY_BATCH",
      details: { ...details, filter, acknowledge_large_replay: acknowledged, ...counts },
    });
    await notifySenders(tx, webhookReceivers, subscription_id);
    const gone = counts.matched_without_event_data;
    return {
      subscription_id,
      ...counts,
      ...(gone > 0 && { detail: `The events of ${gone} of them are gone and cannot be sent again` }),
    };
  });
}

const RefuseTooSoonRow = { wait: int.nullable(), count: int, global_wait: int.nullable() };

/** All batches are counted, also those without any event (docs/interface.md, Webhooks). */
async function refuseTooSoon(
  tx: Tx,
  subscriptionId: string,
  { globalBudget, globalWindowS }: ReplayLimits,
): Promise<void> {
  const before = (await tx.row(
    RefuseTooSoonRow,
    `select ceil($2::int - extract(epoch from statement_timestamp() - max(made_at)
                         filter (where subscription_id = $1)))::int as wait,
            count(*) filter (where made_at > statement_timestamp() - make_interval(secs => $3::int)) as count,
            ceil($3::int - extract(epoch from statement_timestamp() - min(made_at)
                 filter (where made_at > statement_timestamp() - make_interval(secs => $3::int))))::int as global_wait
     from webhook_replays
     where made_at > statement_timestamp() - make_interval(secs => greatest($2::int, $3::int))`,
    [subscriptionId, EVERY_S, globalWindowS],
  )) as { wait: number | null; count: number; global_wait: number | null };
  if (before.wait !== null && before.wait > 0)
    throw ReplayThrottled({}, { seconds_until_retry: before.wait }).after(before.wait);
  if (before.count >= globalBudget)
    throw ReplayGloballyThrottled(
      {},
      {
        global_count: before.count,
        global_budget: globalBudget,
        global_window_s: globalWindowS,
        detail: "Too many batches of all subscriptions; try again later",
      },
    ).after(before.global_wait ?? 1);
}

/** The size of a batch. */
const Impact = z.strictObject({
  impact_count: int,
  replayed_count: int,
  matched_with_event_data: int,
  matched_without_event_data: int,
  /** Open deliveries before the batch. */
  current_pending: int,
});
type Impact = z.infer<typeof Impact>;

/**
 * Counts matching rows, also those whose event is gone, and inserts one delivery for each event unless there are too
 * many rows, which `refuseTooMany` then refuses.
 */
async function insertMatching(
  tx: Tx,
  { subscription_id, pending_ceiling }: Subscription,
  filter: ReplayFilter,
  hardCap: number | null,
  warehouseIds: number[] | null,
): Promise<Impact> {
  const { sql, values } = matching(subscription_id, filter, warehouseIds);
  const impact = await tx.row(
    Impact,
    `with matched as (
       ${sql}
     ), counted as (
       select count(*) as impact_count, count(*) filter (where is_there) as matched_with_event_data,
              count(*) filter (where not is_there) as matched_without_event_data,
              (select count(*) from webhook_deliveries
               where subscription_id = :subscription_id and status in ('pending', 'in_flight')) as current_pending
       from matched
     ), replayed as (
       insert into webhook_deliveries (subscription_id, event_id)
       select :subscription_id, event_id from (${ONCE}) once, counted
       where impact_count <= coalesce(:hardCap::int, impact_count)
         and current_pending + impact_count <= :pending_ceiling::int
       order by event_id returning delivery_id
     )
     select counted.*, (select count(*) from replayed) as replayed_count from counted`,
    { ...values, hardCap, pending_ceiling },
  );
  return impact as Impact;
}

function refuseTooMany(
  { pending_ceiling }: Subscription,
  { impact_count, current_pending }: Impact,
  hard_cap: number | null,
): void {
  if (hard_cap !== null && impact_count > hard_cap)
    throw BatchAboveHardCap(
      {},
      { impact_count, hard_cap, detail: "Narrow the filter, or send acknowledge_large_replay: true" },
    );
  const gap = current_pending + impact_count - pending_ceiling;
  if (gap > 0)
    throw ReplayAbovePendingCeiling(
      {},
      {
        ...{ current_pending, impact_count, pending_ceiling, gap },
        detail: "Narrow the filter, wait, or raise pending_ceiling",
      },
    );
}
