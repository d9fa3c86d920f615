import { z } from "zod";
import * as field from "../platform/fields/index.js";
import {
  AnyText,
  Day,
  Days,
  DayText,
  DecimalText,
  ExternalId,
  Id,
  Name,
  QueryBool,
  QueryList,
  SearchText,
  Text,
  Time,
  Units,
} from "../platform/fields.js";
import { list, withTies, withTotals } from "../platform/list.js";
import * as pushed from "../platform/pushed-columns.js";
import { salesOrderStates } from "../platform/states.js";
import { OrderStatus } from "../platform/statuses.js";
import { SerialNumbers } from "../serials/shapes.js";
import { type AddressColumn, addressColumns, addressFields, listedAddressColumns } from "./addresses.js";
import { HoldReason } from "./holds.js";
import { NextStep } from "./next-step-shapes.js";
import { OPEN_WORK, type OpenWork } from "./open-work.js";
import { LineProperties } from "./properties.js";

/** Sales orders as the interface shows them: docs/interface.md, Sales orders. */

/** The text of each of these columns. */
export const addressTexts = <C extends AddressColumn>(columns: readonly C[]) =>
  Object.fromEntries(
    columns.map((column) => {
      const { example, description } = addressFields[column];
      return [column, AnyText(example).nullable().describe(description)];
    }),
  ) as Record<C, z.ZodNullable<z.ZodString>>;

export const OrderType = z
  .enum(["sale", "refund", "backorder", "replacement", "exchange", "return"])
  .describe("Whether it is sold or comes back.");
export type OrderType = z.infer<typeof OrderType>;

export const MinDays = Days.describe(
  "Days that the units must have left when they are shipped, where the customer asks for more than the items do.",
);

const ShopDifference = z
  .strictObject({
    item_id: field.ItemId,
    sku: field.Sku,
    item_name: field.ItemName,
    units: z.int().meta({ description: "How many more its shop wants, or fewer, below 0.", examples: [-1] }),
  })
  .meta({
    id: "ShopDifference",
    description:
      "Units of an item in which the shop of an order wants something else than the order and its backorders are for.",
  });

/** The fields that the list and the single order have in common. */
const Common = z.strictObject({
  so_id: field.SoId,
  external_id: ExternalId,
  so_number: field.SoNumber,
  so_barcode: field.SoBarcode.nullable(),
  customer_name: field.CustomerName.nullable(),
  customer_phone: field.CustomerPhone.nullable(),
  customer_address: field.CustomerAddress.nullable(),
  status: OrderStatus,
  priority: z.int().describe("Rank; among orders higher ones go first."),
  warehouse_id: field.WarehouseId,
  order_type: OrderType,
  parent_so_id: field.ParentSoId.nullable(),
  ship_method: field.ShipMethod.nullable(),
  ship_address: field.ShipAddress.nullable(),
  order_date: field.OrderDate.nullable(),
  ship_by_date: field.ShipByDate.nullable(),
  created_at: field.CreatedAt,
  created_by: field.CreatedBy.nullable(),
  carrier: field.Carrier.nullable(),
  tracking_number: field.TrackingNumber.nullable(),
  shipped_date_local: Day.nullable().describe("The day of shipping, where the company is."),
  memo: field.Memo.nullable(),
  hold_reason: HoldReason.nullable().describe(
    "Why the order may not be picked, packed or shipped; null where nothing holds it.",
  ),
});

export const SalesOrderSummary = Common.extend({
  ...addressTexts(listedAddressColumns),
  shipped_at: field.ShippedAt.nullable(),
  printed_at: field.PrintedAt.nullable(),
  updated_at: field.UpdatedAt,
  primary_bin_code: AnyText("A-01-02")
    .nullable()
    .optional()
    .describe("Code of the item's preferred bin of priority 1."),
  primary_bin_pick_sequence: z
    .int()
    .nullable()
    .optional()
    .describe("Pick sequence of the item's preferred bin of priority 1."),
  line_count: field.LineCount.optional(),
  warehouse_code: field.WarehouseCode,
}).meta({ id: "SalesOrderSummary", description: "A sales order as the list of sales orders shows it." });
export type SalesOrderSummary = z.infer<typeof SalesOrderSummary>;

