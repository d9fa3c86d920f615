import { lockKey } from "../../src/outbound/sending.js";
import { bool, text } from "../../src/platform/db/columns.js";
import { db, transaction } from "../../src/platform/db/db.js";
import {
  forgetReplaced,
  lockSubscription,
  notifySenders,
  type Receivers,
  webhookReceivers,
} from "../outbound/receivers.js";
import { clearScans } from "../outbound/snapshot.js";
import { REVOKED } from "../outbound/webhooks/subscriptions.js";
import { hygieneRun } from "./hygiene-run.js";

/**
 * Cleanup jobs of webhooks, channels and snapshot scans (docs/interface.md, Webhooks); each run leaves a row in
 * `hygiene_runs`.
 */

const BATCH = 5_000;

/** Deletes deliveries that ended 90 days ago (docs/interface.md, Limits), and counts that nobody reads any more. */
export const clearDeliveries = async (): Promise<number> => {
  await db.run("delete from webhook_delivery_counts where slot < now() - interval '2 days'");
  return hygieneRun(
    "webhook_deliveries",
    () =>
      db.run(
        `delete from webhook_deliveries where delivery_id = any(array(
           select delivery_id from webhook_deliveries where completed_at < now() - interval '90 days'
           order by completed_at limit $1))`,
        [BATCH],
      ),
    BATCH,
  );
};

/** Deletes messages to notification destinations that ended 90 days ago. */
export const clearNotifications = (): Promise<number> =>
  hygieneRun(
    "notifications",
    () =>
      db.run(
        `delete from notifications where notification_id = any(array(
           select notification_id from notifications where completed_at < now() - interval '90 days'
           order by completed_at limit $1))`,
        [BATCH],
      ),
    BATCH,
  );

/** Deletes secrets that were replaced 24 hours ago, and the signing keys of webhooks that were replaced with them. */
export const clearSecrets = (table: Receivers): Promise<number> =>
  hygieneRun(table.secrets, async () => {
    const forgotten = await forgetReplaced(table);
    if (table === webhookReceivers) await db.run("delete from webhook_keys where expires_at <= now()");
    return forgotten;
  });

/** Deletes what revoked channels were told. */
export const clearChannelItems = (): Promise<number> =>
  hygieneRun(
    "channel_items",
    () =>
      db.run(
        `delete from channel_items where (channel_id, sku) = any(array(
           select (channel_id, sku) from channel_items join channels using (channel_id)
           where status = 'revoked' limit $1))`,
        [BATCH],
      ),
    BATCH,
  );

/** Ends scans of the inventory that were abandoned. */
export const clearSnapshots = (): Promise<number> => hygieneRun("snapshot_scans", clearScans);

/**
 * Makes deliveries due again that a sender claimed long ago and, since no sender works for the subscription now, never
 * finished.
 */
export const reclaimDeliveries = (olderThanS: number): Promise<number> =>
  hygieneRun("webhook_in_flight", async () => {
    const ids = await db.rows(
      { subscription_id: text },
      `select distinct d.subscription_id from webhook_deliveries d join webhook_subscriptions s using (subscription_id)
       where d.status in ('pending', 'in_flight') and (s.status = 'revoked' or ${isStuck("$1")})`,
      [olderThanS],
    );
    let total = 0;
    for (const { subscription_id } of ids) total += await reclaim(subscription_id, olderThanS);
    return total;
  });

const isStuck = (olderThanS: string) =>
  `(d.status = 'in_flight' and coalesce(d.attempted_at, d.created_at) < now() - make_interval(secs =>
    ${olderThanS}::int))`;

/** A working sender holds the subscription's advisory lock; then the rows that it claimed are left alone. */
function reclaim(subscriptionId: string, olderThanS: number): Promise<number> {
  return transaction(async (tx) => {
    const lock = await tx.row({ got: bool }, `select pg_try_advisory_xact_lock(${lockKey("webhook", "$1")}) as got`, [
      subscriptionId,
    ]);
    if (!lock?.got) return 0;
    await lockSubscription(tx, subscriptionId);
    const changed = await tx.run(
      `update webhook_deliveries d
       set status = case when s.status = 'revoked' then 'failed' else 'pending' end,
           completed_at = case when s.status = 'revoked' then now() end,
           error_kind = case when s.status = 'revoked' then 'unknown' end,
           error_detail = case when s.status = 'revoked' then $3 end,
           attempted_at = case when s.status = 'revoked' then d.attempted_at end
       from webhook_subscriptions s
       where s.subscription_id = $1 and d.subscription_id = $1 and d.status in ('pending', 'in_flight')
         and (s.status = 'revoked' or ${isStuck("$2")})`,
      [subscriptionId, olderThanS, REVOKED],
    );
    if (changed > 0) await notifySenders(tx, webhookReceivers, subscriptionId);
    return changed;
  });
}
