import { z } from "zod";
import { Id, Time } from "../../src/fields.js";
import { type EventType, events, eventTypes } from "../../src/outbound/events/catalog.js";
import { ref } from "./components.js";
import type { SchemaComponents } from "./schemas.js";

const header = (name: string, description: string, example: string) => ({
  name,
  in: "header",
  required: true,
  description,
  schema: { type: "string", examples: [example] },
});

const headers = [
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

/** What is sent for each event type, to a webhook that is subscribed to it. */
export function webhooks(schemas: SchemaComponents): Record<string, object> {
  return Object.fromEntries(eventTypes.map((type) => [type, { post: delivery(type, schemas) }]));
}

function delivery(type: EventType, schemas: SchemaComponents) {
  const name = pascalCase(type);
  return {
    operationId: `on${name}`,
    tags: ["Webhooks"],
    summary: `The event ${type}`,
    description: "Sent to the `delivery_url` of each active webhook whose filter wants the event; docs/webhooks.md.",
    security: [],
    parameters: headers.map(({ name }) => ref("parameters", name)),
    requestBody: {
      required: true,
      content: { "application/json": { schema: schemas.use(envelope(type, name), "output") } },
    },
    responses,
  };
}

function envelope(type: EventType, name: string): z.ZodType {
  const { aggregate, payload } = events[type];
  return z
    .object({
      event_id: z
        .int()
        .nonnegative()
        .meta({ examples: [4711] }),
      event_type: z.literal(type),
      event_version: z.literal(1),
      event_timestamp: Time,
      aggregate_type: z.literal(aggregate),
      aggregate_id: z.uuid(),
      warehouse_id: Id,
      source_txn_id: z.uuid(),
      data: payload.meta({ id: `${name}Data`, description: `What the event ${type} tells.` }),
    })
    .meta({ id: `${name}Event`, description: `The event ${type}.` });
}

/** `cycle_count.adjusted` as `CycleCountAdjusted`. */
const pascalCase = (type: string) => type.replace(/(?:^|[._])(\w)/g, (_, letter: string) => letter.toUpperCase());