export const SalesOrder = Common.extend({
  ...addressTexts(addressColumns),
  customer_email: AnyText("mary.miller@example.com").nullable().describe("The customer's email address."),
  order_total: DecimalText.nullable().describe("What the customer pays, in the order's currency, else the company's."),
  customer_shipping_paid: DecimalText.nullable().describe(
    "What the customer paid for shipping, in the order's currency, else the company's.",
  ),
  currency: AnyText("EUR").nullable().describe("Of its amounts, by its ISO 4217 code."),
  source_system: AnyText("shop").nullable().describe("The system that the record comes from."),
  order_origin: field.OrderOrigin.nullable(),
  min_days_at_shipping: MinDays.nullable(),
  parent_so_number: field.ParentSoNumber.nullable(),
  backorder_opened_at: field.BackorderOpenedAt.nullable(),
  backorder_fulfillable_at: Time.nullable().describe("When there was stock enough for it."),
  cancellation_reason: field.CancellationReason.nullable(),
  voided_at: field.VoidedAt.nullable(),
  voided_by: AnyText("ann").nullable().describe("Who voided the return; null for all other orders."),
  shipped_at: field.ShippedAt.nullable(),
  printed_at: field.PrintedAt.nullable(),
  shop_difference: z
    .array(ShopDifference)
    .nullable()
    .describe("What the shop of the order wants of it and its backorders beside what they are for; null for nothing."),
  created_by_name: z
    .string()
    .nullable()
    .meta({ description: "What people call who made it; null for the service itself.", examples: ["Ann Miller"] }),
  is_short: field.IsShort,
}).meta({ id: "SalesOrder", description: "The header of a sales order." });
export type SalesOrder = z.infer<typeof SalesOrder>;

export const SalesOrderLine = z
  .strictObject({
    so_line_id: field.SoLineId,
    line_number: field.NumberOfLine,
    item_id: field.ItemId,
    sku: field.Sku,
    item_name: field.ItemName,
    upc: field.Upc.nullable(),
    quantity_ordered: field.QuantityOrdered,
    quantity_allocated: field.QuantityAllocated,
    quantity_picked: field.QuantityPicked,
    quantity_packed: field.QuantityPacked,
    quantity_shipped: field.QuantityShipped,
    quantity_received: field.QuantityReceived,
    original_so_line_id: Id.nullable().describe(
      "Id of the line of the original order that a return's units were shipped with; null otherwise.",
    ),
    status: z.enum(["PENDING", "OPEN", "PICKED", "PACKED", "SHIPPED"]).describe("Where the record stands in its life."),
    properties: LineProperties,
    reported_missing: Units.describe(
      "Units on the books that pickers looked for in vain where they were sent for this line.",
    ),
    serial_numbers: SerialNumbers.optional().describe(
      "The units that were packed or shipped; left out where the item has no serial numbers.",
    ),
  })
  .meta({ id: "SalesOrderLine", description: "A line of a sales order." });
export type SalesOrderLine = z.infer<typeof SalesOrderLine>;

const PickedTask = z
  .strictObject({
    pick_task_id: field.PickTaskId,
    so_line_id: field.SoLineId,
    item_id: field.ItemId,
    sku: field.Sku,
    item_name: field.ItemName,
    bin_id: field.BinId,
    bin_code: field.BinCode,
    lot_number: field.Lot.nullable(),
    expiry_date: field.ExpiryDate.nullable(),
    quantity_picked: field.QuantityPicked,
    picked_at: Time.nullable().describe("When it was picked."),
    picked_by: AnyText("ann").nullable().describe("Who picked it."),
    status: z.literal("PICKED").describe("Where the record stands in its life."),
  })
  .meta({ id: "PickedTask", description: "What a pick task picked for a line of a sales order." });

