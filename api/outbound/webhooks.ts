import { randomUUID } from "node:crypto";
import { z } from "zod";
import { testSubscription } from "../../activities/outbound/test-sends.js";
import {
  createSubscription,
  purgeSubscription,
  revokeSubscription,
  rotateSecret,
  updateSubscription,
} from "../../activities/outbound/webhooks/subscriptions.js";
import { UnknownEventTypes, UnknownWarehouseIds } from "../../src/auth/tokens/problems.js";
import {
  CannotModifyRevoked,
  CannotRotateRevoked,
  CannotTestRevoked,
  ConflictingChoices,
  CursorBeyondHorizon,
  DlqCeilingAboveHardCap,
  EmptyFilterArray,
  HttpsRequired,
  InvalidClientTls,
  LiveDeliveries,
  PendingCeilingAboveHardCap,
  PrivateDestination,
  SubscriptionNotFound,
  TestThrottled,
  UnknownConnector,
  UnknownContact,
  UnsupportedScheme,
  UrlReuseTombstone,
  unknownWebhook,
} from "../../src/outbound/problems.js";
import { TestedWebhook } from "../../src/outbound/webhooks/delivery-shapes.js";
import { subscriptions } from "../../src/outbound/webhooks/queries.js";
import {
  IssuedWebhook,
  NewWebhook,
  RotatedSecret,
  SubscriptionId,
  SubscriptionInPath,
  WebhookEdit,
  WebhookSubscription,
} from "../../src/outbound/webhooks/shapes.js";
import { visibleWarehouses } from "../../src/platform/actor.js";
import { db } from "../../src/platform/db/db.js";
import { AnyText, QueryBool } from "../../src/platform/fields.js";
import { wholeList } from "../../src/platform/list.js";
import { WarehouseDenied } from "../../src/platform/problem.js";
import { page, route } from "../http/route.js";
import { WRITES_PER_MINUTE } from "./limits.js";
import { changeAndSignal } from "./signal-retries.js";
import {
  keysIn,
  newSealedSecret,
  newSealedSigningKey,
  policyOf,
  resolveDeliveryUrl,
  tokensIn,
  withSecret,
} from "./webhook-input.js";

/**
 * Webhook subscriptions: docs/interface.md, Webhooks. A USER manages those whose filter has only the user's
 * warehouses.
 */

const params = z.strictObject({ subscription_id: SubscriptionInPath });

/** The refusals of filters, ceilings, URLs and files. */
const refusals = [
  UnsupportedScheme,
  HttpsRequired,
  PrivateDestination,
  PendingCeilingAboveHardCap,
  DlqCeilingAboveHardCap,
  EmptyFilterArray,
  UnknownEventTypes,
  UnknownWarehouseIds,
  WarehouseDenied,
  UrlReuseTombstone,
  InvalidClientTls,
  UnknownContact,
  ConflictingChoices,
];

export const createWebhook = route("post /api/admin/webhooks", {
  for: page("webhooks"),
  stepUp: true,
  perMinute: WRITES_PER_MINUTE,
  summary: "Subscribes a URL to events, by default from the first one on; only this answer shows the secret",
  body: NewWebhook,
  answers: { 201: IssuedWebhook },
  errors: [...refusals, UnknownConnector, CursorBeyondHorizon],
  run: async ({ body, by, options }) => {
    const { delivery_url, acknowledge_url_reuse, signature, client_tls, oauth, ...settings } = body;
    const subscription_id = randomUUID();
    const made = await createSubscription(
      {
        subscription_id,
        ...settings,
        destination: await resolveDeliveryUrl(delivery_url, acknowledge_url_reuse, options),
        keys: keysIn(subscription_id, { signature, client_tls, oauth }, options),
        tokens: await tokensIn(oauth, options),
      },
      newSealedSecret(subscription_id, options),
      policyOf(options),
      by,
    );
    return withSecret(made, options);
  },
});

export const listWebhooks = route("get /api/admin/webhooks", {
  for: page("webhooks"),
  summary: "Subscriptions, newest first, revoked ones too; never their secrets",
  query: z.object(wholeList(WebhookSubscription)),
  answers: {
    200: z.strictObject({
      webhooks: z.array(WebhookSubscription).describe("The subscriptions, each with its figures."),
    }),
  },
  run: async ({ by }) => ({ webhooks: await subscriptions(db, visibleWarehouses(by)) }),
});

