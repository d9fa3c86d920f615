import { z } from "zod";
import { acknowledge, noteHeartbeat } from "../activities/polling.js";
import { sequenceAll } from "../activities/sequencer.js";
import { ConsumerGroupNotFound } from "../src/consumer-groups/problems.js";
import { db } from "../src/db.js";
import {
  type EventType,
  events,
  eventTypes,
  payloadSchema,
} from "../src/events/catalog.js";
import { groupOf } from "../src/polling/group.js";
import {
  AckScopeViolation,
  CursorBeyondHorizon,
  GroupScopeViolation,
  ScopeViolation,
  SubscriptionInvalid,
  TwoStarts,
  UnknownEventSchema,
} from "../src/polling/problems.js";
import { eventsAfter, horizon } from "../src/polling/queries.js";
import { selectionOf } from "../src/polling/selection.js";
import { Id, Name, QueryInt, Text, Time } from "./fields.js";
import { JsonText, outbound, route } from "./route.js";

const example = (value: unknown) => ({ examples: [value] });
/** Beyond every event, and still a number that JSON keeps. */
const nearest = (cursor: number) => Math.min(cursor, Number.MAX_SAFE_INTEGER);
/** A place among the events, as a 64-bit integer. */
const Cursor = z
  .number()
  .min(0)
  .max(2 ** 63)
  .refine(Number.isInteger, "Expected a whole number")
  .transform(nearest)
  .meta(example(1200));
const QueryCursor = z
  .string()
  .refine(
    (text) => /^\d{1,19}$/.test(text) && BigInt(text) < 2n ** 63n,
    "Expected a whole number from 0 to 9223372036854775807",
  )
  .transform((text) => nearest(Number(text)))
  .meta(example("1200"));
const Group = Name(64, "erp-orders");
const Place = z.int().nonnegative().meta(example(1200));
const TypeName = Text(64, "ship.confirmed");
const aggregates = eventTypes.map((type) => events[type].aggregate);
const Aggregate = z.enum(aggregates);

const Event = z.strictObject({
  event_id: Place,
  event_type: TypeName,
  event_version: z.int().meta(example(1)),
  event_timestamp: Time,
  aggregate_type: Aggregate,
  aggregate_id: z.uuid(),
  warehouse_id: Id,
  source_txn_id: z.uuid(),
  data: z
    .record(z.string(), z.unknown())
    .meta(example({ sales_order_external_id: "4711", carrier: "UPS" })),
});

export const pollEvents = route("get /api/v1/events", {
  for: outbound("events.poll"),
  summary:
    "The next events after a place, in order; a full page means that there may be more",
  query: z.strictObject({
    after: QueryCursor.optional(),
    consumer_group: Group.optional(),
    types: Text(2048, "ship.confirmed,pick.confirmed")
      .transform((list) => list.split(",").map((name) => name.trim()))
      .optional(),
    warehouse_id: QueryInt.optional(),
    limit: z.coerce.number().int().min(1).max(2000).default(500),
  }),
  answers: {
    200: z.strictObject({ events: z.array(Event), next_cursor: Place }),
  },
  errors: [
    TwoStarts,
    ScopeViolation,
    ConsumerGroupNotFound,
    GroupScopeViolation,
    SubscriptionInvalid,
  ],
  run: async ({ query, token }) => {
    const { after, consumer_group, limit } = query;
    if (after !== undefined && consumer_group !== undefined) throw TwoStarts();
    const group =
      consumer_group === undefined
        ? undefined
        : await groupOf(db, token, consumer_group);
    if (group?.silent) await noteHeartbeat(group.consumer_group_id);
    const start = group?.last_cursor ?? after ?? 0;
    const selection = selectionOf(token, query, group?.subscription);
    const { event_id: last, late } = await horizon();
    // No worker numbers events. Those that wait are for a later poll: they are shown two seconds after.
    if (late) await sequenceAll();
    const events = await eventsAfter(start, last, limit, selection);
    return new JsonText(
      `{"events":[${events.text}],"next_cursor":${events.last}}`,
    );
  },
});

const acknowledgement = {
  for: outbound("events.ack"),
  summary:
    "Moves a consumer group behind the events up to a cursor; it never goes back",
  answers: {
    200: z.strictObject({ consumer_group: Group, last_cursor: Place }),
  },
  errors: [
    ConsumerGroupNotFound,
    GroupScopeViolation,
    SubscriptionInvalid,
    CursorBeyondHorizon,
    AckScopeViolation,
  ],
};

export const acknowledgeEvents = route("post /api/v1/events/ack", {
  ...acknowledgement,
  body: z.strictObject({ consumer_group: Group, cursor: Cursor }),
  run: ({ body, token }) => acknowledge(body, token),
});

/** As the specification lists it (4.9); the same as POST (09, 1). */
export const acknowledgeEventsByGet = route("get /api/v1/events/ack", {
  ...acknowledgement,
  query: z.strictObject({ consumer_group: Group, cursor: QueryCursor }),
  run: ({ query, token }) => acknowledge(query, token),
});

export const listEventTypes = route("get /api/v1/events/types", {
  for: outbound("events.types"),
  summary: "The event types that the token may see",
  answers: {
    200: z.strictObject({
      types: z.array(
        z.strictObject({
          event_type: TypeName,
          versions: z.array(z.literal(1)),
          aggregate_type: Aggregate,
        }),
      ),
    }),
  },
  run: ({ token }) => ({
    types: eventTypes
      .filter((type) => token.event_types.includes(type))
      .map((event_type) => ({
        event_type,
        versions: [1 as const],
        aggregate_type: events[event_type].aggregate,
      })),
  }),
});

export const readEventSchema = route(
  "get /api/v1/events/schema/:type/:version",
  {
    for: outbound("events.schema"),
    summary: "JSON Schema (2020-12) of the `data` of an event type",
    params: z.object({
      type: z.string().meta(example("ship.confirmed")),
      version: z.string().meta(example("1")),
    }),
    mediaType: "application/schema+json",
    answers: {
      200: z.looseObject({
        $schema: z
          .string()
          .meta(example("https://json-schema.org/draft/2020-12/schema")),
      }),
    },
    errors: [UnknownEventSchema],
    run: ({ params: { type, version } }) => {
      if (!Object.hasOwn(events, type) || version !== "1")
        throw UnknownEventSchema();
      return payloadSchema(type as EventType) as { $schema: string };
    },
  },
);
