import type { GivenUp, StuckDelivery, StuckPartner } from "../../../../src/outbound/webhooks/delivery.js";
import { db } from "../../../../src/platform/db/db.js";
import { systemActor } from "../../../../src/platform/system-actor.js";
import { attributesMissingHere } from "../../../../src/platform/temporal/missing-attributes.js";
import { command } from "../../../command.js";
import { entry, lockSubscription, notifySenders } from "../subscription.js";
import { pauseAtCeiling } from "./pause.js";
import { settle, withoutAttempt } from "./settle.js";

/** What the workflow of a stuck delivery shows of its partner: names, and why the last attempt failed. */
export async function readPartner({ subscription_id, first_delivery_id }: StuckDelivery): Promise<StuckPartner> {
  const found = await db.row<Omit<StuckPartner, "missing_attributes">>(
    `select display_name, connector_id,
            (select concat_ws(' ', error_kind, http_status) from webhook_deliveries d
             where d.subscription_id = s.subscription_id and (delivery_id = $2 or first_delivery_id = $2)
               and error_kind is not null order by attempt_number desc limit 1) as failure
     from webhook_subscriptions s where subscription_id = $1`,
    [subscription_id, first_delivery_id],
  );
  const partner = found ?? { display_name: "a deleted webhook", connector_id: null, failure: null };
  return { ...partner, missing_attributes: attributesMissingHere() };
}

/**
 * Gives up a stuck delivery as the system user, because somebody asked its workflow to be cancelled in the Temporal UI:
 * it is a dead letter, which can be replayed, and the subscription goes on with the next event. Where it had ended
 * before, says how.
 */
export function giveUpDelivery(
  { subscription_id, first_delivery_id, event_id }: StuckDelivery,
  commandId: string,
): Promise<GivenUp> {
  const by = systemActor(commandId);
  return command("webhooks.giveUp", by, { first_delivery_id }, async (tx) => {
    const subscription = await lockSubscription(tx, subscription_id);
    const newest = await tx.row<{ delivery_id: number; status: string }>(
      `select delivery_id, status from webhook_deliveries
       where subscription_id = $1 and (delivery_id = $2 or first_delivery_id = $2)
       order by attempt_number desc limit 1`,
      [subscription_id, first_delivery_id],
    );
    if (!subscription || !newest) return { ended: "failed" };
    const { delivery_id, status } = newest;
    if (status === "succeeded" || status === "dlq" || status === "failed") return { ended: status };
    const cancelled = { delivery_id, ...withoutAttempt("dlq", "Cancelled in the Temporal UI") };
    await settle(tx, subscription_id, [cancelled], []);
    if (subscription.status === "active") await pauseAtCeiling(tx, subscription);
    await tx.run("update webhook_subscriptions set updated_at = clock_timestamp() where subscription_id = $1", [
      subscription_id,
    ]);
    const { details, ...of } = entry(subscription);
    tx.audit({
      ...of,
      action: "WEBHOOK_DELIVERY_GIVE_UP",
      details: { ...details, delivery_id, event_id, reason: "cancelled in the Temporal UI" },
    });
    await notifySenders(tx, subscription_id);
    return { ended: "cancelled" };
  });
}
