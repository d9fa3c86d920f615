import { z } from "zod";
import { DayText, ExternalId, Id, Name, QueryInt, SearchText, Text, Time, Units } from "../platform/fields.js";
import { list } from "../platform/list.js";
import { Fulfillment } from "../sales-orders/action-shapes.js";
import { SalesOrderLine, ScannedOrder } from "../sales-orders/shapes.js";

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

export const OrderToShip = z
  .strictObject({
    sales_order: ScannedOrder,
    lines: z.array(LineToShip),
    total_items: Units,
    total_lines: z.int(),
  })
  .meta({ id: "OrderToShip", description: "An order that is ready to ship." });
export type OrderToShip = z.infer<typeof OrderToShip>;

export const NewShipment = z
  .strictObject({
    so_id: Id,
    tracking_number: Name(255, "1Z999AA10123456784"),
    carrier: Name(100, "UPS"),
    ship_method: Text(100, "Ground").trim().nullish(),
  })
  .meta({ id: "NewShipment", description: "Who carries the parcel of an order." });
export type NewShipment = z.infer<typeof NewShipment>;

export const ShippedOrder = z.strictObject({
  message: z.string(),
  so_number: z.string(),
  tracking_number: z.string(),
  carrier: z.string(),
  ship_method: z.string().nullable(),
  ...Fulfillment.shape,
});
export type ShippedOrder = z.infer<typeof ShippedOrder>;

export const Shipment = z
  .strictObject({
    fulfillment_id: Id,
    so_id: Id,
    so_external_id: ExternalId,
    so_number: z.string(),
    customer_name: z.string().nullable(),
    warehouse_id: Id,
    carrier: z.string().nullable(),
    tracking_number: z.string().nullable(),
    ship_method: z.string().nullable(),
    total_quantity: Units,
    status: z.enum(["SHIPPED", "VOIDED"]).describe("Whether it still counts."),
    shipped_by: z.string().nullable(),
    shipped_at: Time,
    voided_at: Time.nullable(),
    voided_by: z.string().nullable().describe("Who voided the shipment."),
    void_reason: Text(500, "wrong label").nullable(),
    warehouse_code: z.string(),
  })
  .meta({ id: "Shipment", description: "What was handed to a carrier for a sales order." });
export type Shipment = z.infer<typeof Shipment>;

export const shipmentList = list(
  "f.fulfillment_id",
  ...["f.fulfillment_id", "so.so_number", "so.customer_name", "f.carrier", "f.tracking_number", "f.ship_method"],
  ...["f.status", "f.shipped_by", "f.shipped_at", "f.voided_at"],
);

/** `date_from` and `date_to` are days by the clock of each shipment's warehouse. */
export const ShipmentFilters = z.object({
  ...shipmentList.parameters,
  warehouse_id: QueryInt.optional(),
  carrier: Text(100, "UPS").trim().optional().describe("The carrier, in capitals or small letters."),
  q: SearchText("1Z999AA10123456784").optional(),
  date_from: DayText.optional(),
  date_to: DayText.optional(),
});
export type ShipmentFilters = z.infer<typeof ShipmentFilters>;
