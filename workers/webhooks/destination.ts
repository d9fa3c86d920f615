import { pauseMalformed } from "../../activities/webhooks/pause.js";
import {
  readSubscription,
  type SendingSubscription,
} from "../../activities/webhooks/subscription.js";
import { unseal } from "../../src/sealed.js";
import type { SendingEnded } from "../../src/webhooks/delivery.js";
import { type Filter, parseFilter } from "../../src/webhooks/filter.js";

/** Where a subscription's events go, and which: as long as the subscription stands as it was read. */
export interface Destination {
  subscription_id: string;
  /** The subscription's `updated_at`. */
  version: string;
  url: string;
  filter: Filter;
  perSecond: number;
  secrets: { generation: 1 | 2; secret: string }[];
}

/** Reads where events go; or why none do. A filter that cannot be read pauses the subscription. */
export async function destinationOf(
  subscriptionId: string,
  encryptionKey: string,
): Promise<Destination | SendingEnded> {
  const subscription = await readSubscription(subscriptionId);
  if (!subscription) return "deleted";
  if (subscription.status !== "active") return subscription.status;
  const filter = parseFilter(subscription.subscription_filter);
  if (filter) return destination(subscription, filter, encryptionKey);
  await pauseMalformed(subscriptionId, subscription.updated_at);
  return "paused";
}

const destination = (
  subscription: SendingSubscription,
  filter: Filter,
  encryptionKey: string,
): Destination => ({
  subscription_id: subscription.subscription_id,
  version: subscription.updated_at,
  url: subscription.delivery_url,
  filter,
  perSecond: subscription.rate_limit_per_second,
  secrets: subscription.secrets.map(({ generation, sealed }) => ({
    generation,
    secret: unseal(sealed, encryptionKey),
  })),
});