export const SalesOrderDetail = z
  .strictObject({
    sales_order: SalesOrder,
    lines: z.array(SalesOrderLine).describe("The lines, each for one item."),
    pick_tasks: z.array(PickedTask).describe("What was or is to be picked, each from one bin."),
    next_step: NextStep,
  })
  .meta({ id: "SalesOrderDetail", description: "A sales order with its lines and what was picked for it." });
export type SalesOrderDetail = z.infer<typeof SalesOrderDetail>;

const unitsOf = (column: string) =>
  `(select coalesce(sum(${column}), 0) from sales_order_lines l where l.so_id = so.so_id)`;

export const salesOrderList = withTotals(
  withTies(
    list(
      "so.so_id",
      ...["so.so_id", "so_number", "customer_name", "status", "priority", "order_date", "ship_by_date", "created_at"],
      ...["printed_at", "shipped_at", "updated_at"],
    ),
    {
      status: [
        { column: "created_at", order: "desc" },
        { column: "so.so_id", order: "desc" },
      ],
    },
  ),
  {
    quantity_ordered: { says: "Units that were ordered.", sql: unitsOf("quantity_ordered") },
    quantity_shipped: { says: "Units of them that were shipped.", sql: unitsOf("quantity_shipped") },
  },
);

export const SalesOrderFilters = z.object({
  ...salesOrderList.parameters,
  status: QueryList.optional().describe("Only orders that stand there."),
  warehouse_id: field.WarehouseIdParam.optional(),
  work: z
    .enum(Object.keys(OPEN_WORK) as OpenWork[])
    .meta({
      description: "Only orders that are this work; `late` by the clock of their warehouse.",
      examples: ["ready_to_pick"],
    })
    .optional(),
  q: SearchText("SO-1001")
    .optional()
    .describe("A part of the number or of the customer's name, or words of the address that it goes to."),
  order_type: OrderType.optional(),
  exclude_post_fulfillment: QueryBool.default(false).describe("Whether orders that have left are left out."),
  hide_printed: QueryBool.default(false).describe("Whether orders whose ticket was printed are left out."),
  held: QueryBool.default(false).describe("Whether only orders are listed that are held."),
  include_primary_bin: QueryBool.default(false).describe("Whether each item's first bin is told."),
  include_line_count: QueryBool.default(false).describe("Whether the number of lines is told."),
  local_pickup: QueryBool.default(false).describe("Only orders that the customer picks up, or only others."),
  date_from: field.DateFrom.optional(),
  date_to: field.DateTo.optional(),
  order_origin: field.GivenOrderOrigin.optional(),
});
export type SalesOrderFilters = z.infer<typeof SalesOrderFilters>;

export const NewSalesOrder = z
  .strictObject({
    so_number: field.GivenSoNumber.nullable().describe(
      "Number of the sales order, unique; null has the service make it.",
    ),
    warehouse_id: field.WarehouseId,
    lines: z
      .array(
        z.strictObject({
          item_id: field.ItemId,
          quantity_ordered: field.GivenQuantityOrdered,
          line_number: field.GivenNumberOfLine.nullish(),
          properties: LineProperties.optional(),
        }),
      )
      .min(1)
      .describe("The lines, each for one item."),
    so_barcode: Name(128, "SO-1001").nullish().describe("What the scanner reads on the sales order."),
    customer_name: Text(256, "Ada Lovelace").nullish().describe("Name of the customer, as on the parcel."),
    customer_phone: Text(64, "+44 20 7946 0000").nullish().describe("The customer's telephone number."),
    customer_email: Text(255, "ada@example.com").nullish().describe("The customer's email address."),
    customer_address: Text(512, "12 St James's Square, London").nullish().describe("The customer's address."),
    ship_method: Text(100, "UPS Ground").nullish().describe("How the order is to be shipped."),
    ship_address: Text(512, "12 St James's Square, London")
      .nullish()
      .describe("Address that the order goes to, in one text."),
    ship_by_date: DayText.nullish().describe("The day by which the order must leave."),
    min_days_at_shipping: MinDays.nullish(),
    memo: Text(4096, "leave at the door").nullish().describe("Note on the order."),
    order_origin: field.GivenOrderOrigin.nullish(),
  })
  .meta({
    id: "NewSalesOrder",
    description:
      "A sales order to create. Without `so_barcode`, its number is its barcode; without `line_number`, a line is " +
      "numbered by its place.",
  });
