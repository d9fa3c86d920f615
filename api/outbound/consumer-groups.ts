import { z } from "zod";
import * as activities from "../../activities/outbound/consumer-groups.js";
import { UnknownConnectorId, unknownSelection } from "../../src/auth/tokens/problems.js";
import { consumerGroups } from "../../src/outbound/consumer-groups/queries.js";
import {
  ConsumerGroup,
  ConsumerGroupEdit,
  ConsumerGroupId,
  NewConsumerGroup,
} from "../../src/outbound/consumer-groups/shapes.js";
import {
  ConsumerGroupNotFound,
  DuplicateConsumerGroupId,
  NoFieldsToUpdate,
  ReplayWouldSkipHistory,
} from "../../src/outbound/problems.js";
import { visibleWarehouses } from "../../src/platform/actor.js";
import { wholeList } from "../../src/platform/list.js";
import { page, route } from "../http/route.js";

/**
 * Consumer groups: docs/interface.md, Consumer groups. A USER manages those that get only events of the user's
 * warehouses.
 */

const params = z.strictObject({ consumer_group_id: ConsumerGroupId });

export const listConsumerGroups = route("get /api/admin/consumer-groups", {
  for: page("consumer-groups"),
  summary: "Consumer groups by id, each with its cursor",
  query: z.object(wholeList(ConsumerGroup)),
  answers: {
    200: z.strictObject({
      consumer_groups: z.array(ConsumerGroup).describe("The groups of readers, each with its place among the events."),
    }),
  },
  run: async ({ by }) => ({ consumer_groups: await consumerGroups(visibleWarehouses(by)) }),
});

export const createConsumerGroup = route("post /api/admin/consumer-groups", {
  for: page("consumer-groups"),
  summary: "Makes a consumer group, which starts before the first event",
  body: NewConsumerGroup,
  answers: { 201: ConsumerGroup },
  errors: [UnknownConnectorId, ...unknownSelection, DuplicateConsumerGroupId, ReplayWouldSkipHistory],
  run: ({ body, by }) => activities.createConsumerGroup(body, by),
});

export const updateConsumerGroup = route("patch /api/admin/consumer-groups/:consumer_group_id", {
  for: page("consumer-groups"),
  summary: "Changes which events a group gets, from its cursor on",
  params,
  body: ConsumerGroupEdit,
  answers: { 200: ConsumerGroup },
  errors: [NoFieldsToUpdate, ConsumerGroupNotFound, ...unknownSelection],
  run: ({ params, body: { subscription }, by }) => {
    if (!subscription) throw NoFieldsToUpdate();
    return activities.updateConsumerGroup({ ...params, subscription }, by);
  },
});

export const deleteConsumerGroup = route("delete /api/admin/consumer-groups/:consumer_group_id", {
  for: page("consumer-groups"),
  summary: "Deletes a group; its cursor is kept as a tombstone",
  params,
  answers: { 204: z.undefined() },
  errors: [ConsumerGroupNotFound],
  run: async ({ params, by }) => {
    await activities.deleteConsumerGroup(params.consumer_group_id, by);
    return undefined;
  },
});
