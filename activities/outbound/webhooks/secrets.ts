import type { Actor } from "../../../src/actor.js";
import { CannotRotateRevoked } from "../../../src/outbound/webhooks/problems.js";
import { command } from "../../command.js";
import { notifySenders } from "./changed.js";
import { lockVisibleSubscription } from "./subscription.js";
import { entry } from "./subscriptions.js";

/** Gives a subscription a new secret; the one before holds for another 24 hours (spec 6.3). */
export function rotateSecret(subscription_id: string, sealed: string, by: Actor) {
  const input = { subscription_id, sealed };
  return command("webhooks.rotateSecret", by, input, async (tx) => {
    const subscription = await lockVisibleSubscription(tx, subscription_id, by);
    if (subscription.status === "revoked") throw CannotRotateRevoked();
    await Promise.all([
      tx.run("delete from webhook_secrets where subscription_id = $1 and generation = 2", [subscription_id]),
      tx.run(
        `update webhook_secrets set generation = 2, expires_at = now() + interval '24 hours'
         where subscription_id = $1 and generation = 1`,
        [subscription_id],
      ),
      tx.run("insert into webhook_secrets (subscription_id, generation, secret_ciphertext) values ($1, 1, $2)", [
        subscription_id,
        sealed,
      ]),
      tx.run("update webhook_subscriptions set updated_at = clock_timestamp() where subscription_id = $1", [
        subscription_id,
      ]),
    ]);
    tx.audit({ ...entry(subscription), action: "WEBHOOK_SECRET_ROTATE" });
    await notifySenders(tx, subscription_id);
    return { subscription_id, sealed, secret_generation: 1 as const };
  });
}
