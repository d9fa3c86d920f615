import { z } from "zod";
import { BATCH } from "../../src/outbound/webhooks/message.js";
import { TEST_EVENT, TestEvent } from "../../src/outbound/webhooks/test-event.js";
import { version } from "../../src/platform/config/config.js";
import { events, eventTypes } from "../../src/platform/events/catalog.js";
import { Envelope, Epoch, EventId } from "../../src/platform/events/envelope.js";
import { pascalCase } from "./components.js";
import { exampleOf, type JsonSchema } from "./example.js";
import { SchemaComponents } from "./schemas.js";
import { envelope, headers } from "./webhooks.js";

/** A message as the document names it. */
interface Message {
  name: string;
  title: string;
  summary: string;
  payload: JsonSchema;
  /** Whether it comes as the request to a webhook, with its headers. */
  isPosted: boolean;
  contentType?: string;
}

const Thin = Envelope.omit({ data: true })
  .extend({
    url: z.string().meta({
      description: "Where the service tells the rest to a token that may poll.",
      examples: ["/api/v1/events?after=4710&limit=1"],
    }),
  })
  .meta({ id: "ThinEvent", description: "What happened to which record, and where the rest can be fetched." });

const CloudEvent = z
  .strictObject({
    specversion: z.literal("1.0"),
    id: z
      .string()
      .meta({ description: "As `webhook-id`.", examples: ["evt_6b0d3f0e-3d0c-4c35-8a53-0a5c1f5c9a11_4711"] }),
    source: z.string().meta({
      description: "The epoch of the stream.",
      examples: ["urn:uuid:0d9f2f5e-5c0f-4c8e-9d5b-1a2b3c4d5e6f"],
    }),
    type: z.string().meta({ description: "The type of the event.", examples: ["ship.confirmed"] }),
    subject: z.string().meta({
      description: "The record that the event is about.",
      examples: ["sales_order/0b9b4a0e-6d3c-4a0f-9f1e-0d6c1f1f2a3b"],
    }),
    time: Envelope.shape.event_timestamp,
    datacontenttype: z.literal("application/json"),
    data: Envelope,
  })
  .meta({ id: "CloudEvent", description: "An event in structured mode (CloudEvents 1.0)." });

const Page = z
  .strictObject({
    events: z.array(Envelope).describe("The events, in the order of their numbers."),
    next_cursor: EventId.describe("Where the next page begins."),
    epoch: Epoch,
  })
  .meta({ id: "EventPage", description: "The next events after a cursor." });

/** The AsyncAPI 3.0 document of all events, as they are delivered by webhooks and polled: from their catalogue. */
export function asyncApi() {
  const components = new SchemaComponents();
  const use = (schema: z.ZodType) => components.use(schema, "output");
  const posted = { isPosted: true };
  const delivered: Message[] = eventTypes.map((type) => ({
    ...{ name: pascalCase(type), title: type, summary: events[type].summary, payload: use(envelope(type)), ...posted },
  }));
  const forms: Message[] = [
    {
      ...{ name: "WebhookTest", title: TEST_EVENT, summary: "Somebody wants to see whether the webhook works" },
      ...{ payload: use(TestEvent), ...posted },
    },
    {
      ...{ name: "WebhookBatch", title: BATCH, summary: "Several events in their order, where a webhook has batches" },
      ...{ payload: use(z.array(Envelope).min(1)), ...posted },
    },
    {
      ...{ name: "WebhookThin", title: "A thin event", summary: "Any event, where a webhook is thin" },
      ...{ payload: use(Thin), ...posted },
    },
    {
      ...{ name: "WebhookCloudEvent", title: "A CloudEvent", summary: "Any event, where a webhook has CloudEvents" },
      ...{ payload: use(CloudEvent), contentType: "application/cloudevents+json", ...posted },
    },
  ];
  const page: Message = {
    ...{ name: "EventPage", title: "A page of events", summary: "The next events after a cursor, in order" },
    ...{ payload: use(Page), isPosted: false },
  };
  const toWebhooks = [...delivered, ...forms];
  const { schemas } = components.finish({});
  return {
    asyncapi: "3.0.0" as const,
    info: {
      title: "Warehouse Execution Service: events",
      version,
      description:
        "What happens in the warehouse, delivered by webhooks (docs/webhooks.md) and polled (docs/polling.md).",
      license: { name: "Apache License 2.0", url: "https://www.apache.org/licenses/LICENSE-2.0" },
    },
    defaultContentType: "application/json",
    servers: {
      partner: server("partner.example.com", "The receiver of a webhook: the host of its `delivery_url`."),
      service: server("warehouse.example.com", "The service itself.", [{ $ref: "#/components/securitySchemes/token" }]),
    },
    channels: {
      webhook: {
        ...{ address: null, title: "A webhook", servers: [{ $ref: "#/servers/partner" }] },
        description: "The `delivery_url` of a subscription. Events come in order, again until they are answered 2xx.",
        messages: named(toWebhooks, ({ name }) => ({ $ref: `#/components/messages/${name}` })),
      },
      polling: {
        ...{ address: "/api/v1/events", title: "The stream of events", servers: [{ $ref: "#/servers/service" }] },
        description: "Whoever polls asks for what comes after the last event that it has read.",
        messages: named([page], ({ name }) => ({ $ref: `#/components/messages/${name}` })),
      },
    },
    operations: {
      deliverEvent: {
        ...{ action: "send", channel: { $ref: "#/channels/webhook" }, summary: "Delivers events to a webhook" },
        messages: toWebhooks.map(({ name }) => ({ $ref: `#/channels/webhook/messages/${name}` })),
        bindings: http("POST"),
      },
      pollEvents: {
        ...{ action: "send", channel: { $ref: "#/channels/polling" }, summary: "Answers the next events" },
        messages: [{ $ref: "#/channels/polling/messages/EventPage" }],
        bindings: http("GET"),
      },
    },
    components: {
      messages: named([...toWebhooks, page], (message) => messageOf(message, schemas)),
      schemas: { ...schemas, WebhookHeaders: headersSchema },
      securitySchemes: {
        token: { type: "httpApiKey", name: "X-WMS-Token", in: "header", description: "An integration token." },
      },
    },
  };
}

const server = (host: string, description: string, security?: object[]) => ({
  ...{ host, protocol: "https", description, ...(security && { security }) },
});

const http = (method: string) => ({ http: { method, bindingVersion: "0.3.0" } });

const named = <T>(messages: Message[], of: (message: Message) => T): Record<string, T> =>
  Object.fromEntries(messages.map((message) => [message.name, of(message)]));

const headersSchema = {
  type: "object",
  properties: Object.fromEntries(headers.map(({ name, description, schema }) => [name, { ...schema, description }])),
  required: headers.map(({ name }) => name),
};

function messageOf({ isPosted, ...message }: Message, schemas: Record<string, JsonSchema>) {
  const whole = (schema: JsonSchema): JsonSchema =>
    JSON.parse(JSON.stringify(schema), (_key, part) =>
      typeof part?.$ref === "string" ? whole(schemas[part.$ref.split("/").at(-1)] as JsonSchema) : part,
    );
  return {
    ...message,
    ...(isPosted && { headers: { $ref: "#/components/schemas/WebhookHeaders" } }),
    examples: [
      {
        ...(isPosted && { headers: exampleOf(headersSchema) as object }),
        payload: exampleOf(whole(message.payload)),
      },
    ],
  };
}
