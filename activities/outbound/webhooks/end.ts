import { canonicalUrl } from "../../../src/outbound/webhooks/canonical-url.js";
import { LiveDeliveries } from "../../../src/outbound/webhooks/problems.js";
import type { Actor } from "../../../src/platform/actor.js";
import { int } from "../../../src/platform/db/columns.js";
import { mayBecome, webhookSubscriptionStates } from "../../../src/platform/states.js";
import { command } from "../../command.js";
import { entry, lockVisibleSubscription, notifySenders } from "./subscription.js";

/** The error of deliveries that are not sent because their subscription was revoked. */
export const REVOKED = "The subscription was revoked";

/** Revokes a subscription for good. Waiting deliveries are never sent; attempts that are under way are completed. */
export function revokeSubscription(subscription_id: string, by: Actor) {
  return command("webhooks.revoke", by, { subscription_id }, async (tx) => {
    const subscription = await lockVisibleSubscription(tx, subscription_id, by);
    await tx.run(
      `update webhook_deliveries
       set status = 'failed', completed_at = now(), error_kind = 'unknown', error_detail = $2
       where subscription_id = $1 and status = 'pending'`,
      [subscription_id, REVOKED],
    );
    if (mayBecome(webhookSubscriptionStates, subscription.status, "revoked")) {
      await tx.run(
        `update webhook_subscriptions set status = 'revoked', pause_reason = null, updated_at = clock_timestamp()
         where subscription_id = $1`,
        [subscription_id],
      );
      tx.audit({
        ...entry(subscription),
        action: "WEBHOOK_SUBSCRIPTION_DELETE_SOFT",
      });
      await notifySenders(tx, subscription_id);
    }
    return { subscription_id, purged: false, status: "revoked" } as const;
  });
}

/** Deletes a subscription with its secrets and deliveries; a tombstone keeps its URL. */
export function purgeSubscription(subscription_id: string, by: Actor) {
  return command("webhooks.purge", by, { subscription_id }, async (tx) => {
    const subscription = await lockVisibleSubscription(tx, subscription_id, by);
    const live = await tx.row(
      { count: int },
      "select count(*) from webhook_deliveries where subscription_id = $1 and status in ('pending', 'in_flight')",
      [subscription_id],
    );
    const live_count = live?.count as number;
    if (live_count > 0)
      throw LiveDeliveries(
        {},
        {
          live_count,
          detail: "Delete it without purge first, and purge it when they ended",
        },
      );
    const { connector_id, delivery_url } = subscription;
    const [deliveries_purged, , tombstone] = await Promise.all([
      tx.run("delete from webhook_deliveries where subscription_id = $1", [subscription_id]),
      tx.run("delete from webhook_subscriptions where subscription_id = $1", [subscription_id]),
      tx.row(
        { tombstone_id: int },
        `insert into webhook_subscriptions_tombstones
           (subscription_id, delivery_url_at_delete, delivery_url_canonical, connector_id, deleted_by)
         values ($1, $2, $3, $4, $5) returning tombstone_id`,
        [subscription_id, delivery_url, canonicalUrl(delivery_url), connector_id, by.userId],
      ),
    ]);
    const tombstone_id = tombstone?.tombstone_id as number;
    const { details, ...of } = entry(subscription);
    tx.audit({
      ...of,
      action: "WEBHOOK_SUBSCRIPTION_DELETE_HARD",
      details: {
        ...{ ...details, connector_id, delivery_url, tombstone_id },
        ...{ status_before: subscription.status, deliveries_purged },
      },
    });
    await notifySenders(tx, subscription_id);
    return { subscription_id, purged: true as const, tombstone_id };
  });
}
