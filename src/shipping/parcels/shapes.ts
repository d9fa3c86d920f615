import { z } from "zod";
import * as field from "../../platform/fields/index.js";
import {
  AnyText,
  Day,
  ExternalId,
  Id,
  Name,
  Quantity,
  QueryInt,
  SearchText,
  Text,
  Time,
  Units,
} from "../../platform/fields.js";
import { list } from "../../platform/list.js";
import { OrderStatus } from "../../platform/statuses.js";
import { Fulfillment } from "../../sales-orders/action-shapes.js";
import { CostMinor, Length, ParcelWeight } from "../measures.js";
import { PackScan, VerifiedItem } from "../packing/shapes.js";
import { trackingStatuses } from "./tracking-statuses.js";

/** Parcels of sales orders: docs/parcels.md. */

export const parcelStatuses = ["OPEN", "CLOSED", "SHIPPED", "VOIDED"] as const;
export type ParcelStatus = (typeof parcelStatuses)[number];

export const TrackingStatus = z.enum(trackingStatuses).meta({
  id: "TrackingStatus",
  description: "Where a parcel is on its way, by its carrier; `exception` has a problem, `returned` comes back.",
});
export const ParcelId = Id.describe("Which parcel it is, as routes name it.");
export const ParcelIdParam = QueryInt.describe("Which parcel it is, as routes name it.");

const ParcelLine = z
  .strictObject({
    parcel_line_id: Id.describe("Id of the units in the parcel."),
    so_line_id: field.SoLineId.nullable(),
    item_id: field.ItemId,
    sku: field.Sku,
    item_name: field.ItemName,
    lot_number: field.Lot.nullable(),
    serial_number: field.SerialNumber.nullable(),
    quantity: Units.describe("Units in the parcel."),
  })
  .meta({ id: "ParcelLine", description: "Units of one order line, lot and serial in a parcel." });

/** The columns of a parcel. */
export const ParcelRow = z.strictObject({
  parcel_id: ParcelId,
  external_id: ExternalId,
  so_id: field.SoId,
  so_number: field.SoNumber,
  warehouse_id: field.WarehouseId,
  warehouse_code: field.WarehouseCode,
  parcel_number: z.int().describe("Which parcel of its order it is, from 1; voided ones count."),
  barcode: AnyText("PCL-4711").describe("What is scanned to find it, as its label has it."),
  status: z.enum(parcelStatuses).describe("Whether it is being packed, packed, shipped or void."),
  box_id: Id.nullable().describe("The box it is packed in; null where none was named."),
  box_code: AnyText("M").nullable().describe("Short code of that box."),
  length_in: Length.nullable(),
  width_in: Length.nullable(),
  height_in: Length.nullable(),
  weight_lbs: ParcelWeight.nullable(),
  carrier: field.Carrier.nullable(),
  service: AnyText("Ground").nullable().describe("The carrier's service."),
  tracking_number: field.TrackingNumber.nullable(),
  cost_minor: CostMinor.nullable(),
  cost_currency: AnyText("EUR").nullable().describe("Currency of the cost, by its ISO 4217 code."),
  fulfillment_id: field.FulfillmentId.nullable(),
  address_changed: z
    .boolean()
    .describe("Whether its label says another address than its order has now; false once it has left."),
  total_quantity: field.TotalQuantity,
  tracking_status: TrackingStatus.nullable().describe("Where its carrier has it; null where nobody says."),
  tracking_status_at: Time.nullable().describe("When it was scanned there; null before the first scan."),
  expected_day: Day.nullable().describe("The day on which it is delivered, as its carrier thinks; null for none."),
  closed_at: Time.nullable().describe("When it was closed; null while it is open."),
  closed_by: AnyText("ann").nullable().describe("Who closed it."),
  shipped_at: field.ShippedAt.nullable(),
  voided_at: Time.nullable().describe("When it was voided."),
  voided_by: AnyText("ann").nullable().describe("Who voided it."),
  void_reason: Text(500, "wrong box").nullable().describe("Why it was voided."),
  created_at: field.CreatedAt,
  updated_at: field.UpdatedAt,
});

