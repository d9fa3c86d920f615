import { z } from "zod";
import { eventTypes } from "../../platform/events/catalog.js";
import * as field from "../../platform/fields/index.js";
import { Id, listed, Name, Time } from "../../platform/fields.js";

export const ConsumerGroupId = Name(64, "acme-erp-orders").describe(
  "Name of the group of readers, which shares one place among the events.",
);

/** The events that a group gets: without a list, all; an empty list, which would select nothing, is refused. */
export const Subscription = z
  .strictObject({
    event_types: z
      .array(listed(z.string().max(64), eventTypes))
      .min(1)
      .max(64)
      .optional()
      .meta({ description: "The event types that are wanted.", examples: [["ship.confirmed"]] }),
    warehouse_ids: z
      .array(Id)
      .min(1)
      .max(64)
      .optional()
      .meta({ description: "Ids of the warehouses that the user, token or filter is confined to.", examples: [[1]] }),
  })
  .describe("The selection of events.");
export type Subscription = z.infer<typeof Subscription>;

export const ConsumerGroup = z
  .strictObject({
    consumer_group_id: ConsumerGroupId,
    connector_id: field.Connector,
    last_cursor: z.int().nonnegative().describe("The newest event_id that the group has acknowledged."),
    last_heartbeat: Time.nullable().describe("When the group last acknowledged."),
    subscription: Subscription,
    created_at: field.CreatedAt,
    updated_at: field.UpdatedAt,
  })
  .meta({ id: "ConsumerGroup", description: "A reader of events, whose cursor the service keeps." });
export type ConsumerGroup = z.infer<typeof ConsumerGroup>;

export const NewConsumerGroup = z.strictObject({
  consumer_group_id: ConsumerGroupId,
  connector_id: field.Connector,
  subscription: Subscription.default({}),
  acknowledge_replay: z
    .boolean()
    .default(false)
    .describe("Needed under an id that was deleted: all events come again."),
});
export type NewConsumerGroup = z.infer<typeof NewConsumerGroup>;

export const ConsumerGroupEdit = z.strictObject({ subscription: Subscription.optional() });
