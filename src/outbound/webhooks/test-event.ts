import { z } from "zod";
import { Epoch } from "../../platform/events/envelope.js";
import * as field from "../../platform/fields/index.js";
import { SubscriptionId } from "./shapes.js";

export const TEST_EVENT = "webhook.test";

/** Says that it is none of the stream: the first event is 1, so it is below every watermark and raises none. */
export const TestEvent = z
  .strictObject({
    event_id: z.literal(0).describe("Always 0, which no event of the stream has."),
    event_type: z.literal(TEST_EVENT).describe("The type of the event, such as `ship.confirmed`."),
    event_version: field.EventVersion,
    event_timestamp: field.EventTimestamp,
    aggregate_type: z.literal("webhook_subscription").describe("What kind of record the event is about."),
    aggregate_id: SubscriptionId.describe("The subscription that is tested."),
    warehouse_id: z.literal(0).describe("Always 0, which no warehouse has."),
    source_txn_id: field.SourceTxnId,
    epoch: Epoch,
    data: z
      .strictObject({ subscription_id: SubscriptionId, test_id: z.uuid().describe("Another one for each test.") })
      .meta({ id: "WebhookTestData", description: "What the event webhook.test tells." }),
  })
  .meta({ id: "WebhookTestEvent", description: "Somebody wants to see whether the webhook works." });
export type TestEvent = z.infer<typeof TestEvent>;
