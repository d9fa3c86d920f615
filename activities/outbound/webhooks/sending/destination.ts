import { type EncryptionKeys, unseal } from "../../../../src/auth/sealed.js";
import type { SendingEnded } from "../../../../src/outbound/webhooks/delivery.js";
import { type Filter, parseFilter } from "../../../../src/outbound/webhooks/filter.js";
import { secretOwner } from "../../../../src/outbound/webhooks/secrets.js";
import { readSubscription, type SendingSubscription } from "../subscription.js";
import { pauseMalformed } from "./pause.js";

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
  secrets.map(({ generation, sealed }) => ({
    generation,
    secret: unseal(sealed, secretOwner(subscription_id), keys),
  }));
