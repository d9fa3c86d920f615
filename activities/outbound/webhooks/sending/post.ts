import { keyedSemaphore } from "../../../../src/concurrency/semaphore.js";
import type { Envelope } from "../../../../src/outbound/events/envelope.js";
import { selects } from "../../../../src/outbound/webhooks/filter.js";
import { bodyOf } from "../../../../src/outbound/webhooks/wire/body.js";
import type { Wire } from "../../../../src/outbound/webhooks/wire/send.js";
import { headersOf } from "../../../../src/outbound/webhooks/wire/sign.js";
import type { Delivery } from "./claim.js";
import type { Destination } from "./destination.js";
import type { Ended } from "./settle.js";

/** Makes one attempt of a delivery. */
export type Post = (delivery: Wanted, to: Destination, signal: AbortSignal) => Promise<Ended>;

type Wanted = Delivery & { event: Envelope };

/**
 * Makes attempts, at most `maxPerHost` at a time to one host: where many subscriptions lead to a slow one, only they
 * wait for each other.
 */
export function poster(wire: Wire, maxPerHost: number): Post {
  const inFlight = keyedSemaphore<string>(maxPerHost);
  return ({ delivery_id, event }, { subscription_id, url, secrets }, signal) =>
    inFlight(new URL(url).host, async () => {
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

/** Whether its event exists, and the filter selects it: that may have changed since the delivery was written. */
export const isWanted = (delivery: Delivery, { filter }: Destination): delivery is Wanted =>
  delivery.event !== null && selects(filter, delivery.event);

/** The result of a delivery that is not wanted: it failed without an attempt. */
export function dropped({ delivery_id, event }: Delivery): Ended {
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
    error_detail: event ? "The filter does not select the event any more" : "The event is gone",
    secret_generation: null,
  };
}
