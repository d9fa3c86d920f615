import { transaction } from "../../../src/db/db.js";
import type { StuckDelivery } from "../../../src/outbound/webhooks/delivery.js";
import { type Delivery, EVENT } from "./claim.js";
import { lockSubscription } from "./subscription.js";

/** A stuck delivery: claimed for its next attempt, or when that is due, or how it ended; empty if the row changed. */
export interface NextAttempt {
  taken?: Delivery;
  waits?: { attempt: number; wait_ms: number };
  ended?: "succeeded" | "dlq" | "failed";
}

interface Row extends Delivery {
  status: "pending" | "in_flight" | "succeeded" | "failed" | "dlq";
  wait_ms: number;
}

/**
 * Claims the newest row of a stuck delivery, if it is due. One that is claimed already is claimed again: the sender
 * that did so has stopped.
 */
export function takeAttempt(
  { subscription_id, first_delivery_id }: StuckDelivery,
  version: string,
): Promise<NextAttempt> {
  return transaction(async (tx) => {
    const subscription = await lockSubscription(tx, subscription_id);
    const row = await tx.row<Row>(
      `select d.delivery_id, $2::bigint as first_delivery_id, d.attempt_number, d.event_id, ${EVENT} as event, d.status,
              greatest(0, ceil(extract(epoch from d.scheduled_at - now()) * 1000))::int as wait_ms
       from webhook_deliveries d
       where d.subscription_id = $1 and (d.delivery_id = $2 or d.first_delivery_id = $2)
       order by d.attempt_number desc limit 1`,
      [subscription_id, first_delivery_id],
    );
    if (!row) return { ended: "failed" };
    const { status, wait_ms, ...delivery } = row;
    if (status !== "pending" && status !== "in_flight") return { ended: status };
    if (wait_ms > 0) return { waits: { attempt: delivery.attempt_number, wait_ms } };
    if (subscription?.updated_at !== version) return {};
    await tx.run("update webhook_deliveries set status = 'in_flight' where delivery_id = $1", [delivery.delivery_id]);
    return { taken: delivery };
  });
}
