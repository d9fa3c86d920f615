import type { Subscription } from "../../../../src/outbound/webhooks/queries.js";
import { systemActor } from "../../../../src/platform/system-actor.js";
import { command, type Tx } from "../../../command.js";
import { lockSubscription } from "../subscription.js";

/**
 * Pauses a subscription with too many deliveries that wait or were given up (docs/interface.md, Webhooks); true if it
 * did.
 */
export async function pauseAtCeiling(tx: Tx, subscription: Subscription): Promise<boolean> {
  const { subscription_id, pending_ceiling, dlq_ceiling } = subscription;
  const counts = await tx.row<{ live: number; dlq: number }>(
    `select (select count(*) from webhook_deliveries
             where subscription_id = $1 and status in ('pending', 'in_flight')) as live,
            (select count(*) from webhook_deliveries where subscription_id = $1 and status = 'dlq') as dlq`,
    [subscription_id],
  );
  const { live = 0, dlq = 0 } = counts ?? {};
  if (live >= pending_ceiling) await pause(tx, subscription, "pending_ceiling");
  else if (dlq >= dlq_ceiling) await pause(tx, subscription, "dlq_ceiling");
  else return false;
  return true;
}

/** Pauses a subscription whose stored filter is malformed: no event is better than a wrong one. */
export function pauseMalformed(subscriptionId: string, version: string): Promise<void> {
  const by = systemActor(`webhook-malformed:${subscriptionId}:${version}`);
  return command("webhooks.pauseMalformed", by, { subscriptionId }, async (tx) => {
    const subscription = await lockSubscription(tx, subscriptionId);
    if (subscription?.status === "active" && subscription.updated_at === version)
      await pause(tx, subscription, "malformed_filter");
  });
}

async function pause(
  tx: Tx,
  { subscription_id, display_name }: Subscription,
  pause_reason: "pending_ceiling" | "dlq_ceiling" | "malformed_filter",
): Promise<void> {
  await tx.run(
    `update webhook_subscriptions set status = 'paused', pause_reason = $2, updated_at = clock_timestamp()
      where subscription_id = $1`,
    [subscription_id, pause_reason],
  );
  tx.audit({
    action: "WEBHOOK_SUBSCRIPTION_AUTO_PAUSE",
    entity: "WEBHOOK_SUBSCRIPTION",
    entityId: 0,
    details: { subscription_id, display_name, pause_reason },
  });
}
