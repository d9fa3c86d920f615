import { z } from "zod";
import {
  createConsumerGroup,
  deleteConsumerGroup,
  updateConsumerGroup,
} from "../activities/consumer-groups.js";
import { scopeOf } from "../src/actor.js";
import {
  ConsumerGroupNotFound,
  DuplicateConsumerGroupId,
  NoFieldsToUpdate,
  ReplayWouldSkipHistory,
} from "../src/consumer-groups/problems.js";
import { consumerGroups } from "../src/consumer-groups/queries.js";
import { WarehouseDenied } from "../src/problem.js";
import {
  UnknownConnectorId,
  UnknownEventTypes,
  UnknownWarehouseIds,
} from "../src/tokens/problems.js";
import { ConnectorId, Id, Name, Time } from "./fields.js";
import { page, route } from "./route.js";

/** Readers of events that the service keeps the place of: reference 04 §2. A USER keeps those that are for no other's warehouse. */

const ConsumerGroupId = Name(64, "acme-erp-orders");

/** What is not said is not narrowed; a list that names nothing would never get an event. */
const Subscription = z.strictObject({
  event_types: z
    .array(z.string().max(64))
    .min(1)
    .max(64)
    .optional()
    .meta({ examples: [["ship.confirmed"]] }),
  warehouse_ids: z
    .array(Id)
    .min(1)
    .max(64)
    .optional()
    .meta({ examples: [[1]] }),
});

const ConsumerGroup = z.strictObject({
  consumer_group_id: ConsumerGroupId,
  connector_id: ConnectorId,
  last_cursor: z
    .int()
    .nonnegative()
    .describe("The newest event_id that the group has acknowledged."),
  last_heartbeat: Time.nullable(),
  subscription: Subscription,
  created_at: Time,
  updated_at: Time,
});

const params = z.strictObject({ consumer_group_id: ConsumerGroupId });

export const listConsumerGroups = route("get /api/admin/consumer-groups", {
  for: page("consumer-groups"),
  summary: "Consumer groups by id, and where each stands",
  answers: { 200: z.strictObject({ consumer_groups: z.array(ConsumerGroup) }) },
  run: async ({ by }) => ({
    consumer_groups: await consumerGroups(scopeOf(by)),
  }),
});

export const addConsumerGroup = route("post /api/admin/consumer-groups", {
  for: page("consumer-groups"),
  summary: "Makes a consumer group, which starts before the first event",
  body: z.strictObject({
    consumer_group_id: ConsumerGroupId,
    connector_id: ConnectorId,
    subscription: Subscription.default({}),
    acknowledge_replay: z
      .boolean()
      .default(false)
      .describe("Needed under an id that was deleted: all events come again."),
  }),
  answers: { 201: ConsumerGroup },
  errors: [
    UnknownConnectorId,
    UnknownEventTypes,
    UnknownWarehouseIds,
    WarehouseDenied,
    DuplicateConsumerGroupId,
    ReplayWouldSkipHistory,
  ],
  run: ({ body, by }) => createConsumerGroup(body, by),
});

export const editConsumerGroup = route(
  "patch /api/admin/consumer-groups/:consumer_group_id",
  {
    for: page("consumer-groups"),
    summary: "Changes which events a group is for, from where it stands",
    params,
    body: z.strictObject({ subscription: Subscription.optional() }),
    answers: { 200: ConsumerGroup },
    errors: [
      NoFieldsToUpdate,
      ConsumerGroupNotFound,
      UnknownEventTypes,
      UnknownWarehouseIds,
      WarehouseDenied,
    ],
    run: ({ params, body: { subscription }, by }) => {
      if (!subscription) throw NoFieldsToUpdate();
      return updateConsumerGroup({ ...params, subscription }, by);
    },
  },
);

export const removeConsumerGroup = route(
  "delete /api/admin/consumer-groups/:consumer_group_id",
  {
    for: page("consumer-groups"),
    summary: "Deletes a group and remembers where it stood",
    params,
    answers: { 204: z.undefined() },
    errors: [ConsumerGroupNotFound],
    run: async ({ params, by }) => {
      await deleteConsumerGroup(params.consumer_group_id, by);
      return undefined;
    },
  },
);
