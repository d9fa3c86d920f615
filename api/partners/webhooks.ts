import { randomUUID } from "node:crypto";
import { z } from "zod";
import { testSubscription } from "../../activities/outbound/test-sends.js";
import {
  createSubscription,
  rotateSecret,
  updateSubscription,
} from "../../activities/outbound/webhooks/subscriptions.js";
import {
  CannotModifyRevoked,
  CannotRotateRevoked,
  CannotTestRevoked,
  ConflictingChoices,
  HttpsRequired,
  PrivateDestination,
  TestThrottled,
  UnsupportedScheme,
  UrlReuseTombstone,
  unknownWebhook,
} from "../../src/outbound/problems.js";
import { TestedWebhook } from "../../src/outbound/webhooks/delivery-shapes.js";
import { subscriptions } from "../../src/outbound/webhooks/queries.js";
import { IssuedWebhook, NewWebhook, RotatedSecret, SubscriptionInPath } from "../../src/outbound/webhooks/shapes.js";
import { NotInLink } from "../../src/partners/problems.js";
import { NewPartnerWebhook, PartnerWebhook, PartnerWebhookEdit } from "../../src/partners/shapes.js";
import { filterWithin, forPartner } from "../../src/partners/webhooks.js";
import { db } from "../../src/platform/db/db.js";
import { partner, route } from "../http/route.js";
import { WRITES_PER_MINUTE } from "../outbound/limits.js";
import { changeAndSignal } from "../outbound/signal-retries.js";
import {
  keysIn,
  newSealedSecret,
  newSealedSigningKey,
  policyOf,
  resolveDeliveryUrl,
  withSecret,
} from "../outbound/webhook-input.js";

/** A partner's own webhooks: docs/partners.md. The commands are those of admins, which look whose a webhook is. */

const params = z.strictObject({ subscription_id: SubscriptionInPath });
const addresses = [UnsupportedScheme, HttpsRequired, PrivateDestination, UrlReuseTombstone];

export const listPartnerWebhooks = route("get /api/partner/webhooks", {
  for: partner,
  summary: "The partner's webhooks, newest first, revoked ones too; never their secrets",
  answers: {
    200: z.strictObject({ webhooks: z.array(PartnerWebhook).describe("The webhooks, each with its figures.") }),
  },
  run: async ({ link }) => ({ webhooks: (await subscriptions(db, null, null, link.connector_id)).map(forPartner) }),
});

export const createPartnerWebhook = route("post /api/partner/webhooks", {
  for: partner,
  perMinute: WRITES_PER_MINUTE,
  summary: "Subscribes a URL to events of the link, from now on; only this answer shows the secret",
  body: NewPartnerWebhook,
  answers: { 201: IssuedWebhook },
  errors: [NotInLink, ...addresses],
  run: async ({ body, by, link, options }) => {
    const { delivery_url, signature, event_types, warehouse_ids, ...choices } = body;
    const subscription_id = randomUUID();
    const { connector_id } = link;
    const policy = policyOf(options);
    const usual = NewWebhook.parse({ ...choices, connector_id, delivery_url });
    const made = await createSubscription(
      {
        ...usual,
        subscription_id,
        pending_ceiling: Math.min(usual.pending_ceiling, policy.pendingHardCap),
        dlq_ceiling: Math.min(usual.dlq_ceiling, policy.dlqHardCap),
        subscription_filter: filterWithin(link, { event_types, warehouse_ids }),
        start_from: "now",
        destination: await resolveDeliveryUrl(delivery_url, false, options),
        keys: keysIn(subscription_id, { signature }, options),
        tokens: undefined,
      },
      newSealedSecret(subscription_id, options),
      policy,
      by,
    );
    return withSecret(made, options);
  },
});

export const updatePartnerWebhook = route("patch /api/partner/webhooks/:subscription_id", {
  for: partner,
  perMinute: WRITES_PER_MINUTE,
  summary: "Changes, pauses or resumes a webhook of the partner, from the next delivery on",
  params,
  body: PartnerWebhookEdit,
  answers: { 200: PartnerWebhook },
  errors: [...unknownWebhook, CannotModifyRevoked, ConflictingChoices, ...addresses],
  run: async ({ params: { subscription_id: id }, body, by, res, options }) => {
    const { delivery_url, signature, ...rest } = body;
    const keys = keysIn(id, { signature }, options);
    const destination = delivery_url === undefined ? undefined : await resolveDeliveryUrl(delivery_url, false, options);
    const changes = { ...rest, keys, destination };
    const { hint: _, ...changed } = await changeAndSignal(res, id, () =>
      updateSubscription(id, changes, policyOf(options), by),
    );
    return forPartner(changed);
  },
});

export const rotatePartnerSecret = route("post /api/partner/webhooks/:subscription_id/rotate-secret", {
  for: partner,
  perMinute: WRITES_PER_MINUTE,
  summary: "Gives a webhook of the partner a new secret, which only this answer shows; the old one holds for 24 hours",
  params,
  answers: { 200: RotatedSecret },
  errors: [...unknownWebhook, CannotRotateRevoked],
  run: async ({ params: { subscription_id: id }, by, options }) =>
    withSecret(await rotateSecret(id, newSealedSecret(id, options), newSealedSigningKey(id, options), by), options),
});

export const testPartnerWebhook = route("post /api/partner/webhooks/:subscription_id/test", {
  for: partner,
  perMinute: WRITES_PER_MINUTE,
  summary: "Sends the event webhook.test to a webhook of the partner now, and says what came of it",
  params,
  answers: { 200: TestedWebhook },
  errors: [...unknownWebhook, CannotTestRevoked, TestThrottled],
  run: ({ params: { subscription_id: id }, by }) => testSubscription(id, by),
});
