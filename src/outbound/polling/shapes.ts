import { z } from "zod";
import { Epoch, EventId } from "../../platform/events/envelope.js";
import * as field from "../../platform/fields/index.js";
import { Name, Text } from "../../platform/fields.js";

const example = (value: unknown) => ({ examples: [value] });
/** JSON numbers are exact up to here, which is more than there are events. */
const clamped = (cursor: number) => Math.min(cursor, Number.MAX_SAFE_INTEGER);

/** The id of an event, as any 64-bit integer. */
const Cursor = z
  .number()
  .min(0)
  .max(2 ** 63)
  .refine(Number.isInteger, "Expected a whole number")
  .transform(clamped)
  .meta(example(1200))
  .describe("A place among the events: the number of the last one that was read.");
export const QueryCursor = z
  .string()
  .refine(
    (text) => /^\d{1,19}$/.test(text) && BigInt(text) < 2n ** 63n,
    "Expected a whole number from 0 to 9223372036854775807",
  )
  .transform((text) => clamped(Number(text)))
  .meta(example("1200"));
export const GroupName = Name(64, "erp-orders").describe("Name of the group of readers whose place counts.");

export const KnownEpoch = Epoch.optional().describe("The epoch that the client knows; refused when another one began.");

/** A consumer group has processed all events up to the cursor. */
export const Acknowledgement = z.strictObject({ consumer_group: GroupName, cursor: Cursor, epoch: KnownEpoch });
export type Acknowledgement = z.infer<typeof Acknowledgement>;
export const QueryAcknowledgement = z.strictObject({
  consumer_group: GroupName,
  cursor: QueryCursor.describe("A place among the events: the number of the last one that was read."),
  epoch: KnownEpoch,
});

export const Acknowledged = z
  .strictObject({
    consumer_group: GroupName,
    last_cursor: EventId.describe("The newest event that was acknowledged."),
    epoch: Epoch,
  })
  .meta({ id: "Acknowledged", description: "The cursor of a consumer group after an acknowledgement." });
export type Acknowledged = z.infer<typeof Acknowledged>;

/** The filters of a poll. */
export const PollFilter = z.object({
  types: Text(2048, "ship.confirmed,pick.confirmed")
    .transform((list) => list.split(",").map((name) => name.trim()))
    .optional()
    .describe("Only events of these types."),
  warehouse_id: field.WarehouseIdParam.optional(),
});
export type PollFilter = z.output<typeof PollFilter>;
