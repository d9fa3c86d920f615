import type { EncryptionKeys } from "../../../../src/auth/sealed.js";
import type { SendingEnded } from "../../../../src/outbound/webhooks/delivery.js";
import { type Filter, parseFilter } from "../../../../src/outbound/webhooks/filter.js";
import { secretOwner } from "../../../../src/outbound/webhooks/secrets.js";
import type { TestEvent } from "../../../../src/outbound/webhooks/test-event.js";
import { bodyOf, headersOf } from "../../../../src/outbound/wire/message.js";
import type { Envelope } from "../../../../src/platform/events/envelope.js";
import { unsealed } from "../../secret-tables.js";
import type { SharedWire } from "../../sending/wire.js";
import { pauseMalformed, readSubscription, type SendingSubscription } from "../subscription.js";
import type { Delivery } from "./claim.js";
import type { Ended } from "./settle.js";

/** URL, secrets and filter of a subscription, valid as long as the subscription is unchanged. */
export interface Destination {
  subscription_id: string;
  /** The subscription's `updated_at`. */
  version: string;
  url: string;
  filter: Filter;
  perSecond: number;
  secrets: { generation: 1 | 2; secret: string }[];
}

/** Reads the destination, or why nothing is sent. A malformed filter pauses the subscription. */
export async function destinationOf(subscriptionId: string, keys: EncryptionKeys): Promise<Destination | SendingEnded> {
  const subscription = await readSubscription(subscriptionId);
  if (!subscription) return "deleted";
  if (subscription.status !== "active") return subscription.status;
  const filter = parseFilter(subscription.subscription_filter);
  if (filter) return destination(subscription, filter, keys);
  await pauseMalformed(subscriptionId, subscription.updated_at);
  return "paused";
}

const destination = (subscription: SendingSubscription, filter: Filter, keys: EncryptionKeys): Destination => ({
  subscription_id: subscription.subscription_id,
  version: subscription.updated_at,
  url: subscription.delivery_url,
  filter,
  perSecond: subscription.rate_limit_per_second,
  secrets: secretsOf(subscription, keys),
});

export const secretsOf = ({ subscription_id, secrets }: SendingSubscription, keys: EncryptionKeys) =>
  unsealed(secrets, secretOwner(subscription_id), keys);

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
