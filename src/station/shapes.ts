import { z } from "zod";
import * as field from "../platform/fields/index.js";
import { Cost, ExternalId, Name, Text, Time, Units } from "../platform/fields.js";
import { OrderStatus } from "../platform/statuses.js";
import { LineProperties } from "../sales-orders/properties.js";

/** Requests and answers of shipping stations (docs/interface.md, Shipping station). */

const MaybeText = z.string().nullable();

const part = (description: string, example: string) => MaybeText.describe(description).meta({ examples: [example] });
const Address = z
  .strictObject({
    name: part("Who lives there.", "Mary Miller"),
    line1: part("Street and number.", "12 Main Street"),
    line2: part("Floor, flat.", "Floor 2"),
    city: part("Town.", "Springfield"),
    state: part("State or region, mostly as a code.", "IL"),
    postal_code: part("Postal (ZIP) code, as text.", "62701"),
    country: part("Country, as a code of two letters or in words.", "US"),
    phone: part("Telephone number.", "+1 555 0100"),
  })
  .meta({ id: "ShippingAddress", description: "Where the goods go." });

const ItemOfOrder = z
  .strictObject({
    external_id: ExternalId,
    sku: field.Sku,
    display_name: field.DisplayName,
    upc: field.Upc.nullable(),
    qty: Units.describe("Units picked, which are what the parcel holds."),
    qty_ordered: Units.describe("Units ordered."),
    properties: LineProperties,
  })
  .meta({ id: "StationOrderItem", description: "A line of an order, as a station sees it." });

export const StationOrder = z
  .strictObject({
    so_number: field.SoNumber,
    external_id: ExternalId,
    status: OrderStatus,
    warehouse_id: field.WarehouseId,
    customer_name: field.CustomerName.nullable(),
    customer_phone: field.CustomerPhone.nullable(),
    memo: field.Memo.nullable(),
    shipping_address: Address,
    ship_method: field.ShipMethod.nullable(),
    items: z.array(ItemOfOrder).describe("The items, one entry for each."),
    order_total: Cost.nullable().describe("What the customer pays, in the order's currency, else the company's."),
    customer_shipping_paid: Cost.nullable().describe(
      "What the customer paid for shipping, in the order's currency, else the company's.",
    ),
    marketplace: part("Who or what entered the order.", "shop"),
    order_date: field.OrderDate.nullable(),
    ff_created_at: Time.describe("When the order came here."),
    shippable: z
      .boolean()
      .describe("Whether the order has a status that it ships from, and is not left in several parcels."),
    shippable_from_statuses: z.array(OrderStatus).describe("The statuses that orders ship from here."),
    shipped_by: part("Who shipped the order.", "ann"),
    tracking_number: field.TrackingNumber.nullable(),
    carrier: field.Carrier.nullable(),
    shipped_at: field.ShippedAt.nullable(),
    station_label: z.null().describe("Always null."),
  })
  .meta({ id: "StationOrder", description: "A sales order, as a shipping station sees it." });
export type StationOrder = z.infer<typeof StationOrder>;

const Key = z.uuid({ version: "v4" }).meta({
  description: "A new UUID for each thing to do; the same once more, when no answer came, does nothing twice.",
  examples: ["3f2b6c1e-9a4d-4c58-8f0e-5d7a1b2c3d4e"],
});
const Operator = Name(100, "ann").describe("User name of who stands at the station.");
const Tracking = Name(100, "1Z999AA10123456784").describe("Tracking number of the parcel.");
const Measure = z
  .number()
  .positive()
  .meta({ examples: [12.5] });

export const Shipment = z
  .strictObject({
    tracking: Tracking,
    carrier: Name(50, "UPS").describe("Who carries the parcel."),
    ship_method: Text(50, "Ground").trim().nullable().default(null).describe("How the order is to be shipped."),
    operator_username: Operator,
    shipping_cost: z
      .union([z.number().nonnegative(), z.string()])
      .transform(String)
      .pipe(z.string().regex(/^\d{1,10}(\.\d{1,2})?$/, "Expected a decimal from 0 to 9999999999.99"))
      .nullable()
      .default(null)
      .meta({ description: "What the carriage costs, as a number or as text; stored exactly.", examples: ["8.40"] }),
    weight: Measure.nullable().default(null).describe("Weight of the parcel, as the station measures it."),
    dims: z
      .strictObject({ l: Measure.describe("Length."), w: Measure.describe("Width."), h: Measure.describe("Height.") })
      .nullable()
      .default(null)
      .describe("Size of the parcel, as the station measures it."),
    manual_link: z.boolean().default(false).describe("Whether the label was made elsewhere and linked by hand."),
    idempotency_key: Key,
  })
  .meta({ id: "StationShipment", description: "The parcel of an order, and who carries it." });
export type Shipment = z.infer<typeof Shipment>;

export const Shipped = z
  .strictObject({
    status: z.literal("SHIPPED").describe("Where the record stands in its life."),
    tracking: Tracking,
    shipped_at: field.ShippedAt,
    fulfillment_id: field.FulfillmentId,
    audit_log_id: field.AuditLogId,
  })
  .meta({ id: "StationShipped", description: "The order is shipped." });
export type Shipped = z.infer<typeof Shipped>;

export const Voiding = z
  .strictObject({
    reason: Name(500, "Wrong label").describe("Why, in the words of the user."),
    operator_username: Operator,
    idempotency_key: Key,
  })
  .meta({ id: "StationVoiding", description: "Why a shipment is voided, and by whom." });
export type Voiding = z.infer<typeof Voiding>;

export const Voided = z
  .strictObject({
    status: z.enum(["PICKED", "PACKED", "SHIPPED"]).describe("Where the record stands in its life."),
    voided_at: field.VoidedAt,
    audit_log_id: field.AuditLogId,
  })
  .meta({ id: "StationVoided", description: "The shipment is voided; the status is the order's." });
export type Voided = z.infer<typeof Voided>;

const Location = z
  .strictObject({
    warehouse_id: field.WarehouseId,
    warehouse_code: field.WarehouseCode,
    bin_code: field.BinCode,
    bin_type: field.BinType,
    quantity_on_hand: field.QuantityOnHand,
    quantity_available: field.QuantityAvailable,
  })
  .meta({ id: "StationLocation", description: "A bin that holds units of the item, with all lots." });

export const StationItem = z
  .strictObject({
    item: z
      .strictObject({
        external_id: ExternalId,
        sku: field.Sku,
        item_name: field.ItemName,
        upc: field.Upc.nullable(),
        weight_lbs: field.WeightLbs.nullable(),
      })
      .meta({ id: "StationItemRecord", description: "An item, as a shipping station sees it." }),
    locations: z.array(Location).describe("The bins that hold the item, with their stock."),
  })
  .meta({ id: "StationItem", description: "An item, and where it is in the warehouses of the token." });
export type StationItem = z.infer<typeof StationItem>;
