import { z } from "zod";
import { Envelope } from "../../platform/events/envelope.js";
import * as field from "../../platform/fields/index.js";
import { AnyText, CappedLimit, IntText, listed, Moment, Text, Time } from "../../platform/fields.js";
import { list } from "../../platform/list.js";
import { InvalidPagination, InvalidWindow } from "../problems.js";
import { errorKinds } from "../wire/error-kinds.js";
import { Count, Rate, SubscriptionId } from "./shapes.js";

/** Webhook deliveries: docs/interface.md, Webhooks. */

/** The windows of statistics. */
export const windows = ["1h", "6h", "24h", "7d"] as const;
export type Window = (typeof windows)[number];

const DeliveryId = z
  .int()
  .positive()
  .meta({ examples: [1] });
export const DeliveryInPath = IntText(z.int().positive()).describe("The attempt.");

const wholeFrom = (least: number) => (text: string) => {
  const number = Number(text);
  if (!/^\d+$/.test(text) || number < least || number > 2_147_483_647) throw InvalidPagination();
  return number;
};
const MOST_DEAD = 500;
const sortable = ["delivery_id", "d.event_id", "attempt_number", "http_status", "error_kind", "completed_at"];
export const deadList = list("delivery_id", ...sortable);
export const errorList = list("delivery_id", ...sortable, "display_name as subscription_display_name", "d.status");
export const deliveryList = list("delivery_id", ...sortable, "d.status", "attempted_at", "scheduled_at");

/** Paging as in other lists, but with a problem of its own for what is no number. */
export const DeadQuery = z.strictObject({
  sort: deadList.parameters.sort,
  limit: z
    .string()
    .default("50")
    .transform(wholeFrom(1))
    .transform((limit) => Math.min(limit, MOST_DEAD))
    .describe(`From 1; more than ${MOST_DEAD} is taken as ${MOST_DEAD}.`),
  offset: z.string().default("0").transform(wholeFrom(0)).describe("From 0"),
});
export type DeadQuery = z.infer<typeof DeadQuery>;

export const WindowQuery = z.strictObject({
  window: listed(z.string(), windows)
    .default("24h")
    .transform((text) => {
      const found = windows.find((window) => window === text);
      if (!found) throw InvalidWindow({}, { valid: windows });
      return found;
    })
    .describe("The time that is looked at."),
});

const ErrorKindName = z.enum(Object.keys(errorKinds) as [keyof typeof errorKinds]);
/** What came of a test that was sent, of a webhook or a notification destination. */
export const TestOutcome = z.strictObject({
  delivered: z.boolean().describe("Whether the destination accepted the message."),
  status_code: z
    .int()
    .nullable()
    .meta({ description: "What the destination answered, if it did.", examples: [202] }),
  error_kind: ErrorKindName.nullable().describe("The kind of failure."),
  error_detail: field.ErrorDetail.nullable(),
});
export type TestOutcome = z.infer<typeof TestOutcome>;

export const TestedWebhook = TestOutcome.extend({
  subscription_id: SubscriptionId,
  response_time_ms: z
    .int()
    .nonnegative()
    .nullable()
    .meta({ description: "How long the attempt took; null when none was made.", examples: [120] }),
}).meta({ id: "TestedWebhook", description: "What came of a test event; never what the partner answered." });
export type TestedWebhook = z.infer<typeof TestedWebhook>;

export const FailedAttempt = z.strictObject({
  delivery_id: DeliveryId.describe("The attempt."),
  event_id: Count.describe("Number of the event; without gaps, in the order of commits."),
  attempt_number: z
    .int()
    .min(1)
    .max(8)
    .meta({ description: "Which attempt it is, from 1 to 8.", examples: [8] }),
  http_status: z
    .int()
    .nullable()
    .meta({ description: "What the receiver answered; null when it did not.", examples: [503] }),
  error_kind: field.GivenErrorKind.nullable(),
  error_detail: Text(512, "HTTP 503").nullable().describe("More about the failure."),
  attempted_at: Time.nullable().describe("When it was attempted."),
  completed_at: Time.describe("When the attempt ended."),
  scheduled_at: Time.describe("When it was due."),
});
export type FailedAttempt = z.infer<typeof FailedAttempt>;

