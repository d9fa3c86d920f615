import { semaphore } from "../../../../src/concurrency/semaphore.js";
import type { Envelope } from "../../../../src/outbound/events/envelope.js";
import { bodyOf } from "../../../../src/outbound/webhooks/wire/body.js";
import type { Wire } from "../../../../src/outbound/webhooks/wire/send.js";
import { headersOf } from "../../../../src/outbound/webhooks/wire/sign.js";
import type { Delivery } from "../claim.js";
import type { Ended } from "../settle.js";
import type { Destination } from "./destination.js";

/** Makes one attempt of a delivery. */
export type Post = (delivery: Delivery & { event: Envelope }, to: Destination, signal: AbortSignal) => Promise<Ended>;

/** Makes attempts, at most `maxConcurrent` at a time over all subscriptions of a worker. */
export function poster(wire: Wire, maxConcurrent: number): Post {
  const inFlight = semaphore(maxConcurrent);
  return ({ delivery_id, event }, { subscription_id, url, secrets }, signal) =>
    inFlight(async () => {
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

export const hasEvent = (delivery: Delivery): delivery is Delivery & { event: Envelope } => delivery.event !== null;

/** The result of a delivery whose event no longer exists: it failed without an attempt. */
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
