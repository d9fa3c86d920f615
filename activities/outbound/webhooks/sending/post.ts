import type { keyedSemaphore } from "../../../../src/concurrency/semaphore.js";
import type { Envelope } from "../../../../src/outbound/events/envelope.js";
import type { TestEvent } from "../../../../src/outbound/webhooks/test-event.js";
import { bodyOf } from "../../../../src/outbound/webhooks/wire/body.js";
import type { Wire } from "../../../../src/outbound/webhooks/wire/send.js";
import { headersOf } from "../../../../src/outbound/webhooks/wire/sign.js";
import type { Delivery } from "./claim.js";
import type { Destination } from "./destination.js";
import type { Ended } from "./settle.js";

/** Something to send, and its id, which is the same whenever it is sent. */
interface Message {
  messageId: string;
  event: Envelope | TestEvent;
}

/** Makes one attempt to send something. */
export type Post = (
  message: Message,
  to: Pick<Destination, "url" | "secrets">,
  signal?: AbortSignal,
) => Promise<Omit<Ended, "delivery_id">>;

/** Runs so much at a time for each host. */
export type PerHost = ReturnType<typeof keyedSemaphore<string>>;

type WithEvent = Delivery & { event: Envelope };

/**
 * Makes attempts, a few at a time to one host: where many subscriptions lead to a slow one, only they wait for each
 * other.
 */
export function poster(wire: Wire, perHost: PerHost): Post {
  return ({ messageId, event }, { url, secrets }, signal) =>
    perHost(new URL(url).host, async () => {
      const now = new Date();
      const body = bodyOf(event);
      const headers = headersOf({
        body,
        eventId: event.event_id,
        eventType: event.event_type,
        messageId,
        timestamp: Math.floor(now.getTime() / 1_000),
        secrets,
      });
      const { ok, ...outcome } = await wire.send({ url, headers, body, ...(signal && { signal }) });
      return {
        status: ok ? "succeeded" : "failed",
        attempted_at: now.toISOString(),
        completed_at: new Date().toISOString(),
        secret_generation: 1,
        ...outcome,
      };
    });
}

/** Makes one attempt of a delivery. */
export async function deliver(
  { delivery_id, event }: WithEvent,
  to: Destination,
  post: Post,
  signal: AbortSignal,
): Promise<Ended> {
  const messageId = `evt_${to.subscription_id}_${event.event_id}`;
  return { delivery_id, ...(await post({ messageId, event }, to, signal)) };
}

/** Whether its event still exists. A new filter applies to events selected later, not to it (spec 6.3, rule 10). */
export const hasEvent = (delivery: Delivery): delivery is WithEvent => delivery.event !== null;
