import { z } from "zod";
import { Id, Name, Text, Units } from "../fields.js";
import { SalesOrderLine, ScannedOrder } from "../sales-orders/shapes.js";

/** Shipping: spec 4.5, reference 02 §7. */

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

export const Fulfillment = z.strictObject({
  fulfillment_id: Id,
  lines_shipped: z.int(),
  total_quantity: Units,
});
export type Fulfillment = z.infer<typeof Fulfillment>;

export const ShippedOrder = z.strictObject({
  message: z.string(),
  so_number: z.string(),
  tracking_number: z.string(),
  carrier: z.string(),
  ship_method: z.string().nullable(),
  ...Fulfillment.shape,
});
export type ShippedOrder = z.infer<typeof ShippedOrder>;
