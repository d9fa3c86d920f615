import { z } from "zod";
import * as field from "../platform/fields/index.js";
import { AnyText, ExternalId, Name, SearchText, Text } from "../platform/fields.js";
import { list, withTotals } from "../platform/list.js";
import { Fulfillment } from "../sales-orders/action-shapes.js";
import { SalesOrderLine, ScannedOrder } from "../sales-orders/shapes.js";
import { Parcel } from "./parcels/shapes.js";

/** Shipping: docs/interface.md, Shipping. */

const LineToShip = SalesOrderLine.pick({
  so_line_id: true,
  line_number: true,
  item_id: true,
  sku: true,
  item_name: true,
  quantity_ordered: true,
  quantity_picked: true,
}).meta({ id: "LineToShip", description: "A line of an order that is ready to ship." });

const ParcelToShip = Parcel.pick({
  ...{ parcel_id: true, parcel_number: true, barcode: true, carrier: true, tracking_number: true },
  address_changed: true,
}).meta({ id: "ParcelToShip", description: "A closed parcel, which ships by itself." });

export const OrderToShip = z
  .strictObject({
    sales_order: ScannedOrder,
    lines: z.array(LineToShip).describe("The lines, each for one item."),
    parcels: z.array(ParcelToShip).describe("Its closed parcels; none where it goes as a whole."),
    is_short: field.IsShort,
    total_items: field.TotalItems,
    total_lines: field.TotalLines,
  })
  .meta({ id: "OrderToShip", description: "An order that is ready to ship." });
export type OrderToShip = z.infer<typeof OrderToShip>;

export const NewShipment = z
  .strictObject({
    so_id: field.SoId,
    tracking_number: Name(255, "1Z999AA10123456784").describe("The carrier's number of the parcel."),
    carrier: Name(100, "UPS").describe("Who carries the parcel."),
    ship_method: Text(100, "Ground").trim().nullish().describe("How the order is to be shipped."),
  })
  .meta({ id: "NewShipment", description: "Who carries the parcel of an order." });
export type NewShipment = z.infer<typeof NewShipment>;

export const ShippedOrder = z.strictObject({
  message: field.Done,
  so_number: field.SoNumber,
  tracking_number: field.TrackingNumber,
  carrier: field.Carrier,
  ship_method: field.ShipMethod.nullable(),
  ...Fulfillment.shape,
});
export type ShippedOrder = z.infer<typeof ShippedOrder>;

export const Shipment = z
  .strictObject({
    fulfillment_id: field.FulfillmentId,
    so_id: field.SoId,
    so_external_id: ExternalId,
    so_number: field.SoNumber,
    customer_name: field.CustomerName.nullable(),
    warehouse_id: field.WarehouseId,
    carrier: field.Carrier.nullable(),
    tracking_number: field.TrackingNumber.nullable(),
    ship_method: field.ShipMethod.nullable(),
    total_quantity: field.TotalQuantity,
    status: z.enum(["SHIPPED", "VOIDED"]).describe("Whether it still counts."),
    shipped_by: AnyText("ann").nullable().describe("Who shipped it."),
    shipped_at: field.ShippedAt,
    voided_at: field.VoidedAt.nullable(),
    voided_by: AnyText("ann").nullable().describe("Who voided the shipment."),
    void_reason: Text(500, "wrong label").nullable().describe("Why the shipment was voided."),
    warehouse_code: field.WarehouseCode,
  })
  .meta({ id: "Shipment", description: "What was handed to a carrier for a sales order." });
export type Shipment = z.infer<typeof Shipment>;

export const shipmentList = withTotals(
  list(
    "f.fulfillment_id",
    ...["f.fulfillment_id", "so.so_number", "so.customer_name", "f.carrier", "f.tracking_number", "f.ship_method"],
    ...["f.status", "f.shipped_by", "f.shipped_at", "f.voided_at"],
  ),
  {
    quantity_shipped: {
      says: "Units of the shipments that were not voided.",
      sql: `(select coalesce(sum(quantity_shipped), 0) from item_fulfillment_lines l
             where l.fulfillment_id = f.fulfillment_id and f.voided_at is null)`,
    },
  },
);

/** `date_from` and `date_to` are days by the clock of each shipment's warehouse. */
export const ShipmentFilters = z.object({
  ...shipmentList.parameters,
  warehouse_id: field.WarehouseIdParam.optional(),
  carrier: Text(100, "UPS").trim().optional().describe("The carrier, in capitals or small letters."),
  q: SearchText("1Z999AA10123456784").optional().describe("Words to look for."),
  date_from: field.DateFrom.optional(),
  date_to: field.DateTo.optional(),
});
export type ShipmentFilters = z.infer<typeof ShipmentFilters>;
