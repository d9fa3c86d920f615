import { z } from "zod";
import { type EncryptionKeys, unseal } from "../../../../src/auth/sealed.js";
import { secretOwner, type WebhookKey, webhookKeyOwner, webhookKeys } from "../../../../src/outbound/secrets.js";
import type { SendingEnded } from "../../../../src/outbound/sending.js";
import { type Filter, parseFilter } from "../../../../src/outbound/webhooks/filter.js";
import { OAuth } from "../../../../src/outbound/webhooks/key-shapes.js";
import { type Form, messageOf, type Sent } from "../../../../src/outbound/webhooks/message.js";
import { type Ordering, WebhookSubscription } from "../../../../src/outbound/webhooks/shapes.js";
import { type ClientTlsFiles, clientTls } from "../../../../src/outbound/wire/client-tls.js";
import { headersOf, type Signing, type Delivery as Wired } from "../../../../src/outbound/wire/send.js";
import { arrayOf, int, json, text, time } from "../../../../src/platform/db/columns.js";
import { db } from "../../../../src/platform/db/db.js";
import { pauseMalformedFilter, SealedSecret, unsealed, validSecrets, webhookReceivers } from "../../receivers.js";
import type { Attempt, SharedWire } from "../../sending/wire.js";

/** A subscription as its sender reads it. */
const SendingSubscription = z.strictObject({
  subscription_id: text,
  status: z.enum(["active", "paused", "revoked"]),
  delivery_url: text,
  subscription_filter: json,
  rate_limit_per_second: int,
  ...WebhookSubscription.pick({ ordering: true, payload: true, format: true, batch: true }).shape,
  /** Set by every change, of the secrets too: a sender uses what it has read as long as this is the same. */
  updated_at: time,
  secrets: arrayOf(SealedSecret),
  keys: z.partialRecord(z.enum(webhookKeys), z.strictObject({ shown: json, sealed: text })),
});
type SendingSubscription = z.infer<typeof SendingSubscription>;

export const readSubscription = (subscriptionId: string) =>
  db.row(
    SendingSubscription,
    `select subscription_id, status, delivery_url, subscription_filter, rate_limit_per_second, ordering,
            payload, format, batch, updated_at,
            ${validSecrets(webhookReceivers)},
            (select coalesce(json_object_agg(kind, json_build_object('shown', shown, 'sealed', sealed)), '{}')
             from webhook_keys k where k.subscription_id = r.subscription_id
               and (expires_at is null or expires_at > now())) as keys
     from webhook_subscriptions r where subscription_id = $1`,
    [subscriptionId],
  );

/** Where a subscription sends to, what it looks like, and with which keys. */
export interface Receiver extends Pick<Wired, "url" | "tls" | "oauth">, Pick<Signing, "secrets" | "signingKeys">, Form {
  subscriptionId: string;
}

/** The same with the rest of it, valid as long as the subscription is unchanged. */
export interface Destination extends Receiver {
  /** The subscription's `updated_at`. */
  version: string;
  filter: Filter;
  perSecond: number;
  ordering: Ordering;
}

/** Reads the destination, or why nothing is sent. A malformed filter pauses the subscription. */
export async function destinationOf(subscriptionId: string, keys: EncryptionKeys): Promise<Destination | SendingEnded> {
  const subscription = await readSubscription(subscriptionId);
  if (!subscription) return "deleted";
  if (subscription.status !== "active") return subscription.status;
  const filter = parseFilter(subscription.subscription_filter);
  if (filter) return destination(subscription, filter, keys);
  await pauseMalformedFilter(subscriptionId, subscription.updated_at);
  return "paused";
}

const destination = (subscription: SendingSubscription, filter: Filter, keys: EncryptionKeys): Destination => ({
  ...receiverOf(subscription, keys),
  version: subscription.updated_at,
  filter,
  perSecond: subscription.rate_limit_per_second,
  ordering: subscription.ordering,
});

export function receiverOf(subscription: SendingSubscription, keys: EncryptionKeys): Receiver {
  const { subscription_id, delivery_url: url, secrets, keys: sealedKeys } = subscription;
  const opened = (kind: WebhookKey) => {
    const key = sealedKeys[kind];
    return key && unseal(key.sealed, webhookKeyOwner(subscription_id, kind), keys);
  };
  const [files, client_secret] = [opened("client_tls"), opened("oauth")];
  const { payload, format, batch } = subscription;
  return {
    ...{ subscriptionId: subscription_id, url, payload, format, batch },
    secrets: unsealed(secrets, secretOwner(subscription_id), keys),
    signingKeys: [opened("signing"), opened("signing_before")].filter((key) => key !== undefined),
    ...(files && { tls: clientTls(JSON.parse(files) as ClientTlsFiles) }),
    ...(client_secret && { oauth: { ...OAuthFacts.parse(sealedKeys.oauth?.shown), client_secret } }),
  };
}

const OAuthFacts = OAuth.omit({ set_at: true }).strip();

/** What ends the waiting for the host, and what ends an attempt at once. */
interface Ends {
  unwanted: AbortSignal;
  lost?: AbortSignal;
}

/** Makes one attempt to send some events; undefined where that was no longer wanted before it was begun. */
export function post(
  wire: SharedWire,
  sent: [Sent, ...Sent[]],
  { subscriptionId, url, secrets, signingKeys = [], tls, oauth, ...form }: Receiver,
  { unwanted, lost }: Ends,
): Promise<Attempt | undefined> {
  const { headers: own, ...message } = messageOf(subscriptionId, sent, form);
  const { body } = message;
  const signed = (now: Date) => {
    const timestamp = Math.floor(now.getTime() / 1_000);
    const headers = { ...headersOf({ ...message, timestamp, secrets, signingKeys }), ...own };
    return { headers, body, tls, oauth, ...(lost && { signal: lost }) };
  };
  return wire.send(url, signed, unwanted);
}
