import type { Delivery } from "../../activities/webhooks/claim.js";
import type { Ended } from "../../activities/webhooks/settle.js";
import type { Envelope } from "../../src/events/envelope.js";
import { bodyOf } from "../../src/webhooks/wire/body.js";
import type { Wire } from "../../src/webhooks/wire/send.js";
import { headersOf } from "../../src/webhooks/wire/sign.js";
import type { Destination } from "./destination.js";
import { slots } from "./slots.js";

/** Sends deliveries, so many at a time over all subscriptions of a worker. */
export type Post = (
  delivery: Delivery & { event: Envelope },
  to: Destination,
  signal: AbortSignal,
) => Promise<Ended>;

export function poster(wire: Wire, mostAtOnce: number): Post {
  const inTurn = slots(mostAtOnce);
  return ({ delivery_id, event }, { subscription_id, url, secrets }, signal) =>
    inTurn(async () => {
      const now = new Date();
      const body = bodyOf(event);
      const headers = headersOf({
        body,
        eventId: event.event_id,
        eventType: event.event_type,
        messageId: `evt_${subscription_id}_${event.event_id}`,
        timestamp: Math.floor(now.getTime() / 1_000),
        secrets,
      });
      const { ok, ...outcome } = await wire.send({
        url,
        headers,
        body,
        signal,
      });
      return {
        delivery_id,
        status: ok ? "succeeded" : "failed",
        attempted_at: now.toISOString(),
        completed_at: new Date().toISOString(),
        secret_generation: 1,
        ...outcome,
      };
    });
}

export const hasEvent = (
  delivery: Delivery,
): delivery is Delivery & { event: Envelope } => delivery.event !== null;

/** What is noted when the event of a delivery is gone: nothing was sent, and nothing ever will be. */
export function eventGone({ delivery_id }: Delivery): Ended {
  const now = new Date().toISOString();
  return {
    delivery_id,
    status: "failed",
    attempted_at: now,
    completed_at: now,
    http_status: null,
    response_body_hash: null,
    response_time_ms: null,
    error_kind: "unknown",
    error_detail: "The event is gone",
    secret_generation: null,
  };
}
