import { z } from "zod";
import { attemptNow } from "../../activities/outbound/webhooks/attempt-now.js";
import * as activities from "../../activities/outbound/webhooks/replay.js";
import {
  BatchAboveHardCap,
  CannotReplayToRevoked,
  DeliveryElsewhere,
  DeliveryNotFound,
  DeliveryNotWaiting,
  InvalidPagination,
  InvalidWindow,
  ReplayAbovePendingCeiling,
  ReplayGloballyThrottled,
  ReplayThrottled,
  SubscriptionNotFound,
  unknownWebhook,
  WebhookNotActive,
} from "../../src/outbound/problems.js";
import { deadDeliveries, deliveries, delivery, loggedErrors } from "../../src/outbound/webhooks/deliveries.js";
import {
  AttemptedNow,
  AttemptNow,
  DeadDelivery,
  DeadQuery,
  Delivery,
  DeliveryDetail,
  DeliveryFilters,
  DeliveryInPath,
  ErrorKinds,
  ErrorQuery,
  LoggedError,
  ReplayBatch,
  ReplayCount,
  Replayed,
  ReplayedDelivery,
  ReplayQuery,
  sliced,
  WebhookStats,
  WindowQuery,
} from "../../src/outbound/webhooks/delivery-shapes.js";
import { subscriptionExists } from "../../src/outbound/webhooks/queries.js";
import { replayCount } from "../../src/outbound/webhooks/replayed.js";
import { SubscriptionId, SubscriptionInPath } from "../../src/outbound/webhooks/shapes.js";
import { stats } from "../../src/outbound/webhooks/stats.js";
import { type Actor, visibleWarehouses } from "../../src/platform/actor.js";
import { paged } from "../../src/platform/fields.js";
import { page, route } from "../http/route.js";
import { WRITES_PER_MINUTE } from "./limits.js";
import { changeAndSignal } from "./signal-retries.js";
import { replayLimits } from "./webhook-input.js";

/** Results and replays of deliveries: docs/interface.md, Webhooks. */

const params = z.strictObject({ subscription_id: SubscriptionInPath });

async function checkSubscription(subscriptionId: string, by: Actor): Promise<void> {
  if (!(await subscriptionExists(visibleWarehouses(by), subscriptionId))) throw SubscriptionNotFound();
}

export const listDeliveries = route("get /api/admin/webhooks/:subscription_id/deliveries", {
  for: page("webhooks"),
  summary: "All attempts of a subscription, with their events: first those under way, then the others, newest first",
  params,
  query: DeliveryFilters,
  answers: { 200: paged("deliveries", Delivery, "The attempts.") },
  errors: unknownWebhook,
  run: async ({ params: { subscription_id }, query, by }) => {
    await checkSubscription(subscription_id, by);
    return deliveries(subscription_id, query, visibleWarehouses(by));
  },
});

export const getDelivery = route("get /api/admin/webhooks/:subscription_id/deliveries/:delivery_id", {
  for: page("webhooks"),
  summary: "An attempt of a subscription, with the event that it sends",
  params: params.extend({ delivery_id: DeliveryInPath }),
  answers: { 200: DeliveryDetail },
  errors: [...unknownWebhook, DeliveryNotFound],
  run: async ({ params: { subscription_id, delivery_id }, by }) => {
    await checkSubscription(subscription_id, by);
    const found = await delivery(subscription_id, delivery_id, visibleWarehouses(by));
    if (!found) throw DeliveryNotFound();
    return found;
  },
});

export const listDeadDeliveries = route("get /api/admin/webhooks/:subscription_id/dlq", {
  for: page("webhooks"),
  summary: "Deliveries that were given up, newest first, with their events",
  params,
  query: DeadQuery,
  answers: { 200: sliced(DeadDelivery).extend({ subscription_id: SubscriptionId }) },
  errors: [...unknownWebhook, InvalidPagination],
  run: async ({ params: { subscription_id }, query, by }) => {
    await checkSubscription(subscription_id, by);
    return deadDeliveries(subscription_id, query, visibleWarehouses(by));
  },
});

export const replayDelivery = route("post /api/admin/webhooks/:subscription_id/replay/:delivery_id", {
  for: page("webhooks"),
  perMinute: WRITES_PER_MINUTE,
  summary: "Sends the event of a delivery again, as a new delivery",
  params: params.extend({ delivery_id: DeliveryInPath }),
  answers: { 201: ReplayedDelivery },
  errors: [...unknownWebhook, DeliveryNotFound, DeliveryElsewhere, CannotReplayToRevoked],
  run: ({ params: { subscription_id, delivery_id }, by }) =>
    activities.replayDelivery(subscription_id, delivery_id, by),
});

export const attemptWebhookNow = route("post /api/admin/webhooks/:subscription_id/attempt-now", {
  for: page("webhooks"),
  perMinute: WRITES_PER_MINUTE,
  summary: "Has what failed attempted at once, one delivery or all that wait, instead of when it is due",
  params,
  body: AttemptNow,
  answers: { 200: AttemptedNow },
  errors: [...unknownWebhook, DeliveryNotFound, DeliveryNotWaiting, WebhookNotActive],
  run: ({ params: { subscription_id: id }, body, by, res }) => changeAndSignal(res, id, () => attemptNow(id, body, by)),
});

export const countDeliveriesToReplay = route("get /api/admin/webhooks/:subscription_id/replay-batch", {
  for: page("webhooks"),
  summary: "How many deliveries a replay of all that match would make; nothing is sent",
  params,
  query: ReplayQuery,
  answers: { 200: ReplayCount },
  errors: unknownWebhook,
  run: async ({ params: { subscription_id }, query, by }) => {
    await checkSubscription(subscription_id, by);
    return replayCount(subscription_id, query, visibleWarehouses(by));
  },
});

export const replayDeliveries = route("post /api/admin/webhooks/:subscription_id/replay-batch", {
  for: page("webhooks"),
  perMinute: WRITES_PER_MINUTE,
  summary: "Sends again, in order and each once, the events of all deliveries that match",
  params,
  body: ReplayBatch,
  answers: { 201: Replayed },
  errors: [
    ...unknownWebhook,
    CannotReplayToRevoked,
    ReplayThrottled,
    ReplayGloballyThrottled,
    BatchAboveHardCap,
    ReplayAbovePendingCeiling,
  ],
  run: ({ params: { subscription_id }, body, by, options }) =>
    activities.replayBatch(subscription_id, body.filter, body.acknowledge_large_replay, replayLimits(options), by),
});

export const getWebhookStats = route("get /api/admin/webhooks/:subscription_id/stats", {
  for: page("webhooks"),
  summary: "How a subscription's deliveries went within a window; up to 30 seconds old",
  params,
  query: WindowQuery,
  answers: { 200: WebhookStats },
  errors: [...unknownWebhook, InvalidWindow],
  run: async ({ params: { subscription_id }, query, by }) => {
    await checkSubscription(subscription_id, by);
    return stats(subscription_id, query.window);
  },
});

export const listWebhookErrors = route("get /api/admin/webhook-errors", {
  for: page("webhooks"),
  summary: "Failed attempts of all subscriptions, newest first, with what to do about them",
  query: ErrorQuery,
  answers: { 200: sliced(LoggedError).extend({ error_kinds: ErrorKinds }) },
  run: ({ query, by }) => loggedErrors(query, visibleWarehouses(by)),
});
