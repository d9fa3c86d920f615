import { z } from "zod";
import { attemptNow } from "../../activities/outbound/webhooks/attempt-now.js";
import * as activities from "../../activities/outbound/webhooks/replay.js";
import {
  BatchAboveHardCap,
  CannotReplayToRevoked,
  DeliveryNotFound,
  DeliveryNotWaiting,
  ReplayThrottled,
  SubscriptionNotFound,
  unknownWebhook,
  WebhookNotActive,
} from "../../src/outbound/problems.js";
import { deliveries, delivery } from "../../src/outbound/webhooks/deliveries.js";
import {
  AttemptedNow,
  AttemptNow,
  Delivery,
  DeliveryDetail,
  DeliveryFilters,
  DeliveryInPath,
  ReplayBatch,
  ReplayCount,
  Replayed,
  ReplayedDelivery,
  ReplayQuery,
} from "../../src/outbound/webhooks/delivery-shapes.js";
import { subscriptionExists } from "../../src/outbound/webhooks/queries.js";
import { replayCount } from "../../src/outbound/webhooks/replayed.js";
import { SubscriptionInPath } from "../../src/outbound/webhooks/shapes.js";
import type { PartnerLink } from "../../src/partners/shapes.js";
import { paged } from "../../src/platform/fields.js";
import { partner, route } from "../http/route.js";
import { WRITES_PER_MINUTE } from "../outbound/limits.js";
import { changeAndSignal } from "../outbound/signal-retries.js";
import { replayLimits } from "../outbound/webhook-input.js";

/** Deliveries to a partner's own webhooks, and their replay: docs/partners.md. */

const params = z.strictObject({ subscription_id: SubscriptionInPath });

async function checkOwn(subscriptionId: string, { connector_id }: PartnerLink): Promise<void> {
  if (!(await subscriptionExists(null, subscriptionId, connector_id))) throw SubscriptionNotFound();
}

export const listPartnerDeliveries = route("get /api/partner/webhooks/:subscription_id/deliveries", {
  for: partner,
  summary: "All attempts of a webhook of the partner: first those under way, then the others, newest first",
  params,
  query: DeliveryFilters,
  answers: { 200: paged("deliveries", Delivery, "The attempts.") },
  errors: unknownWebhook,
  run: async ({ params: { subscription_id }, query, link }) => {
    await checkOwn(subscription_id, link);
    return deliveries(subscription_id, query, null);
  },
});

export const getPartnerDelivery = route("get /api/partner/webhooks/:subscription_id/deliveries/:delivery_id", {
  for: partner,
  summary: "An attempt of a webhook of the partner: what it sends, and what came of it",
  params: params.extend({ delivery_id: DeliveryInPath }),
  answers: { 200: DeliveryDetail },
  errors: [...unknownWebhook, DeliveryNotFound],
  run: async ({ params: { subscription_id, delivery_id }, link }) => {
    await checkOwn(subscription_id, link);
    const found = await delivery(subscription_id, delivery_id, null);
    if (!found) throw DeliveryNotFound();
    return found;
  },
});

export const replayPartnerDelivery = route("post /api/partner/webhooks/:subscription_id/replay/:delivery_id", {
  for: partner,
  perMinute: WRITES_PER_MINUTE,
  summary: "Sends the event of a delivery to the partner again, as a new delivery",
  params: params.extend({ delivery_id: DeliveryInPath }),
  answers: { 201: ReplayedDelivery },
  errors: [...unknownWebhook, DeliveryNotFound, CannotReplayToRevoked],
  run: ({ params: { subscription_id, delivery_id }, by }) =>
    activities.replayDelivery(subscription_id, delivery_id, by),
});

export const attemptPartnerWebhookNow = route("post /api/partner/webhooks/:subscription_id/attempt-now", {
  for: partner,
  perMinute: WRITES_PER_MINUTE,
  summary: "Has what failed attempted at once, one delivery to the partner or all that wait",
  params,
  body: AttemptNow,
  answers: { 200: AttemptedNow },
  errors: [...unknownWebhook, DeliveryNotFound, DeliveryNotWaiting, WebhookNotActive],
  run: ({ params: { subscription_id: id }, body, by, res }) => changeAndSignal(res, id, () => attemptNow(id, body, by)),
});

export const countPartnerReplay = route("get /api/partner/webhooks/:subscription_id/replay-batch", {
  for: partner,
  summary: "How many deliveries a replay of a range would send the partner; nothing is sent",
  params,
  query: ReplayQuery,
  answers: { 200: ReplayCount },
  errors: unknownWebhook,
  run: async ({ params: { subscription_id }, query, link }) => {
    await checkOwn(subscription_id, link);
    return replayCount(subscription_id, query, null);
  },
});

export const replayPartnerDeliveries = route("post /api/partner/webhooks/:subscription_id/replay-batch", {
  for: partner,
  perMinute: WRITES_PER_MINUTE,
  summary: "Sends the partner again, in order and each once, the events of a range of deliveries",
  params,
  body: ReplayBatch.pick({ filter: true }),
  answers: { 201: Replayed },
  errors: [...unknownWebhook, CannotReplayToRevoked, ReplayThrottled, BatchAboveHardCap],
  run: ({ params: { subscription_id }, body, by, options }) =>
    activities.replayBatch(subscription_id, body.filter, false, replayLimits(options), by),
});