export const getWebhook = route("get /api/admin/webhooks/:subscription_id", {
  for: page("webhooks"),
  summary: "A subscription",
  params,
  answers: { 200: WebhookSubscription },
  errors: unknownWebhook,
  run: async ({ params: { subscription_id: id }, by }) => {
    const [found] = await subscriptions(db, visibleWarehouses(by), id);
    if (!found) throw SubscriptionNotFound();
    return found;
  },
});

export const updateWebhook = route("patch /api/admin/webhooks/:subscription_id", {
  for: page("webhooks"),
  stepUp: ({ delivery_url }) => delivery_url !== undefined,
  perMinute: WRITES_PER_MINUTE,
  summary: "Changes, pauses or resumes a subscription, from the next delivery on",
  params,
  body: WebhookEdit,
  answers: {
    200: WebhookSubscription.extend({
      hint: AnyText("The receiver did not answer in time: let it answer first and work afterwards")
        .optional()
        .describe("What to do."),
    }),
  },
  errors: [...unknownWebhook, CannotModifyRevoked, ...refusals],
  run: async ({ params: { subscription_id: id }, body, by, res, options }) => {
    const { delivery_url, acknowledge_url_reuse = false, signature, client_tls, oauth, ...rest } = body;
    const keys = keysIn(id, { signature, client_tls, oauth }, options);
    const changes = { ...rest, keys, tokens: await tokensIn(oauth, options) };
    const destination =
      delivery_url === undefined ? undefined : await resolveDeliveryUrl(delivery_url, acknowledge_url_reuse, options);
    return changeAndSignal(res, id, () => updateSubscription(id, { ...changes, destination }, policyOf(options), by));
  },
});

export const rotateWebhookSecret = route("post /api/admin/webhooks/:subscription_id/rotate-secret", {
  for: page("webhooks"),
  stepUp: true,
  perMinute: WRITES_PER_MINUTE,
  summary: "Gives a subscription a new secret, which only this answer shows; the one before holds for another 24 hours",
  params,
  answers: { 200: RotatedSecret },
  errors: [...unknownWebhook, CannotRotateRevoked],
  run: async ({ params: { subscription_id: id }, by, options }) =>
    withSecret(await rotateSecret(id, newSealedSecret(id, options), newSealedSigningKey(id, options), by), options),
});

export const sendTestWebhook = route("post /api/admin/webhooks/:subscription_id/test", {
  for: page("webhooks"),
  perMinute: WRITES_PER_MINUTE,
  summary: "Sends the event webhook.test now, once, also to a paused subscription, and says what came of it",
  params,
  answers: { 200: TestedWebhook },
  errors: [...unknownWebhook, CannotTestRevoked, TestThrottled],
  run: ({ params: { subscription_id: id }, by }) => testSubscription(id, by),
});

export const deleteWebhook = route("delete /api/admin/webhooks/:subscription_id", {
  for: page("webhooks"),
  perMinute: WRITES_PER_MINUTE,
  summary: "Revokes a subscription for good; with purge=true deletes it and all its deliveries",
  params,
  query: z.strictObject({
    purge: QueryBool.default(false).describe("Whether it is deleted for good, with its history."),
  }),
  answers: {
    200: z.union([
      z.strictObject({
        subscription_id: SubscriptionId,
        purged: z.literal(false).describe("Whether it was deleted for good."),
        status: z.literal("revoked").describe("Where the record stands in its life."),
      }),
      z.strictObject({
        subscription_id: SubscriptionId,
        purged: z.literal(true).describe("Whether it was deleted for good."),
        tombstone_id: z.int().positive().describe("The deleted webhook that sent to this URL."),
      }),
    ]),
  },
  errors: [...unknownWebhook, LiveDeliveries],
  run: async ({ params: { subscription_id: id }, query, by, res }) =>
    query.purge ? purgeSubscription(id, by) : changeAndSignal(res, id, () => revokeSubscription(id, by)),
});