const DeliveredEvent = z
  .strictObject({
    event_type: field.EventType,
    event_timestamp: field.EventTimestamp,
    aggregate_external_id: z.guid().describe("UUID of the record that the event is about."),
    warehouse_id: field.WarehouseId,
    source_txn_id: z.guid().describe("Id of the request that caused the event."),
  })
  .meta({ id: "WebhookDeliveryEvent", description: "The event of a delivery, without its payload." });

export const DeadDelivery = FailedAttempt.extend({
  secret_generation: z.literal([1, 2]).nullable().describe("Which secret signed the attempt; 1 is the newest."),
  event: DeliveredEvent.nullable().describe("What the event is; null once it is gone."),
}).meta({ id: "DeadWebhookDelivery", description: "A delivery that was given up; its event, if that still exists." });
export type DeadDelivery = z.infer<typeof DeadDelivery>;

const DeliveryStatus = z.enum(["pending", "in_flight", "succeeded", "failed", "dlq"]);

export const Delivery = DeadDelivery.extend({
  status: DeliveryStatus.describe("Where the record stands in its life."),
  completed_at: field.CompletedAt.nullable(),
}).meta({ id: "WebhookDelivery", description: "An attempt to deliver an event; its event, if that still exists." });
export type Delivery = z.infer<typeof Delivery>;

export const DeliveryDetail = Delivery.extend({
  body: Envelope.nullable().meta({ description: "What is sent; null once the event is gone." }),
}).meta({ id: "WebhookDeliveryDetail", description: "An attempt with what is sent: the event, if that still exists." });
export type DeliveryDetail = z.infer<typeof DeliveryDetail>;

export const DeliveryFilters = z.object({
  ...deliveryList.parameters,
  status: DeliveryStatus.optional().describe("Only deliveries that stand there."),
  event_type: field.EventType.optional(),
});
export type DeliveryFilters = z.infer<typeof DeliveryFilters>;

export const LoggedError = FailedAttempt.extend({
  subscription_id: SubscriptionId,
  subscription_display_name: Text(128, "Acme ERP").describe("Name of the webhook."),
  connector_id: field.Connector,
  status: z.enum(["failed", "dlq"]).describe("Where the record stands in its life."),
  short_message: z
    .string()
    .meta({ description: "The failure in a few words.", examples: ["Error at the destination"] }),
  description: AnyText("Mug of blue enamel, 350 ml").describe("What the kind of failure means."),
  triage_hint: AnyText("Look at the receiver's log at the time of the attempt").describe("What to look at first."),
}).meta({ id: "WebhookError", description: "A failed attempt of a delivery, and what to do about it." });
export type LoggedError = z.infer<typeof LoggedError>;

/** The answer of a list with `limit` and `offset`. */
export const sliced = <S extends z.ZodType>(deliveries: S) =>
  z.strictObject({
    deliveries: z.array(deliveries).describe("The attempts."),
    total: Count.describe("How many records there are on all pages together."),
    limit: field.Limit,
    offset: z.int().describe("How many records are skipped."),
  });

export const ErrorKinds = z.array(ErrorKindName).describe("The kinds of failure.");

export const ErrorQuery = z.strictObject({
  sort: errorList.parameters.sort,
  limit: CappedLimit(500).default(50),
  offset: field.OffsetParam.default(0),
  subscription_id: SubscriptionId.optional(),
  error_kind: ErrorKindName.optional().describe("The kind of failure."),
  from: Moment.optional().describe("From this time on."),
  to: Moment.optional().describe("Up to this time."),
});

export type ErrorQuery = z.infer<typeof ErrorQuery>;

