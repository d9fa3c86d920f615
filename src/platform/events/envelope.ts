import { z } from "zod";
import { Id, Text, Time } from "../fields.js";
import { events, eventTypes } from "./catalog.js";

/** The id of an event, and so a place among all events. */
export const EventId = z
  .int()
  .nonnegative()
  .meta({ examples: [1200] });
export const EventTypeName = Text(64, "ship.confirmed");
export const Aggregate = z.enum(eventTypes.map((type) => events[type].aggregate));

/** The epoch of the stream; a new one begins after a restore. */
export const Epoch = z
  .uuid()
  .describe("Changes when the service was restored from a backup: events may have been lost.")
  .meta({ examples: ["0d9f2f5e-5c0f-4c8e-9d5b-1a2b3c4d5e6f"] });

export const Envelope = z
  .strictObject({
    event_id: EventId,
    event_type: EventTypeName,
    event_version: z.int().meta({ examples: [1] }),
    event_timestamp: Time,
    aggregate_type: Aggregate,
    aggregate_id: z.uuid(),
    warehouse_id: Id,
    source_txn_id: z.uuid(),
    epoch: Epoch.optional(),
    data: z.record(z.string(), z.unknown()).meta({ examples: [{ sales_order_external_id: "4711", carrier: "UPS" }] }),
  })
  .meta({
    id: "Event",
    description:
      "An event as it is polled and delivered. `event_id` follows the order of commits without gaps; " +
      "`aggregate_id` is the external id of the record that it is about.",
  });
export type Envelope = z.infer<typeof Envelope>;