export const ListedParcel = ParcelRow.meta({ id: "ListedParcel", description: "A parcel in a list." });

export const Parcel = ParcelRow.extend({
  lines: z.array(ParcelLine).describe("What is in it."),
}).meta({ id: "Parcel", description: "What is packed and shipped of an order as one piece." });
export type Parcel = z.infer<typeof Parcel>;

export const parcelList = list(
  "p.parcel_id",
  ...["p.parcel_id", "so.so_number", "p.parcel_number", "p.status", "p.carrier", "p.tracking_number", "p.weight_lbs"],
  ...["p.created_at", "p.updated_at", "p.closed_at", "p.shipped_at"],
);

/** `date_from` and `date_to` are days by the clock of each parcel's warehouse, of when it was opened. */
export const ParcelFilters = z.object({
  ...parcelList.parameters,
  warehouse_id: field.WarehouseIdParam.optional(),
  so_id: field.SoIdParam.optional(),
  status: z.enum(parcelStatuses).optional().describe("Only parcels in this status."),
  box_id: QueryInt.optional().describe("Only parcels in this box."),
  tracking_status: TrackingStatus.optional().describe("Only parcels that their carrier has there."),
  carrier: Text(100, "UPS").trim().optional().describe("The carrier, in capitals or small letters."),
  q: SearchText("1Z999AA10123456784").optional().describe("A part of a tracking or order number, or a parcel's code."),
  date_from: field.DateFrom.optional(),
  date_to: field.DateTo.optional(),
});
export type ParcelFilters = z.infer<typeof ParcelFilters>;

const BoxId = Id.describe("Id of the box that it is packed in.");

export const NewParcel = z.strictObject({ so_id: field.SoId, box_id: BoxId.nullish() });
export type NewParcel = z.infer<typeof NewParcel>;

export const ParcelScan = PackScan.omit({ so_id: true });
export type ParcelScan = z.infer<typeof ParcelScan>;

export const PackedIntoParcel = VerifiedItem.extend({ parcel: Parcel.describe("The parcel with what is in it.") });
export type PackedIntoParcel = z.infer<typeof PackedIntoParcel>;

export const TakeOut = z.strictObject({
  parcel_line_id: Id.describe("Which units of the parcel."),
  quantity: Quantity.optional().describe("How many of them; without it, all."),
});
export type TakeOut = z.infer<typeof TakeOut>;

const Side = Length.positive().optional();
const closing = {
  box_id: BoxId.nullish().describe("Id of the box that it is packed in; without it, the one it was opened with."),
  weight_lbs: ParcelWeight.positive()
    .optional()
    .describe("As it was weighed, in pounds; without it, what its contents and its box weigh."),
  length_in: Side.describe("Outside, in inches; without it, that of the box."),
  width_in: Side.describe("Outside, in inches; without it, that of the box."),
  height_in: Side.describe("Outside, in inches; without it, that of the box."),
};

export const Closing = z.strictObject(closing);
export type Closing = z.infer<typeof Closing>;

export const RestOfOrder = z.strictObject({ so_id: field.SoId, ...closing });
export type RestOfOrder = z.infer<typeof RestOfOrder>;

const VoidReason = Text(500, "wrong box").trim();
export const ParcelVoiding = z.strictObject({ reason: VoidReason.nullish().describe("Why it is voided.") });
export type ParcelVoiding = z.infer<typeof ParcelVoiding>;
export const ShipmentVoiding = z.strictObject({ reason: VoidReason.min(1).describe("Why the shipment is voided.") });
export type ShipmentVoiding = z.infer<typeof ShipmentVoiding>;