export type NewSalesOrder = z.infer<typeof NewSalesOrder>;

export const RelatedOrder = z
  .strictObject({
    so_id: field.SoId,
    external_id: ExternalId,
    so_number: field.SoNumber,
    order_type: OrderType,
    status: OrderStatus,
    warehouse_id: field.WarehouseId,
    customer_name: field.CustomerName.nullable(),
    parent_so_id: field.ParentSoId.nullable(),
    depth: z.int().describe("How many orders lie between it and the first of its family."),
    is_current: z.boolean().describe("Whether it is the order that was asked for."),
    is_voided: z.boolean().describe("Whether the order is a return that was voided: no goods are expected any more."),
    voided_at: field.VoidedAt.nullable(),
    cancellation_reason: field.CancellationReason.nullable(),
    created_at: field.CreatedAt,
    lines: z
      .array(
        SalesOrderLine.pick({
          so_line_id: true,
          line_number: true,
          sku: true,
          item_name: true,
          quantity_ordered: true,
          quantity_shipped: true,
          quantity_received: true,
        }),
      )
      .describe("The lines, each for one item."),
  })
  .meta({
    id: "RelatedOrder",
    description: "An ancestor or descendant of a sales order; `depth` counts from the first order of the chain.",
  });
export type RelatedOrder = z.infer<typeof RelatedOrder>;

export const ScannedOrder = z
  .strictObject({
    so_id: field.SoId,
    so_number: field.SoNumber,
    so_barcode: field.SoBarcode.nullable(),
    customer_name: field.CustomerName.nullable(),
    status: OrderStatus,
    ship_method: field.ShipMethod.nullable(),
    ship_address: field.ShipAddress.nullable(),
    goes_to: AnyText("388 Townsend Street, San Francisco, CA, 94107, US")
      .nullable()
      .describe("Where it goes, in one text: its shipping address, else what the order or its customer has."),
    warehouse_id: field.WarehouseId,
    memo: field.Memo.nullable(),
  })
  .meta({ id: "ScannedOrder", description: "A sales order that was scanned for packing or shipping." });
export type ScannedOrder = z.infer<typeof ScannedOrder>;

/** What another system may say of a sales order; of its lines: src/inbound/columns.ts. */
export const pushedSalesOrder: pushed.Columns = {
  so_number: pushed.required(pushed.text(160)),
  so_barcode: pushed.text(160),
  customer_name: pushed.text(256),
  customer_id: pushed.text(50),
  customer_phone: pushed.text(64),
  customer_email: pushed.text(255),
  customer_address: pushed.longText,
  status: pushed.oneOf(salesOrderStates),
  priority: pushed.filled(pushed.integer(-2_147_483_647)),
  warehouse_id: pushed.required(pushed.integer(1)),
  ship_method: pushed.text(100),
  ship_address: pushed.text(512),
  ...Object.fromEntries(addressColumns.map((column) => [column, pushed.text(addressFields[column].width)])),
  order_total: pushed.money,
  customer_shipping_paid: pushed.money,
  currency: pushed.text(8),
  memo: pushed.longText,
  order_origin: pushed.text(64),
  source_system: pushed.text(64),
  order_date: pushed.date,
  ship_by_date: pushed.date,
  min_days_at_shipping: pushed.integer(0, 36_500),
};
