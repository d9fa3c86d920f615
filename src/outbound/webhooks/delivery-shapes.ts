import { z } from "zod";
import { Envelope } from "../../platform/events/envelope.js";
import {
  CappedLimit,
  ConnectorId,
  Id,
  IntText,
  listed,
  Moment,
  QueryInt,
  QueryOffset,
  Text,
  Time,
} from "../../platform/fields.js";
import { list } from "../../platform/list.js";
import { errorKinds } from "./error-kinds.js";
import { InvalidPagination, InvalidWindow } from "./problems.js";
import { Count, Rate, SubscriptionId } from "./shapes.js";

/** Webhook deliveries: docs/interface.md, Webhooks. */

/** The windows of statistics. */
export const windows = ["1h", "6h", "24h", "7d"] as const;
export type Window = (typeof windows)[number];

export const DeliveryId = z
  .int()
  .positive()
  .meta({ examples: [1] });
export const DeliveryInPath = IntText(z.int().positive());

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
    }),
});

const ErrorKindName = z.enum(Object.keys(errorKinds) as [keyof typeof errorKinds]);
/** What came of a test that was sent, of a webhook or a notification destination. */
export const TestOutcome = z.strictObject({
  delivered: z.boolean(),
  status_code: z
    .int()
    .nullable()
    .meta({ examples: [202] }),
  error_kind: ErrorKindName.nullable(),
  error_detail: Text(512, "HTTP status 503").nullable(),
});
export type TestOutcome = z.infer<typeof TestOutcome>;

export const TestedWebhook = TestOutcome.extend({
  subscription_id: SubscriptionId,
  response_time_ms: z
    .int()
    .nonnegative()
    .nullable()
    .describe("How long the attempt took; null when none was made.")
    .meta({ examples: [120] }),
}).meta({ id: "TestedWebhook", description: "What came of a test event; never what the partner answered." });
export type TestedWebhook = z.infer<typeof TestedWebhook>;

export const FailedAttempt = z.strictObject({
  delivery_id: DeliveryId,
  event_id: Count,
  attempt_number: z
    .int()
    .min(1)
    .max(8)
    .meta({ examples: [8] }),
  http_status: z
    .int()
    .nullable()
    .meta({ examples: [503] }),
  error_kind: Text(32, "5xx").nullable(),
  error_detail: Text(512, "HTTP 503").nullable(),
  attempted_at: Time.nullable(),
  completed_at: Time.describe("When the attempt ended."),
  scheduled_at: Time,
});
export type FailedAttempt = z.infer<typeof FailedAttempt>;

const DeliveredEvent = z
  .strictObject({
    event_type: Text(64, "ship.confirmed"),
    event_timestamp: Time,
    aggregate_external_id: z.guid(),
    warehouse_id: Id,
    source_txn_id: z.guid(),
  })
  .meta({ id: "WebhookDeliveryEvent", description: "The event of a delivery, without its payload." });

export const DeadDelivery = FailedAttempt.extend({
  secret_generation: z.literal([1, 2]).nullable(),
  event: DeliveredEvent.nullable().describe("What the event is; null once it is gone."),
}).meta({ id: "DeadWebhookDelivery", description: "A delivery that was given up; its event, if that still exists." });
export type DeadDelivery = z.infer<typeof DeadDelivery>;

const DeliveryStatus = z.enum(["pending", "in_flight", "succeeded", "failed", "dlq"]);

export const Delivery = DeadDelivery.extend({
  status: DeliveryStatus,
  completed_at: Time.nullable(),
}).meta({ id: "WebhookDelivery", description: "An attempt to deliver an event; its event, if that still exists." });
export type Delivery = z.infer<typeof Delivery>;

export const DeliveryDetail = Delivery.extend({
  body: Envelope.nullable().meta({ description: "What is sent; null once the event is gone." }),
}).meta({
  id: "WebhookDeliveryDetail",
  description: "An attempt with what is sent: the event, if that still exists.",
});
export type DeliveryDetail = z.infer<typeof DeliveryDetail>;

export const DeliveryFilters = z.object({
  ...deliveryList.parameters,
  status: DeliveryStatus.optional(),
  event_type: Text(64, "ship.confirmed").optional(),
});
export type DeliveryFilters = z.infer<typeof DeliveryFilters>;

export const LoggedError = FailedAttempt.extend({
  subscription_id: SubscriptionId,
  subscription_display_name: Text(128, "Acme ERP"),
  connector_id: ConnectorId,
  status: z.enum(["failed", "dlq"]),
  short_message: z.string().meta({ examples: ["Error at the destination"] }),
  description: z.string().describe("What the kind of failure means."),
  triage_hint: z.string(),
}).meta({ id: "WebhookError", description: "A failed attempt of a delivery, and what to do about it." });
export type LoggedError = z.infer<typeof LoggedError>;

/** The answer of a list with `limit` and `offset`. */
export const sliced = <S extends z.ZodType>(deliveries: S) =>
  z.strictObject({
    deliveries: z.array(deliveries),
    total: Count,
    limit: z.int(),
    offset: z.int(),
  });

export const ErrorKinds = z.array(ErrorKindName);

export const ErrorQuery = z.strictObject({
  sort: errorList.parameters.sort,
  limit: CappedLimit(500).default(50),
  offset: QueryOffset.default(0),
  subscription_id: SubscriptionId.optional(),
  error_kind: ErrorKindName.optional(),
  from: Moment.optional(),
  to: Moment.optional(),
});

export type ErrorQuery = z.infer<typeof ErrorQuery>;

const ReplayFilter = z.strictObject({
  status: z.enum(["dlq", "failed", "succeeded"]).default("dlq"),
  event_type: Text(64, "ship.confirmed").optional(),
  warehouse_id: Id.optional(),
  completed_at_from: Moment.optional(),
  completed_at_to: Moment.optional(),
});

/** Which deliveries are replayed; each of their events is sent once, however many attempts it took. */
export type ReplayFilter = z.infer<typeof ReplayFilter>;

/** The same in a query. */
export const ReplayQuery = z.object({ ...ReplayFilter.shape, warehouse_id: QueryInt.optional() });

export const ReplayCount = z.strictObject({ count: Count.describe("How many deliveries would be sent again.") });
export type ReplayCount = z.infer<typeof ReplayCount>;

export const ReplayBatch = z.strictObject({
  filter: ReplayFilter.prefault({}),
  acknowledge_large_replay: z.boolean().default(false).describe("The batch may be above the hard cap."),
});

export const Replayed = z.strictObject({
  subscription_id: SubscriptionId,
  impact_count: Count,
  replayed_count: Count,
  matched_with_event_data: Count,
  matched_without_event_data: Count,
  detail: z.string().optional(),
});

const Milliseconds = z.number().nonnegative().nullable();
export const WebhookStats = z
  .strictObject({
    subscription_id: SubscriptionId,
    window: z.enum(windows),
    generated_at: z.int().meta({ examples: [1_778_068_800] }),
    attempts_total: Count,
    succeeded: Count,
    failed: Count,
    dlq: Count,
    in_flight: Count,
    pending: Count,
    success_rate: Rate,
    response_time_ms: z.strictObject({
      p50: Milliseconds,
      p95: Milliseconds,
      p99: Milliseconds,
    }),
    top_error_kinds: z.array(z.strictObject({ kind: z.string(), count: Count })).max(5),
    current_lag: Count,
  })
  .meta({ id: "WebhookStats", description: "How the deliveries of a subscription went within a window." });
export type WebhookStats = z.infer<typeof WebhookStats>;
