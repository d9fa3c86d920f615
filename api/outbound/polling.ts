import { z } from "zod";
import { acknowledge, noteHeartbeat } from "../../activities/outbound/polling.js";
import { sequenceAll } from "../../activities/outbound/sequencer.js";
import { groupOf } from "../../src/outbound/polling/group.js";
import { eventsAfter, horizon } from "../../src/outbound/polling/queries.js";
import { selectionOf } from "../../src/outbound/polling/selection.js";
import {
  Acknowledged,
  Acknowledgement,
  GroupName,
  KnownEpoch,
  PollFilter,
  QueryAcknowledgement,
  QueryCursor,
} from "../../src/outbound/polling/shapes.js";
import { checkKept, checkPlace } from "../../src/outbound/polling/stream.js";
import {
  AckScopeViolation,
  ConsumerGroupNotFound,
  CursorBeyondHorizon,
  GroupScopeViolation,
  ScopeViolation,
  StreamEpochChanged,
  SubscriptionInvalid,
  TwoStarts,
  UnknownEventSchema,
} from "../../src/outbound/problems.js";
import { db } from "../../src/platform/db/db.js";
import { type EventType, events, eventTypes, payloadSchema } from "../../src/platform/events/catalog.js";
import { Aggregate, Envelope, Epoch, EventId, EventTypeName } from "../../src/platform/events/envelope.js";
import * as field from "../../src/platform/fields/index.js";
import { listed } from "../../src/platform/fields.js";
import { JsonText } from "../../src/platform/json-text.js";
import { outbound, route } from "../http/route.js";

/** Polling and acknowledging events: docs/interface.md, Polling. */

const example = (value: unknown) => ({ examples: [value] });

export const pollEvents = route("get /api/v1/events", {
  for: outbound("events.poll"),
  summary: "The next events after a cursor, in order; a full page means that there may be more",
  query: z.strictObject({
    after: QueryCursor.optional().describe("Only events after this one."),
    consumer_group: GroupName.optional(),
    ...PollFilter.shape,
    limit: field.LimitParam.default(500),
    epoch: KnownEpoch,
  }),
  answers: {
    200: z.strictObject({
      events: z.array(Envelope).describe("The events, in the order of their numbers."),
      next_cursor: EventId.describe("Where the next page begins."),
      epoch: Epoch,
    }),
  },
  errors: [
    ...[TwoStarts, ScopeViolation, ConsumerGroupNotFound, GroupScopeViolation, SubscriptionInvalid],
    ...[CursorBeyondHorizon, StreamEpochChanged],
  ],
  run: async ({ query, token }) => {
    const { after, consumer_group, limit } = query;
    if (after !== undefined && consumer_group !== undefined) throw TwoStarts();
    const group = consumer_group === undefined ? undefined : await groupOf(db, token, consumer_group);
    if (group?.silent) await noteHeartbeat(group.consumer_group_id);
    const start = group?.last_cursor ?? after ?? 0;
    const selection = selectionOf(token, query, group?.subscription);
    const reach = await horizon();
    checkPlace(reach, start, query.epoch);
    if (after !== undefined) checkKept(reach, after);
    // No worker numbers events, so this request does; they become visible two seconds later.
    if (reach.late) await sequenceAll();
    const { bytes, last } = await eventsAfter(start, reach, limit, selection);
    return new JsonText(`{"events":[${bytes}],"next_cursor":${last},"epoch":"${reach.epoch}"}`, "latin1");
  },
});

const acknowledgement = {
  for: outbound("events.ack"),
  summary: "Moves the cursor of a consumer group forward; it never goes back",
  answers: { 200: Acknowledged },
  errors: [
    ConsumerGroupNotFound,
    GroupScopeViolation,
    SubscriptionInvalid,
    CursorBeyondHorizon,
    AckScopeViolation,
    StreamEpochChanged,
  ],
};

export const acknowledgeEvents = route("post /api/v1/events/ack", {
  ...acknowledgement,
  body: Acknowledgement,
  run: ({ body, token }) => acknowledge(body, token),
});

/** As the specification lists it (4.9); the same as POST (09, 1). */
export const acknowledgeEventsByGet = route("get /api/v1/events/ack", {
  ...acknowledgement,
  query: QueryAcknowledgement,
  run: ({ query, token }) => acknowledge(query, token),
});

export const listEventTypes = route("get /api/v1/events/types", {
  for: outbound("events.types"),
  summary: "The event types that the token may see",
  answers: {
    200: z.strictObject({
      types: z
        .array(
          z.strictObject({
            event_type: EventTypeName,
            versions: z.array(z.literal(1)).describe("The versions of the type."),
            aggregate_type: Aggregate,
          }),
        )
        .describe("The types, each with its versions."),
    }),
  },
  run: ({ token }) => ({
    types: eventTypes
      .filter((type) => token.event_types.includes(type))
      .map((event_type) => ({ event_type, versions: [1 as const], aggregate_type: events[event_type].aggregate })),
  }),
});

export const getEventSchema = route("get /api/v1/events/schema/:type/:version", {
  for: outbound("events.schema"),
  summary: "JSON Schema (2020-12) of the `data` of an event type",
  params: z.object({
    type: listed(z.string(), eventTypes).meta(example("ship.confirmed")).describe("Name of the type."),
    version: listed(z.string(), ["1"]).meta(example("1")).describe("Version of the event type."),
  }),
  mediaType: "application/schema+json",
  answers: {
    200: z.looseObject({
      $schema: z
        .string()
        .meta(example("https://json-schema.org/draft/2020-12/schema"))
        .describe("Which draft of JSON Schema the document follows."),
    }),
  },
  errors: [UnknownEventSchema],
  run: ({ params: { type, version } }) => {
    if (!Object.hasOwn(events, type) || version !== "1") throw UnknownEventSchema();
    return payloadSchema(type as EventType) as { $schema: string };
  },
});
