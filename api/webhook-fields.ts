import { z } from "zod";
import { webhookSubscriptionStates } from "../src/states.js";
import { InvalidSubscriptionId } from "../src/webhooks/problems.js";
import { ConnectorId, Edit, Id, Name, Text, Time } from "./fields.js";

/** The fields of webhook subscriptions: reference 05 §1 and 2. */

/** Of one user, over all that changes subscriptions and deliveries. */
export const WRITES_PER_MINUTE = 60;

const WIDEST_URL = 2048;
/** Whatever its scheme: which ones are allowed is a matter of its own. As it will be compared, it must not be longer either. */
const isUrl = (text: string) =>
  URL.canParse(text) &&
  !/\s/.test(text) &&
  /^(https?:\/\/|(?!https?:))/i.test(text) &&
  new URL(text).href.length <= WIDEST_URL;
const DeliveryUrl = z
  .string()
  .trim()
  .min(1)
  .max(WIDEST_URL)
  .refine(isUrl, "Not a URL")
  .meta({ examples: ["https://partner.example.com/hooks"] });

const MOST_VALUES = 1_000;
const once = <T>(values: T[]) => [...new Set(values)];
/** An empty list is refused by its own name (activities/webhooks/rules.ts). In the order that the database gives the fields back. */
const SubscriptionFilter = z
  .strictObject({
    event_types: z.array(z.string().max(64)).max(64).transform(once).optional(),
    warehouse_ids: z.array(Id).max(MOST_VALUES).transform(once).optional(),
    aggregate_external_id_allowlist: z
      .array(z.guid().toLowerCase())
      .max(MOST_VALUES)
      .transform(once)
      .optional(),
  })
  .meta({
    examples: [{ event_types: ["ship.confirmed"], warehouse_ids: [1] }],
  });

const RatePerSecond = z
  .int()
  .min(1)
  .max(100)
  .meta({ examples: [50] });
/** How high they may be is a matter of the installation. */
const PendingCeiling = z
  .int32()
  .min(100)
  .meta({ examples: [10_000] });
const DlqCeiling = z
  .int32()
  .min(10)
  .meta({ examples: [1_000] });
const Acknowledge = z
  .boolean()
  .describe("A deleted subscription sent to this URL, and that is known.")
  .meta({ examples: [false] });
const EXAMPLE = "7b0e2f4c-5c1d-4e7a-9f53-2d6c8a1b0e9f";
export const SubscriptionId = z.uuid().meta({ examples: [EXAMPLE] });
/** In a path; what is none is told so, rather than not found (reference 05 §2). */
export const SubscriptionInPath = z
  .string()
  .meta({ examples: [EXAMPLE] })
  .transform((text) => {
    if (!z.guid().safeParse(text).success) throw InvalidSubscriptionId();
    return text.toLowerCase();
  });

export const NewWebhook = z.strictObject({
  connector_id: ConnectorId,
  display_name: Name(128, "Acme ERP"),
  delivery_url: DeliveryUrl,
  subscription_filter: SubscriptionFilter.default({}),
  rate_limit_per_second: RatePerSecond.default(50),
  pending_ceiling: PendingCeiling.default(10_000),
  dlq_ceiling: DlqCeiling.default(1_000),
  acknowledge_url_reuse: Acknowledge.default(false),
});

export const WebhookEdit = Edit({
  display_name: Name(128, "Acme ERP"),
  delivery_url: DeliveryUrl,
  subscription_filter: SubscriptionFilter,
  rate_limit_per_second: RatePerSecond,
  pending_ceiling: PendingCeiling,
  dlq_ceiling: DlqCeiling,
  status: z.enum(["active", "paused"]),
  acknowledge_url_reuse: Acknowledge,
});

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

export const WebhookRecord = z.strictObject({
  subscription_id: SubscriptionId,
  connector_id: ConnectorId,
  display_name: Text(128, "Acme ERP"),
  delivery_url: Text(WIDEST_URL, "https://partner.example.com/hooks"),
  subscription_filter: z
    .unknown()
    .describe("As it is stored; a malformed one pauses the subscription."),
  status: z.enum(
    Object.keys(webhookSubscriptionStates) as [
      keyof typeof webhookSubscriptionStates,
    ],
  ),
  pause_reason: z
    .enum(["manual", "pending_ceiling", "dlq_ceiling", "malformed_filter"])
    .nullable(),
  rate_limit_per_second: RatePerSecond,
  pending_ceiling: PendingCeiling,
  dlq_ceiling: DlqCeiling,
  last_delivered_event_id: Count,
  created_at: Time,
  updated_at: Time,
  stats: z.strictObject({
    attempts_24h: Count,
    succeeded_24h: Count,
    failed_24h: Count,
    dlq_24h: Count,
    success_rate_24h: Rate,
    pending_count: Count,
  }),
});

const Secret = z
  .string()
  .describe("Shown here and never again.")
  .meta({ examples: ["whsec_…"] });
export const ShownSecret = z.strictObject({
  subscription_id: SubscriptionId,
  secret: Secret,
  secret_generation: z.literal(1),
});
export const IssuedWebhook = ShownSecret.extend(
  WebhookRecord.pick({
    connector_id: true,
    display_name: true,
    delivery_url: true,
    created_at: true,
    rate_limit_per_second: true,
    pending_ceiling: true,
    dlq_ceiling: true,
  }).shape,
).extend({ status: z.literal("active") });
