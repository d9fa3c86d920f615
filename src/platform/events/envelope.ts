import { z } from "zod";
import * as field from "../fields/index.js";
import { Text } from "../fields.js";
import { events, eventTypes } from "./catalog.js";

/** The id of an event, which is its position among all events. */
export const EventId = z
  .int()
  .nonnegative()
  .meta({ examples: [1200] });
export const EventTypeName = Text(64, "ship.confirmed").describe("The type of the event, such as `ship.confirmed`.");
export const Aggregate = z
  .enum(eventTypes.map((type) => events[type].aggregate))
  .describe("What kind of record the event is about.");

/** The epoch of the stream; a new one begins after a restore. */
export const Epoch = z.uuid().meta({
  description: "Changes when the service was restored from a backup: events may have been lost.",
  examples: ["0d9f2f5e-5c0f-4c8e-9d5b-1a2b3c4d5e6f"],
});

export const Envelope = z
  .strictObject({
    event_id: EventId.describe("Number of the event; without gaps, in the order of commits."),
    event_type: EventTypeName,
    event_version: z.int().meta({ description: "Version of the event type's payload.", examples: [1] }),
    event_timestamp: field.EventTimestamp,
    aggregate_type: Aggregate,
    aggregate_id: field.AggregateId,
    warehouse_id: field.WarehouseId,
    source_txn_id: field.SourceTxnId,
    epoch: Epoch.optional(),
    data: z.record(z.string(), z.unknown()).meta({
      description: "What happened, by the event's type.",
      examples: [{ sales_order_external_id: "4711", carrier: "UPS" }],
    }),
  })
  .meta({
    id: "Event",
    description:
      "An event as it is polled and delivered. `event_id` follows the order of commits without gaps; " +
      "`aggregate_id` is the external id of the record that it is about.",
  });
export type Envelope = z.infer<typeof Envelope>;
