import { z } from "zod";
import { eventTypes } from "../../platform/events/catalog.js";
import * as field from "../../platform/fields/index.js";
import { Id, listed, Text } from "../../platform/fields.js";
import { webhookSubscriptionStates } from "../../platform/states.js";
import { unique } from "../../platform/values.js";
import { InvalidSubscriptionId } from "../problems.js";
import { DeliveryUrl, MAX_URL } from "./delivery-url.js";
import { KeyFields, NewClientTls, NewOAuth, PublicKey, Signature } from "./key-shapes.js";

/** The fields of webhook subscriptions: docs/interface.md, Webhooks. */

const MAX_VALUES = 1_000;
/**
 * An empty list is refused with a problem of its own (activities/outbound/webhooks/rules.ts). The fields are in the
 * order of Postgres's jsonb.
 */
const SubscriptionFilter = z
  .strictObject({
    event_types: z
      .array(listed(z.string().max(64), eventTypes))
      .max(64)
      .transform(unique)
      .optional()
      .describe("The event types that are wanted."),
    warehouse_ids: z
      .array(Id)
      .max(MAX_VALUES)
      .transform(unique)
      .optional()
      .describe("Ids of the warehouses that the user, token or filter is confined to."),
    aggregate_external_id_allowlist: z
      .array(z.guid().toLowerCase())
      .max(MAX_VALUES)
      .transform(unique)
      .optional()
      .describe("Only events of these records."),
  })
  .meta({
    id: "WebhookFilter",
    description: "Which events a webhook gets; what is not named is not filtered by.",
    examples: [{ event_types: ["ship.confirmed"], warehouse_ids: [1] }],
  });

const RatePerSecond = z
  .int()
  .min(1)
  .max(100)
  .meta({ description: "At most so many deliveries a second.", examples: [50] });
/** The highest ceilings are configured (activities/outbound/webhooks/rules.ts). */
const PendingCeiling = z
  .int32()
  .min(100)
  .meta({ description: "So many waiting deliveries pause the webhook.", examples: [10_000] });
const DlqCeiling = z
  .int32()
  .min(10)
  .meta({ description: "So many dead deliveries pause the webhook.", examples: [1_000] });
/** What is sent in order: all events of a subscription, or those of one aggregate. */
const Ordering = z.enum(["subscription", "aggregate"]).meta({
  description:
    "Which events are sent one after the other: all of the subscription, or those of the same aggregate, beside " +
    "those of others.",
  examples: ["subscription"],
});
export type Ordering = z.infer<typeof Ordering>;
const Payload = z.enum(["full", "thin"]).meta({
  description: "Whether an event tells all, or what happened to which record and where the rest can be fetched.",
  examples: ["full"],
});
export type Payload = z.infer<typeof Payload>;
const Format = z.enum(["envelope", "cloudevents-binary", "cloudevents-structured"]).meta({
  description: "Whether requests are CloudEvents 1.0, too: by their headers (binary) or by their body (structured).",
  examples: ["envelope"],
});
export type Format = z.infer<typeof Format>;
const MAX_BATCH = 100;
const Batch = z
  .strictObject({
    max_events: z
      .int()
      .min(1)
      .max(MAX_BATCH)
      .meta({ description: "So many events at most.", examples: [50] }),
    max_wait_ms: z
      .int()
      .min(0)
      .max(60_000)
      .meta({ description: "So long an event waits for others at most, in milliseconds.", examples: [1_000] }),
  })
  .meta({ id: "WebhookBatch", description: "How many events one request has." });
export type Batch = z.infer<typeof Batch>;
const Batches = Batch.nullable().describe("An array of several events in each request; null: one event each.");
/** Not the partner's own server, which may be what does not answer. */
const Contact = Id.nullable().meta({
  description: "Id of the notification destination that is told before and when the webhook is paused.",
  examples: [null],
});
const Acknowledge = z
  .boolean()
  .meta({ description: "A deleted subscription sent to this URL, and that is known.", examples: [false] });
const EXAMPLE = "7b0e2f4c-5c1d-4e7a-9f53-2d6c8a1b0e9f";
export const SubscriptionId = z.uuid().meta({ description: "UUID of the webhook subscription.", examples: [EXAMPLE] });
/** In a path; an invalid id gets 400 rather than 404 (docs/interface.md, Webhooks). */
export const SubscriptionInPath = z
  .string()
  .meta({ examples: [EXAMPLE] })
  .transform((text) => {
    if (!z.guid().safeParse(text).success) throw InvalidSubscriptionId();
    return text.toLowerCase();
  })
  .describe("UUID of the webhook subscription.");

const StartFrom = z
  .union([z.enum(["beginning", "now"]), z.int().positive()], 'Expected "beginning", "now" or an event_id')
  .describe(
    "The first event that may be sent: the first one ever, the first one that happens after the request, or the one " +
      "with this event_id.",
  )
  .meta({ examples: ["now"] });
export type StartFrom = z.infer<typeof StartFrom>;

