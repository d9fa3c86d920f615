import { z } from "zod";
import {
  purgeSubscription,
  revokeSubscription,
} from "../activities/webhooks/end.js";
import type { Destination, Policy } from "../activities/webhooks/rules.js";
import { rotateSecret } from "../activities/webhooks/secrets.js";
import {
  createSubscription,
  updateSubscription,
} from "../activities/webhooks/subscriptions.js";
import { scopeOf } from "../src/actor.js";
import { db } from "../src/db.js";
import { WarehouseDenied } from "../src/problem.js";
import { seal, unseal } from "../src/sealed.js";
import {
  UnknownEventTypes,
  UnknownWarehouseIds,
} from "../src/tokens/problems.js";
import { leadsInside } from "../src/webhooks/destination.js";
import {
  CannotModifyRevoked,
  CannotRotateRevoked,
  ConnectorNotFound,
  DlqCeilingAboveHardCap,
  EmptyFilterArray,
  HttpsRequired,
  InvalidSubscriptionId,
  LiveDeliveries,
  PendingCeilingAboveHardCap,
  PrivateDestination,
  SubscriptionNotFound,
  UnsupportedScheme,
  UrlReuseTombstone,
} from "../src/webhooks/problems.js";
import { subscriptions } from "../src/webhooks/queries.js";
import { newSecret } from "../src/webhooks/secrets.js";
import { QueryBool } from "./fields.js";
import type { AppOptions } from "./handle.js";
import { page, route } from "./route.js";
import { tellSubscription } from "./tell-subscription.js";
import {
  IssuedWebhook,
  NewWebhook,
  ShownSecret,
  SubscriptionId,
  SubscriptionInPath,
  WebhookEdit,
  WebhookRecord,
  WRITES_PER_MINUTE,
} from "./webhook-fields.js";

/** Subscriptions of partners: spec 6.3, reference 05 §1 and 2. A USER keeps those whose filter stays in own warehouses. */

const params = z.strictObject({ subscription_id: SubscriptionInPath });

const policyOf = (options: AppOptions): Policy => ({
  allowHttp: options.allowHttpWebhooks,
  pendingHardCap: options.dispatcherMaxPendingHardCap,
  dlqHardCap: options.dispatcherMaxDlqHardCap,
});

async function destinationOf(
  url: string,
  acknowledgeReuse: boolean,
  { allowInternalWebhooks }: AppOptions,
): Promise<Destination> {
  const isPrivate = await leadsInside(url, allowInternalWebhooks);
  return { url, isPrivate, acknowledgeReuse };
}

const newSealed = ({ encryptionKey }: AppOptions) =>
  seal(newSecret(), encryptionKey);

/** The answer with the secret in it, which a repeat under the same `Idempotency-Key` shows again. */
function shown<A extends { sealed: string }>(
  { sealed, ...answer }: A,
  { encryptionKey }: AppOptions,
) {
  return { ...answer, secret: unseal(sealed, encryptionKey) };
}

/** What a filter, a ceiling or a URL may be refused for. */
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
];

export const addWebhook = route("post /api/admin/webhooks", {
  for: page("webhooks"),
  perMinute: WRITES_PER_MINUTE,
  summary:
    "Subscribes a URL to events, from the first one on; this answer is the only one that shows the secret",
  body: NewWebhook,
  answers: { 201: IssuedWebhook },
  errors: [...refusals, ConnectorNotFound],
  run: async ({ body, by, res, options }) => {
    const { delivery_url, acknowledge_url_reuse, ...settings } = body;
    const made = await createSubscription(
      {
        ...settings,
        destination: await destinationOf(
          delivery_url,
          acknowledge_url_reuse,
          options,
        ),
      },
      newSealed(options),
      policyOf(options),
      by,
    );
    await tellSubscription({ res }, made.subscription_id);
    return shown(made, options);
  },
});

export const listWebhooks = route("get /api/admin/webhooks", {
  for: page("webhooks"),
  summary: "Subscriptions, newest first, revoked ones too; never their secrets",
  answers: { 200: z.strictObject({ webhooks: z.array(WebhookRecord) }) },
  run: async ({ by }) => ({ webhooks: await subscriptions(db, scopeOf(by)) }),
});

export const showWebhook = route("get /api/admin/webhooks/:subscription_id", {
  for: page("webhooks"),
  summary: "A subscription",
  params,
  answers: { 200: WebhookRecord },
  errors: [InvalidSubscriptionId, SubscriptionNotFound],
  run: async ({ params: { subscription_id: id }, by }) => {
    const [found] = await subscriptions(db, scopeOf(by), id);
    if (!found) throw SubscriptionNotFound();
    return found;
  },
});

export const editWebhook = route("patch /api/admin/webhooks/:subscription_id", {
  for: page("webhooks"),
  perMinute: WRITES_PER_MINUTE,
  summary:
    "Changes what is sent of a subscription, pauses or resumes it; the next delivery goes by what it is then",
  params,
  body: WebhookEdit,
  answers: { 200: WebhookRecord.extend({ hint: z.string().optional() }) },
  errors: [
    InvalidSubscriptionId,
    SubscriptionNotFound,
    CannotModifyRevoked,
    ...refusals,
  ],
  run: async ({ params: { subscription_id: id }, body, by, res, options }) => {
    const { delivery_url, acknowledge_url_reuse = false, ...changes } = body;
    const destination =
      delivery_url === undefined
        ? undefined
        : await destinationOf(delivery_url, acknowledge_url_reuse, options);
    const updated = await updateSubscription(
      id,
      { ...changes, destination },
      policyOf(options),
      by,
    );
    await tellSubscription({ res }, id);
    return updated;
  },
});

export const renewWebhookSecret = route(
  "post /api/admin/webhooks/:subscription_id/rotate-secret",
  {
    for: page("webhooks"),
    perMinute: WRITES_PER_MINUTE,
    summary:
      "Gives a subscription a new secret, which only this answer shows; the one before holds for another 24 hours",
    params,
    answers: { 200: ShownSecret },
    errors: [InvalidSubscriptionId, SubscriptionNotFound, CannotRotateRevoked],
    run: async ({ params: { subscription_id: id }, by, res, options }) => {
      const rotated = await rotateSecret(id, newSealed(options), by);
      await tellSubscription({ res }, id);
      return shown(rotated, options);
    },
  },
);

export const removeWebhook = route(
  "delete /api/admin/webhooks/:subscription_id",
  {
    for: page("webhooks"),
    perMinute: WRITES_PER_MINUTE,
    summary:
      "Revokes a subscription for good; with purge=true deletes it and all its deliveries",
    params,
    query: z.strictObject({ purge: QueryBool.default(false) }),
    answers: {
      200: z.union([
        z.strictObject({
          subscription_id: SubscriptionId,
          purged: z.literal(false),
          status: z.literal("revoked"),
        }),
        z.strictObject({
          subscription_id: SubscriptionId,
          purged: z.literal(true),
          tombstone_id: z.int().positive(),
        }),
      ]),
    },
    errors: [InvalidSubscriptionId, SubscriptionNotFound, LiveDeliveries],
    run: async ({ params: { subscription_id: id }, query, by, res }) => {
      const ended = query.purge
        ? await purgeSubscription(id, by)
        : await revokeSubscription(id, by);
      await tellSubscription({ res }, id);
      return ended;
    },
  },
);