/** What a carrier was told of a parcel, where that is not noted with it yet. */
export const ParcelCarriage = z.strictObject({
  tracking_number: Name(255, "1Z999AA10123456784")
    .optional()
    .describe("The carrier's number of the parcel; without it, the one that it has."),
  carrier: Name(100, "UPS")
    .optional()
    .describe("Who carries the parcel; without it, the one that it has, else who the ship method names."),
  ship_method: Text(100, "Ground").trim().optional().describe("How it is shipped; without it, as the order says."),
});
export type ParcelCarriage = z.infer<typeof ParcelCarriage>;

export const ParcelsToShip = z.strictObject({
  so_id: field.SoId,
  parcels: z
    .array(ParcelCarriage.extend({ parcel_id: ParcelId }))
    .min(1)
    .max(200)
    .optional()
    .describe("Which parcels; without it, all that are closed."),
});
export type ParcelsToShip = z.infer<typeof ParcelsToShip>;

const ShippedParcel = z
  .strictObject({
    parcel_id: ParcelId,
    parcel_number: z.int().describe("Which parcel of its order it is, from 1; voided ones count."),
    tracking_number: field.TrackingNumber.nullable(),
    carrier: field.Carrier,
    ship_method: field.ShipMethod.nullable(),
    ...Fulfillment.shape,
  })
  .meta({ id: "ShippedParcel", description: "A parcel that left, and its shipment." });

export const ShippedParcels = z
  .strictObject({
    message: field.Done,
    so_number: field.SoNumber,
    so_status: OrderStatus.describe("Where the order stands now: SHIPPED once nothing of it is left to ship."),
    parcels: z.array(ShippedParcel).describe("Those that left."),
    units_left: Units.describe("Picked units of the order that have not left."),
  })
  .meta({ id: "ShippedParcels", description: "Parcels that left, and what is left of their order." });
export type ShippedParcels = z.infer<typeof ShippedParcels>;

export const ParcelsOfOrder = z.strictObject({
  so_id: field.SoId,
  so_number: field.SoNumber,
  so_status: OrderStatus.describe("Where the order stands now."),
  parcels: z.array(Parcel).describe("Its parcels with what is in them, voided ones too."),
  unpacked: z
    .array(
      z.strictObject({
        ...{ so_line_id: field.SoLineId, item_id: field.ItemId, sku: field.Sku, item_name: field.ItemName },
        quantity: Units.describe("Picked units that are in no parcel."),
      }),
    )
    .describe("What was picked and is in no parcel."),
});
export type ParcelsOfOrder = z.infer<typeof ParcelsOfOrder>;

const SuggestedUnits = z
  .strictObject({
    ...{ so_line_id: field.SoLineId, sku: field.Sku },
    quantity: Units.describe("How many of them."),
  })
  .meta({ id: "SuggestedUnits", description: "Units of an order line, of which a suggestion says something." });

export const Suggestion = z
  .strictObject({
    so_id: field.SoId,
    so_number: field.SoNumber,
    parcels: z
      .array(
        z.strictObject({
          box_id: Id.describe("Which box it is, as routes name it."),
          box_code: AnyText("M").describe("Short code of the box, unique."),
          units: z.array(SuggestedUnits).describe("What goes into it."),
          weight_lbs: ParcelWeight.describe("What box and units weigh, as far as it is known."),
          filled_percent: z.int().meta({ description: "How much of the box is filled, in percent.", examples: [72] }),
          reason: z
            .enum(["holds_the_rest", "holds_most"])
            .describe("It is the smallest box that holds all that is left, or the one that holds most of it."),
        }),
      )
      .describe("One for each parcel."),
    unmeasured: z.array(SuggestedUnits).describe("Units whose sizes nobody knows: they are in none of the parcels."),
    too_large: z.array(SuggestedUnits).describe("Units that are too large or too heavy for every box."),
    unweighed: z.array(field.Sku).describe("Items whose weight nobody knows: it counts as nothing."),
  })
  .meta({ id: "ParcelSuggestion", description: "Which boxes an order is best packed in." });
export type Suggestion = z.infer<typeof Suggestion>;
