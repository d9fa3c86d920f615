import { z } from "zod";
import {
  Day,
  DayText,
  DecimalText,
  ExternalId,
  Id,
  LineNumber,
  Name,
  OrderQuantity,
  QueryBool,
  QueryInt,
  QueryList,
  SearchText,
  Text,
  Time,
  Units,
} from "../platform/fields.js";
import { list } from "../platform/list.js";
import { OrderStatus } from "../platform/statuses.js";
import { addressColumns, listedAddressColumns } from "./addresses.js";
import { HoldReason } from "./holds.js";
import { NextStep } from "./next-step-shapes.js";
import { OPEN_WORK, type OpenWork } from "./open-work.js";
import { LineProperties } from "./properties.js";

/** Sales orders as the interface shows them: docs/interface.md, Sales orders. */

const MaybeText = z.string().nullable();

/** A nullable text for each of these columns. */
export const textColumns = <C extends string>(columns: readonly C[]) =>
  Object.fromEntries(columns.map((column) => [column, MaybeText])) as Record<C, typeof MaybeText>;

export const OrderType = z.enum(["sale", "refund", "backorder", "replacement", "exchange", "return"]);
export type OrderType = z.infer<typeof OrderType>;

const ShopDifference = z
  .strictObject({
    item_id: Id,
    sku: z.string(),
    item_name: z.string(),
    units: z
      .int()
      .meta({ examples: [-1] })
      .describe("How many more its shop wants, or fewer, below 0."),
  })
  .meta({
    id: "ShopDifference",
    description:
      "Units of an item in which the shop of an order wants something else than the order and its backorders are for.",
  });

/** What the list and the single order both show. */
const Common = z.strictObject({
  so_id: Id,
  external_id: ExternalId,
  so_number: z.string(),
  so_barcode: MaybeText,
  customer_name: MaybeText,
  customer_phone: MaybeText,
  customer_address: MaybeText,
  status: OrderStatus,
  priority: z.int(),
  warehouse_id: Id,
  order_type: OrderType,
  parent_so_id: Id.nullable(),
  ship_method: MaybeText,
  ship_address: MaybeText,
  order_date: Day.nullable(),
  ship_by_date: Day.nullable(),
  created_at: Time,
  created_by: MaybeText,
  carrier: MaybeText,
  tracking_number: MaybeText,
  shipped_date_local: Day.nullable(),
  memo: MaybeText,
  hold_reason: HoldReason.nullable(),
});

export const SalesOrderSummary = Common.extend({
  ...textColumns(listedAddressColumns),
  shipped_at: Time.nullable(),
  printed_at: Time.nullable(),
  updated_at: Time,
  primary_bin_code: MaybeText.optional(),
  primary_bin_pick_sequence: z.int().nullable().optional(),
  line_count: z.int().optional(),
  warehouse_code: z.string(),
}).meta({ id: "SalesOrderSummary", description: "A sales order as the list of sales orders shows it." });
export type SalesOrderSummary = z.infer<typeof SalesOrderSummary>;

export const SalesOrder = Common.extend({
  ...textColumns(addressColumns),
  customer_email: MaybeText,
  order_total: DecimalText.nullable(),
  customer_shipping_paid: DecimalText.nullable(),
  currency: MaybeText.meta({ description: "Of its amounts, by its ISO 4217 code.", examples: ["EUR"] }),
  source_system: MaybeText,
  order_origin: MaybeText,
  parent_so_number: MaybeText,
  backorder_opened_at: Time.nullable(),
  backorder_fulfillable_at: Time.nullable(),
  cancellation_reason: MaybeText,
  voided_at: Time.nullable(),
  voided_by: MaybeText,
  shipped_at: Time.nullable(),
  printed_at: Time.nullable(),
  shop_difference: z.array(ShopDifference).nullable(),
  created_by_name: MaybeText.describe("What people call who made it; null for the service itself.").meta({
    examples: ["Ann Miller"],
  }),
  is_short: z.boolean().describe("Whether less was picked than is ordered, and nobody has decided what becomes of it."),
}).meta({ id: "SalesOrder", description: "The header of a sales order." });
export type SalesOrder = z.infer<typeof SalesOrder>;

export const SalesOrderLine = z
  .strictObject({
    so_line_id: Id,
    line_number: z.int(),
    item_id: Id,
    sku: z.string(),
    item_name: z.string(),
    upc: MaybeText,
    quantity_ordered: Units,
    quantity_allocated: Units,
    quantity_picked: Units,
    quantity_packed: Units,
    quantity_shipped: Units,
    quantity_received: Units,
    original_so_line_id: Id.nullable(),
    status: z.enum(["PENDING", "OPEN", "PICKED", "PACKED", "SHIPPED"]),
    properties: LineProperties,
    reported_missing: Units.describe(
      "Units on the books that pickers looked for in vain where they were sent for this line.",
    ),
  })
  .meta({ id: "SalesOrderLine", description: "A line of a sales order." });
