import { z } from "zod";
import { TEST_EVENT, TestEvent } from "../../src/outbound/webhooks/test-event.js";
import { type EventType, events, eventTypes } from "../../src/platform/events/catalog.js";
import * as field from "../../src/platform/fields/index.js";
import { OrderStatus, PoStatus } from "../../src/platform/statuses.js";
import { pascalCase, ref } from "./components.js";
import type { SchemaComponents } from "./schemas.js";

const header = (name: string, description: string, example: string) => ({
  name,
  in: "header",
  required: true,
  description,
  schema: { type: "string", examples: [example] },
});

export const headers = [
  header("X-Service-Event-Type", "The event's type; not signed.", "ship.confirmed"),
  header("X-Service-Delivery-Id", "`<event_id>:<timestamp>` of this attempt; not signed.", "4711:1780000000"),
  header("X-Service-Timestamp", "When the attempt was signed, in seconds since 1970.", "1780000000"),
  header(
    "X-Service-Signature",
    "`sha256=` and the hexadecimal HMAC-SHA256 over `<X-Service-Timestamp>.<body>`; the key is the text of the secret.",
    "sha256=37a5fb2111b5da64ef90471c602b779816566db9f9b6a6bd32df5658474ea437",
  ),
  header("X-Service-Signature-Generation", "Which secret signed: `1`, the newest.", "1"),
  header(
    "webhook-id",
    "Id of the message, the same in every attempt (Standard Webhooks).",
    "evt_6b0d3f0e-3d0c-4c35-8a53-0a5c1f5c9a11_4711",
  ),
  header("webhook-timestamp", "When the attempt was signed, in seconds since 1970 (Standard Webhooks).", "1780000000"),
  header(
    "webhook-signature",
    "`v1,` and the base64 HMAC-SHA256 over `<webhook-id>.<webhook-timestamp>.<body>`, for each secret that holds " +
      "(Standard Webhooks).",
    "v1,sYfWi7msVcpLT+/kNL94GMtKVAzJAgBm8+3kuzxd9G8=",
  ),
];

/** The components of the headers that come with every event. */
export const webhookHeaders = Object.fromEntries(headers.map((parameter) => [parameter.name, parameter]));

const responses = {
  "2XX": { description: "The event is stored. Anything else is a failure, and the event comes again." },
  "4XX": { description: "A failure: the event comes again, up to eight attempts." },
  "5XX": { description: "A failure: the event comes again, up to eight attempts." },
};

const testResponses = {
  "2XX": { description: "The webhook works." },
  "4XX": { description: "It does not; the test is not repeated." },
  "5XX": { description: "It does not; the test is not repeated." },
};

/** The requests for each event type to a subscribed webhook, and those that test one. */
export function webhooks(schemas: SchemaComponents): Record<string, object> {
  const ofEvent = (type: EventType) => {
    const schema = envelope(type);
    return received(type, schemas.use(schema, "output"), {
      summary: events[type].summary,
      description: "Sent to the `delivery_url` of each active webhook whose filter wants the event; docs/webhooks.md.",
      responses,
    });
  };
  const test = received(TEST_EVENT, schemas.use(TestEvent, "output"), {
    summary: "Somebody wants to see whether the webhook works",
    description:
      "Sent once when it is asked for, whatever the filter, also to a paused webhook; it is not an event of the " +
      "stream. docs/webhooks.md.",
    responses: testResponses,
  });
  return { ...Object.fromEntries(eventTypes.map((type) => [type, ofEvent(type)])), [TEST_EVENT]: test };
}

const received = (
  type: string,
  schema: object,
  texts: { summary: string; description: string; responses: object },
) => ({
  post: {
    operationId: `on${pascalCase(type)}`,
    tags: ["Webhooks"],
    ...texts,
    security: [],
    parameters: headers.map(({ name }) => ref("parameters", name)),
    requestBody: { required: true, content: { "application/json": { schema } } },
  },
});

/** The schemas of the payloads, which partners fetch, have these as texts. */
const statuses: Partial<Record<EventType, z.ZodType>> = {
  "purchaseorderedit.completed": PoStatus,
  "salesorderedit.completed": OrderStatus,
};

/** An event of a type, as it is polled and delivered. */
export function envelope(type: EventType): z.ZodType {
  const name = pascalCase(type);
  const { aggregate, payload } = events[type];
  const status = statuses[type];
  const data = status ? payload.extend({ status }) : payload;
  return z
    .object({
      event_id: z
        .int()
        .nonnegative()
        .meta({ description: "Number of the event; without gaps, in the order of commits.", examples: [4711] }),
      event_type: z.literal(type).describe("The type of the event, such as `ship.confirmed`."),
      event_version: field.EventVersion,
      event_timestamp: field.EventTimestamp,
      aggregate_type: z.literal(aggregate).describe("What kind of record the event is about."),
      aggregate_id: field.AggregateId,
      warehouse_id: field.WarehouseId,
      source_txn_id: field.SourceTxnId,
      data: data.meta({ id: `${name}Data`, description: `What the event ${type} tells.` }),
    })
    .meta({ id: `${name}Event`, description: `${events[type].summary}.` });
}
