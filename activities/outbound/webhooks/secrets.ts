import { CannotRotateRevoked } from "../../../src/outbound/webhooks/problems.js";
import type { Actor } from "../../../src/platform/actor.js";
import { command } from "../../command.js";
import { storeNewSecret, webhookSecrets } from "../secret-tables.js";
import { entry, lockVisibleSubscription, notifySenders } from "./subscription.js";

/** Gives a subscription a new secret; the one before holds for another 24 hours (docs/interface.md, Webhooks). */
export function rotateSecret(subscription_id: string, sealed: string, by: Actor) {
  const input = { subscription_id, sealed };
  return command("webhooks.rotateSecret", by, input, async (tx) => {
    const subscription = await lockVisibleSubscription(tx, subscription_id, by);
    if (subscription.status === "revoked") throw CannotRotateRevoked();
    const demoted_secret_expires_at = await storeNewSecret(tx, webhookSecrets, subscription_id, sealed);
    const { details, ...of } = entry(subscription);
    tx.audit({ ...of, action: "WEBHOOK_SECRET_ROTATE", details: { ...details, demoted_secret_expires_at } });
    await notifySenders(tx, subscription_id);
    return { subscription_id, sealed, secret_generation: 1 as const };
  });
}
