import { createHash } from "node:crypto";
import type { Envelope } from "../../platform/events/envelope.js";
import { bodyOf } from "../wire/send.js";
import type { Batch, Format, Payload } from "./shapes.js";
import { TEST_EVENT, type TestEvent } from "./test-event.js";

/** What of a subscription decides how its requests look. */
export interface Form {
  payload: Payload;
  format: Format;
  batch: Batch | null;
}

/** An event, and the id of its message, which is the same whenever it is sent. */
export interface Sent {
  event: Envelope | TestEvent;
  messageId: string;
}

/** One request: its id, what its headers say of it, and its body. */
export interface Message {
  messageId: string;
  eventId: number;
  eventType: string;
  /** In the place of those that every request has, or beside them. */
  headers: Record<string, string>;
  body: Buffer;
}

/** The type of a request that has several events. */
export const BATCH = "webhook.batch";

/** The id of the message of an event. */
export const messageIdOf = (subscriptionId: string, event: { event_id: number }) =>
  `evt_${subscriptionId}_${event.event_id}`;

/** The request for an event; where the subscription has batches, that for these events, in their order. */
export function messageOf(subscriptionId: string, sent: [Sent, ...Sent[]], form: Form): Message {
  const [{ event, messageId }] = sent;
  const contents = sent.map((one) => contentOf(one, form));
  const { batch, format } = form;
  if (!batch)
    return {
      ...{ messageId, eventId: event.event_id, eventType: event.event_type, body: bodyOf(contents[0] as object) },
      headers: headersFor[format](event, messageId),
    };
  return {
    ...{ messageId: batchId(subscriptionId, sent), eventId: event.event_id, eventType: BATCH },
    ...{ headers: format === "cloudevents-structured" ? contentType("cloudevents-batch+json") : {} },
    body: bodyOf(contents),
  };
}

/** The same for the same events, and for no others. */
function batchId(subscriptionId: string, sent: Sent[]): string {
  const ids = createHash("sha256")
    .update(sent.map(({ messageId }) => messageId).join())
    .digest("hex");
  return `batch_${subscriptionId}_${ids.slice(0, 32)}`;
}

const contentType = (subtype: string) => ({ "Content-Type": `application/${subtype}; charset=utf-8` });

type HeadersFor = (event: Envelope | TestEvent, messageId: string) => Record<string, string>;

const headersFor: Record<Format, HeadersFor> = {
  envelope: () => ({}),
  "cloudevents-binary": (event, messageId) =>
    Object.fromEntries(
      Object.entries(attributesOf(event, messageId)).map(([name, value]) => [`ce-${name}`, encodeURI(value)]),
    ),
  "cloudevents-structured": () => contentType("cloudevents+json"),
};

function contentOf({ event, messageId }: Sent, { payload, format }: Form): object {
  const content = payload === "thin" ? thin(event) : event;
  if (format !== "cloudevents-structured") return content;
  return { ...attributesOf(event, messageId), datacontenttype: "application/json", data: content };
}

/** The context of a CloudEvent 1.0; its id is that of the message, as a test event has no number of its own. */
const attributesOf = (event: Envelope | TestEvent, messageId: string) => ({
  specversion: "1.0",
  id: messageId,
  source: event.epoch ? `urn:uuid:${event.epoch}` : "/api/v1/events",
  type: event.event_type,
  subject: `${event.aggregate_type}/${event.aggregate_id}`,
  time: event.event_timestamp,
});

/** What happened to which record, and where a token that may poll finds the rest; a test is not kept there. */
function thin({ data: _, ...event }: Envelope | TestEvent): object {
  if (event.event_type === TEST_EVENT) return event;
  return { ...event, url: `/api/v1/events?after=${event.event_id - 1}&limit=1` };
}
