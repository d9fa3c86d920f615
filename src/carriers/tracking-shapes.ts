import { z } from "zod";
import * as field from "../platform/fields/index.js";
import { AnyText, Day, Id, Text, Time } from "../platform/fields.js";
import { ParcelId, TrackingStatus } from "../shipping/parcels/shapes.js";

/** Where parcels are: docs/carriers.md, Tracking. */

const Message = AnyText("Arrived at the sorting centre").nullable().describe("What the carrier says, in its words.");
const Place = AnyText("Springfield, IL, US").nullable().describe("Where it was scanned; null where nobody says.");

const Scan = z
  .strictObject({
    scanned_at: Time.describe("When it was scanned."),
    status: TrackingStatus.nullable().describe("What the scan makes of it; null where it is none of these."),
    message: Message,
    place: Place,
  })
  .meta({ id: "TrackingScan", description: "What a carrier noted of a parcel on its way." });

export const Tracking = z
  .strictObject({
    parcel_id: ParcelId,
    so_id: field.SoId,
    so_number: field.SoNumber,
    parcel_number: z.int().describe("Which parcel of its order it is, from 1."),
    warehouse_id: field.WarehouseId,
    purchase_id: Id.describe("Id of the label that it went with."),
    carrier: AnyText("USPS").nullable().describe("Who carries the parcel."),
    tracking_number: field.TrackingNumber,
    status: TrackingStatus,
    status_at: Time.nullable().describe("Time of the scan that says so; null before the first one."),
    message: Message,
    place: Place,
    expected_day: Day.nullable().describe("The day on which it is delivered, as the carrier thinks; null for none."),
    last_scan_at: Time.nullable().describe("When it was scanned last."),
    heard_at: Time.nullable().describe("When the carrier said something of it last."),
    look_at: Time.nullable().describe("When the carrier is asked again; null where it is not any more."),
    ended_at: Time.nullable().describe("When it was delivered, or closed; null while it is under way."),
    closed_by: AnyText("ann").nullable().describe("Who closed it without its delivery."),
    close_reason: AnyText("Sent again").nullable().describe("Why it was closed."),
    scans: z.array(Scan).describe("What the carrier noted on its way, the newest first."),
  })
  .meta({ id: "ParcelTracking", description: "Where a shipped parcel is, by its carrier." });
export type Tracking = z.infer<typeof Tracking>;

export const TrackingClosing = z.strictObject({
  reason: Text(500, "Sent again").trim().min(1).describe("What became of it."),
});
export type TrackingClosing = z.infer<typeof TrackingClosing>;