const NewTls = NewClientTls.nullable().describe("What is shown to the receiver's server, where it asks who it is.");
const NewTokens = NewOAuth.nullable().describe("Where the receiver gives access tokens, where it wants one.");

export const NewWebhook = z.strictObject({
  connector_id: field.Connector,
  display_name: field.GivenDisplayName,
  delivery_url: DeliveryUrl.describe("Where events are sent."),
  subscription_filter: SubscriptionFilter.default({}),
  rate_limit_per_second: RatePerSecond.default(50),
  pending_ceiling: PendingCeiling.default(10_000),
  dlq_ceiling: DlqCeiling.default(1_000),
  ordering: Ordering.default("subscription"),
  payload: Payload.default("full"),
  format: Format.default("envelope"),
  batch: Batches.default(null),
  signature: Signature.default("hmac"),
  client_tls: NewTls.default(null),
  oauth: NewTokens.default(null),
  contact_webhook_id: Contact.default(null),
  acknowledge_url_reuse: Acknowledge.default(false),
  start_from: StartFrom.default("beginning"),
});

export type NewWebhook = z.infer<typeof NewWebhook>;

/** Without any field it changes nothing, and answers the record. */
export const WebhookEdit = z
  .strictObject({
    display_name: field.GivenDisplayName,
    delivery_url: DeliveryUrl.describe("Where events are sent."),
    subscription_filter: SubscriptionFilter,
    rate_limit_per_second: RatePerSecond,
    pending_ceiling: PendingCeiling,
    dlq_ceiling: DlqCeiling,
    ordering: Ordering,
    payload: Payload,
    format: Format,
    batch: Batches,
    signature: Signature,
    client_tls: NewTls,
    oauth: NewTokens,
    contact_webhook_id: Contact,
    status: z.enum(["active", "paused"]).describe("Where the record stands in its life."),
    acknowledge_url_reuse: Acknowledge,
  })
  .partial();

export const Count = z
  .int()
  .nonnegative()
  .meta({ examples: [120] });
export const Rate = z
  .number()
  .min(0)
  .max(1)
  .nullable()
  .meta({ examples: [0.99] });

export const WebhookSubscription = z
  .strictObject({
    subscription_id: SubscriptionId,
    connector_id: field.Connector,
    display_name: Text(128, "Acme ERP").describe("Name for people."),
    delivery_url: Text(MAX_URL, "https://partner.example.com/hooks").describe("Where events are sent."),
    subscription_filter: z.unknown().describe("As it is stored; a malformed one pauses the subscription."),
    status: z
      .enum(Object.keys(webhookSubscriptionStates) as [keyof typeof webhookSubscriptionStates])
      .describe("Where the record stands in its life."),
    pause_reason: z
      .enum(["manual", "pending_ceiling", "dlq_ceiling", "malformed_filter", "gone"])
      .nullable()
      .describe("Why the webhook is paused; `gone` where its receiver has ended it by the answer 410."),
    rate_limit_per_second: RatePerSecond,
    pending_ceiling: PendingCeiling,
    dlq_ceiling: DlqCeiling,
    ordering: Ordering,
    payload: Payload,
    format: Format,
    batch: Batches,
    contact_webhook_id: Contact,
    last_delivered_event_id: Count.describe("The newest event that was delivered."),
    created_at: field.CreatedAt,
    updated_at: field.UpdatedAt,
    ...KeyFields.shape,
    stats: z
      .strictObject({
        attempts_24h: Count.describe("Attempts of the last 24 hours."),
        succeeded_24h: Count.describe("Attempts of the last 24 hours that succeeded."),
        failed_24h: Count.describe("Attempts of the last 24 hours that failed."),
        dlq_24h: Count.describe("Deliveries that were given up in the last 24 hours."),
        success_rate_24h: Rate.describe("Share of the attempts of the last 24 hours that succeeded."),
        pending_count: Count.describe("Deliveries that wait."),
      })
      .meta({ id: "WebhookDay", description: "Figures of the last 24 hours." }),
  })
  .meta({ id: "WebhookSubscription", description: "A URL that events are sent to, with its figures of 24 hours." });
export type WebhookSubscription = z.infer<typeof WebhookSubscription>;

export const Secret = z.string().meta({ description: "Shown here and never again.", examples: ["whsec_…"] });
export const RotatedSecret = z
  .strictObject({
    subscription_id: SubscriptionId,
    secret: Secret,
    secret_generation: z.literal(1).describe("Which of the secrets that one is: the newest."),
    public_key: PublicKey.optional(),
  })
  .meta({ id: "RotatedWebhookSecret", description: "A webhook's new secret." });
export const IssuedWebhook = RotatedSecret.extend(
  WebhookSubscription.pick({
    connector_id: true,
    display_name: true,
    delivery_url: true,
    created_at: true,
    rate_limit_per_second: true,
    pending_ceiling: true,
    dlq_ceiling: true,
    ordering: true,
  }).shape,
)
  .extend({ status: z.literal("active").describe("Where the record stands in its life.") })
  .meta({ id: "IssuedWebhook", description: "A webhook that was made, with its secret." });
