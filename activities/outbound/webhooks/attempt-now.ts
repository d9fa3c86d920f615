import { DeliveryNotFound, DeliveryNotWaiting, WebhookNotActive } from "../../../src/outbound/problems.js";
import type { AttemptedNow, AttemptNow } from "../../../src/outbound/webhooks/delivery-shapes.js";
import { webhookWarehouses } from "../../../src/outbound/webhooks/queries.js";
import type { Actor } from "../../../src/platform/actor.js";
import { bool, int } from "../../../src/platform/db/columns.js";
import { command, type Tx } from "../../command.js";
import { entry, lockVisibleSubscription, notifySenders, webhookReceivers } from "../receivers.js";

const WAITS = "status = 'pending' and scheduled_at > now()";
const Waiting = { waits: bool };
const Due = { delivery_id: int };

/**
 * Has the next attempts of what failed made now, as when the partner's server is back: of one delivery, or of all that
 * wait. They count as the attempts that they were to be, so no event is sent once more. The caller signals what waits.
 */
export function attemptNow(subscription_id: string, asked: AttemptNow, by: Actor): Promise<AttemptedNow> {
  const delivery_id = asked.delivery_id ?? null;
  return command("webhooks.attemptNow", by, { subscription_id, delivery_id }, async (tx) => {
    const subscription = await lockVisibleSubscription(tx, subscription_id, by);
    if (subscription.status !== "active") throw WebhookNotActive();
    if (delivery_id !== null) await refuseUnlessWaiting(tx, subscription_id, delivery_id, by);
    const due = await tx.rows(
      Due,
      `update webhook_deliveries set scheduled_at = now()
       where subscription_id = $1 and ${WAITS} and coalesce(delivery_id = $2, true) returning delivery_id`,
      [subscription_id, delivery_id],
    );
    const attempts = due.length;
    if (attempts > 0) {
      const { details, ...of } = entry(subscription);
      const what = delivery_id === null ? { attempts } : { delivery_id };
      tx.audit({ ...of, action: "WEBHOOK_DELIVERY_ATTEMPT_NOW", details: { ...details, ...what } });
      await notifySenders(tx, webhookReceivers, subscription_id);
    }
    return { subscription_id, attempts };
  });
}

async function refuseUnlessWaiting(tx: Tx, subscriptionId: string, deliveryId: number, by: Actor): Promise<void> {
  const found = await tx.row(
    Waiting,
    `select ${WAITS} as waits from webhook_deliveries d
     where subscription_id = $1 and delivery_id = $2 and ($3::int[] is null or not exists (
       select from integration_events e where e.event_id = d.event_id and e.warehouse_id <> all($3)))`,
    [subscriptionId, deliveryId, webhookWarehouses(by)],
  );
  if (!found) throw DeliveryNotFound();
  if (!found.waits) throw DeliveryNotWaiting();
}