const ReplayFilter = z.strictObject({
  status: z.enum(["dlq", "failed", "succeeded"]).default("dlq").describe("Only deliveries that stand there."),
  event_type: field.EventType.optional(),
  warehouse_id: field.WarehouseId.optional(),
  completed_at_from: Moment.optional().describe("From this time on."),
  completed_at_to: Moment.optional().describe("Up to this time."),
});

/** Which deliveries are replayed; each of their events is sent once, however many attempts it took. */
export type ReplayFilter = z.infer<typeof ReplayFilter>;

/** The same in a query. */
export const ReplayQuery = z.object({ ...ReplayFilter.shape, warehouse_id: field.WarehouseIdParam.optional() });

export const ReplayCount = z
  .strictObject({ count: Count.describe("How many deliveries would be sent again.") })
  .meta({ id: "WebhookReplayCount", description: "How much a replay would send." });
export type ReplayCount = z.infer<typeof ReplayCount>;

export const ReplayBatch = z.strictObject({
  filter: ReplayFilter.prefault({}).describe("Which deliveries to send again."),
  acknowledge_large_replay: z.boolean().default(false).describe("The batch may be above the hard cap."),
});

export const Replayed = z
  .strictObject({
    subscription_id: SubscriptionId,
    impact_count: Count.describe("How many deliveries are concerned."),
    replayed_count: Count.describe("How many deliveries are sent again."),
    matched_with_event_data: Count.describe("How many of them have their event still."),
    matched_without_event_data: Count.describe("How many of them have lost their event."),
    detail: field.Detail.optional(),
  })
  .meta({ id: "ReplayedWebhookDeliveries", description: "How much is sent again." });

/** What is to be attempted at once. */
export const AttemptNow = z.strictObject({
  delivery_id: DeliveryId.optional().describe("Which one; without it, all that wait for an attempt after a failure."),
});
export type AttemptNow = z.infer<typeof AttemptNow>;

export const AttemptedNow = z
  .strictObject({
    subscription_id: SubscriptionId,
    attempts: Count.describe("How many attempts are made now instead of later; what waits behind them goes on then."),
  })
  .meta({ id: "AttemptedNow", description: "What is attempted at once." });
export type AttemptedNow = z.infer<typeof AttemptedNow>;

/** A delivery that is sent again. */
export const ReplayedDelivery = z
  .strictObject({
    subscription_id: SubscriptionId,
    original_delivery_id: DeliveryId.describe("The delivery that is sent again."),
    replayed_delivery_id: DeliveryId.describe("The new delivery."),
  })
  .meta({ id: "ReplayedWebhookDelivery", description: "A delivery that is sent again, as a new one." });

const Milliseconds = z.number().nonnegative().nullable();
export const WebhookStats = z
  .strictObject({
    subscription_id: SubscriptionId,
    window: z.enum(windows).describe("The time that is looked at."),
    generated_at: z
      .int()
      .meta({ description: "When the figures were made, in seconds since 1970.", examples: [1_778_068_800] }),
    attempts_total: Count.describe("Attempts in the window."),
    succeeded: Count.describe("Attempts in the window that succeeded."),
    failed: Count.describe("Attempts in the window that failed."),
    dlq: Count.describe("Deliveries in the window that were given up."),
    in_flight: Count.describe("Attempts under way."),
    pending: Count.describe("Deliveries that wait."),
    success_rate: Rate.describe("Share of the attempts that succeeded."),
    response_time_ms: z
      .strictObject({
        p50: Milliseconds.describe("Half took no longer."),
        p95: Milliseconds.describe("95 of 100 took no longer."),
        p99: Milliseconds.describe("99 of 100 took no longer."),
      })
      .describe("How long receivers took, in milliseconds."),
    top_error_kinds: z
      .array(
        z.strictObject({
          kind: AnyText("timeout").describe("The kind of failure."),
          count: Count.describe("How many."),
        }),
      )
      .max(5)
      .describe("The most frequent kinds of failure."),
    current_lag: Count.describe("How far the webhook is behind the newest event."),
  })
  .meta({ id: "WebhookStats", description: "How the deliveries of a subscription went within a window." });
export type WebhookStats = z.infer<typeof WebhookStats>;
