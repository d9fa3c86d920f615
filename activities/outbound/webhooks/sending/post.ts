import type { TestEvent } from "../../../../src/outbound/webhooks/test-event.js";
import { bodyOf } from "../../../../src/outbound/webhooks/wire/body.js";
import { headersOf } from "../../../../src/outbound/webhooks/wire/sign.js";
import type { Envelope } from "../../../../src/platform/events/envelope.js";
import type { SharedWire } from "../../sending/wire.js";
import type { Delivery } from "./claim.js";
import type { Destination } from "./destination.js";
import type { Ended } from "./settle.js";

/** Something to send, and its id, which is the same whenever it is sent. */
interface Message {
  messageId: string;
  event: Envelope | TestEvent;
}

/** What ends the waiting for the host, and what ends an attempt at once. */
interface Ends {
  unwanted: AbortSignal;
  lost?: AbortSignal;
}

type WithEvent = Delivery & { event: Envelope };

/** Makes one attempt to send something; undefined where that was no longer wanted before it was begun. */
export async function post(
  wire: SharedWire,
  { messageId, event }: Message,
  { url, secrets }: Pick<Destination, "url" | "secrets">,
  { unwanted, lost }: Ends,
): Promise<Omit<Ended, "delivery_id"> | undefined> {
  const message = (now: Date) => {
    const body = bodyOf(event);
    const headers = headersOf({
      body,
      eventId: event.event_id,
      eventType: event.event_type,
      messageId,
      timestamp: Math.floor(now.getTime() / 1_000),
      secrets,
    });
    return { headers, body, ...(lost && { signal: lost }) };
  };
  const sent = await wire.send(url, message, unwanted);
  if (!sent) return undefined;
  const { ok, ...outcome } = sent;
  return {
    status: ok ? "succeeded" : "failed",
    completed_at: new Date().toISOString(),
    secret_generation: 1,
    ...outcome,
  };
}

/** Makes one attempt of a delivery; undefined where that was no longer wanted before it was begun. */
export async function deliver(
  wire: SharedWire,
  { delivery_id, event }: WithEvent,
  to: Destination,
  ends: Ends,
): Promise<Ended | undefined> {
  const messageId = `evt_${to.subscription_id}_${event.event_id}`;
  const outcome = await post(wire, { messageId, event }, to, ends);
  return outcome && { delivery_id, ...outcome };
}

/**
 * Whether its event still exists. A new filter applies to events selected later, not to it (docs/interface.md,
 * Webhooks).
 */
export const hasEvent = (delivery: Delivery): delivery is WithEvent => delivery.event !== null;
