import { MAX_ATTEMPTS } from "../../../../src/outbound/retry.js";
import type { Subscription } from "../../../../src/outbound/webhooks/queries.js";
import { systemActor } from "../../../../src/platform/system-actor.js";
import { command } from "../../../command.js";
import { lockSubscription } from "../subscription.js";
import type { Delivery } from "./claim.js";
import { pauseAtCeiling } from "./pause.js";
import { type Ended, settle } from "./settle.js";

/** The consequences of a failed attempt. */
export interface Failed {
  /** Whether it was the last attempt: the event was given up. */
  given_up: boolean;
  status: Subscription["status"];
}

/**
 * Stores a failed attempt, with the results that its sender had before: the next attempt is scheduled, or after the
 * eighth the event is given up; neither where another sender that took over the lock has stored a result. Too many
 * deliveries that wait or were given up pause the subscription (docs/interface.md, Webhooks).
 * @param retryInMs Until the next attempt.
 */
export function failDelivery(
  subscriptionId: string,
  delivery: Delivery,
  { before, failure, unsent }: { before: Ended[]; failure: Ended; unsent: number[] },
  retryInMs: number,
): Promise<Failed> {
  const { delivery_id, first_delivery_id, attempt_number, event_id } = delivery;
  const given_up = attempt_number === MAX_ATTEMPTS;
  const by = systemActor(`webhook-attempt:${delivery_id}`);
  return command("webhooks.fail", by, { delivery_id }, async (tx) => {
    const subscription = await lockSubscription(tx, subscriptionId);
    const [, stored] = await Promise.all([
      settle(tx, subscriptionId, before, unsent),
      settle(tx, subscriptionId, [{ ...failure, status: given_up ? "dlq" : "failed" }], []),
    ]);
    if (!subscription || subscription.status === "revoked") return { given_up, status: "revoked" as const };
    if (stored > 0 && !given_up)
      await tx.run(
        `insert into webhook_deliveries (subscription_id, event_id, attempt_number, first_delivery_id, scheduled_at)
         values ($1, $2, $3, $4, now() + $5 * interval '1 millisecond')`,
        [subscriptionId, event_id, attempt_number + 1, first_delivery_id, retryInMs],
      );
    if (subscription.status === "active" && (await pauseAtCeiling(tx, subscription)))
      return { given_up, status: "paused" as const };
    return { given_up, status: subscription.status };
  });
}