export type SalesOrderLine = z.infer<typeof SalesOrderLine>;

const PickedTask = z
  .strictObject({
    pick_task_id: Id,
    so_line_id: Id,
    item_id: Id,
    sku: z.string(),
    item_name: z.string(),
    bin_id: Id,
    bin_code: z.string(),
    quantity_picked: Units,
    picked_at: Time.nullable(),
    picked_by: MaybeText,
    status: z.literal("PICKED"),
  })
  .meta({ id: "PickedTask", description: "What a pick task picked for a line of a sales order." });

export const SalesOrderDetail = z
  .strictObject({
    sales_order: SalesOrder,
    lines: z.array(SalesOrderLine),
    pick_tasks: z.array(PickedTask),
    next_step: NextStep,
  })
  .meta({ id: "SalesOrderDetail", description: "A sales order with its lines and what was picked for it." });
export type SalesOrderDetail = z.infer<typeof SalesOrderDetail>;

export const salesOrderList = list(
  "so.so_id",
  ...["so.so_id", "so_number", "customer_name", "status", "priority", "order_date", "ship_by_date", "created_at"],
  ...["printed_at", "shipped_at", "updated_at"],
);

export const SalesOrderFilters = z.object({
  ...salesOrderList.parameters,
  status: QueryList.optional(),
  warehouse_id: QueryInt.optional(),
  work: z
    .enum(Object.keys(OPEN_WORK) as OpenWork[])
    .describe("Only orders that are this work; `late` by the clock of their warehouse.")
    .meta({ examples: ["ready_to_pick"] })
    .optional(),
  q: SearchText("SO-1001").optional(),
  order_type: OrderType.optional(),
  exclude_post_fulfillment: QueryBool.default(false),
  hide_printed: QueryBool.default(false),
  held: QueryBool.default(false),
  include_primary_bin: QueryBool.default(false),
  include_line_count: QueryBool.default(false),
  local_pickup: QueryBool.default(false),
  date_from: DayText.optional(),
  date_to: DayText.optional(),
  order_origin: Text(64, "web").optional(),
});
export type SalesOrderFilters = z.infer<typeof SalesOrderFilters>;

export const NewSalesOrder = z
  .strictObject({
    so_number: Name(128, "SO-1001"),
    warehouse_id: Id,
    lines: z
      .array(
        z.strictObject({
          item_id: Id,
          quantity_ordered: OrderQuantity,
          line_number: LineNumber.nullish(),
          properties: LineProperties.optional(),
        }),
      )
      .min(1),
    so_barcode: Name(128, "SO-1001").nullish(),
    customer_name: Text(256, "Ada Lovelace").nullish(),
    customer_phone: Text(64, "+44 20 7946 0000").nullish(),
    customer_email: Text(255, "ada@example.com").nullish(),
    customer_address: Text(512, "12 St James's Square, London").nullish(),
    ship_method: Text(100, "UPS Ground").nullish(),
    ship_address: Text(512, "12 St James's Square, London").nullish(),
    ship_by_date: DayText.nullish(),
    memo: Text(4096, "leave at the door").nullish(),
    order_origin: Text(64, "web").nullish(),
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
    so_id: Id,
    external_id: ExternalId,
    so_number: z.string(),
    order_type: OrderType,
    status: OrderStatus,
    warehouse_id: Id,
    customer_name: MaybeText,
    parent_so_id: Id.nullable(),
    depth: z.int(),
    is_current: z.boolean(),
    is_voided: z.boolean(),
    voided_at: Time.nullable(),
    cancellation_reason: MaybeText,
    created_at: Time,
    lines: z.array(
      SalesOrderLine.pick({
        so_line_id: true,
        line_number: true,
        sku: true,
        item_name: true,
        quantity_ordered: true,
        quantity_shipped: true,
        quantity_received: true,
      }),
    ),
  })
  .meta({
    id: "RelatedOrder",
    description: "An ancestor or descendant of a sales order; `depth` counts from the first order of the chain.",
  });
export type RelatedOrder = z.infer<typeof RelatedOrder>;

export const ScannedOrder = z
  .strictObject({
    so_id: Id,
    so_number: z.string(),
    so_barcode: MaybeText,
    customer_name: MaybeText,
    status: OrderStatus,
    ship_method: MaybeText,
    ship_address: MaybeText,
    warehouse_id: Id,
    memo: MaybeText,
  })
  .meta({ id: "ScannedOrder", description: "A sales order that was scanned for packing or shipping." });
export type ScannedOrder = z.infer<typeof ScannedOrder>;
