import { z } from "zod";
import { createSalesOrder } from "../activities/sales-orders/create.js";
import { checkWarehouse, mayUseWarehouse, scopeOf } from "../src/actor.js";
import { db } from "../src/db.js";
import { UnknownItem, UnknownWarehouse } from "../src/orders/problems.js";
import { WarehouseDenied } from "../src/problem.js";
import {
  addressColumns,
  listedAddressColumns,
} from "../src/sales-orders/addresses.js";
import { SoExists, SoNotFound } from "../src/sales-orders/problems.js";
import { salesOrder, salesOrders } from "../src/sales-orders/queries.js";
import { relatedOrders } from "../src/sales-orders/related.js";
import { type SalesOrderStatus, salesOrderStates } from "../src/states.js";
import {
  Day,
  DayText,
  DecimalText,
  Id,
  LineNumber,
  Name,
  OrderQuantity,
  Paging,
  paged,
  QueryBool,
  QueryInt,
  QueryList,
  Text,
  Time,
  Units,
} from "./fields.js";
import { page, route } from "./route.js";

/** Sales orders: spec 4.6, reference 03 §4. */

const MaybeText = z.string().nullable();
const texts = <C extends string>(columns: C[]) =>
  Object.fromEntries(columns.map((column) => [column, MaybeText])) as Record<
    C,
    typeof MaybeText
  >;

const OrderType = z.enum([
  "sale",
  "refund",
  "backorder",
  "replacement",
  "exchange",
  "return",
]);

const Common = z.strictObject({
  so_id: Id,
  so_number: z.string(),
  so_barcode: MaybeText,
  customer_name: MaybeText,
  customer_phone: MaybeText,
  customer_address: MaybeText,
  status: z.enum(Object.keys(salesOrderStates) as SalesOrderStatus[]),
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
});

const Summary = Common.extend({
  ...texts(listedAddressColumns),
  shipped_at: Time.nullable(),
  printed_at: Time.nullable(),
  primary_bin_code: MaybeText.optional(),
  primary_bin_pick_sequence: z.int().nullable().optional(),
  line_count: z.int().optional(),
});

const Header = Common.extend({
  ...texts(addressColumns),
  customer_email: MaybeText,
  order_total: DecimalText.nullable(),
  customer_shipping_paid: DecimalText.nullable(),
  source_system: MaybeText,
  order_origin: MaybeText,
  parent_so_number: MaybeText,
  backorder_opened_at: Time.nullable(),
  backorder_fulfillable_at: Time.nullable(),
  cancellation_reason: MaybeText,
});

const Line = z.strictObject({
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
  status: z.enum(["PENDING", "OPEN", "PICKED", "PACKED", "SHIPPED"]),
});

const PickedTask = z.strictObject({
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
});

const Detail = z.strictObject({
  sales_order: Header,
  lines: z.array(Line),
  pick_tasks: z.array(PickedTask),
});

export const listSalesOrders = route("get /api/admin/sales-orders", {
  for: page("sales-orders"),
  summary: "Sales orders, newest first",
  query: z.object({
    ...Paging,
    status: QueryList.optional(),
    warehouse_id: QueryInt.optional(),
    q: Text(256, "SO-1001").optional(),
    order_type: OrderType.optional(),
    exclude_post_fulfillment: QueryBool.default(false),
    hide_printed: QueryBool.default(false),
    include_primary_bin: QueryBool.default(false),
    include_line_count: QueryBool.default(false),
    local_pickup: QueryBool.default(false),
    date_from: DayText.optional(),
    date_to: DayText.optional(),
    order_origin: Text(64, "web").optional(),
  }),
  answers: { 200: paged("sales_orders", Summary) },
  run: ({ query, by }) => salesOrders(query, scopeOf(by)),
});

export const readSalesOrder = route("get /api/admin/sales-orders/:so_id", {
  for: page("sales-orders"),
  summary: "A sales order with its lines and what was picked for it",
  params: z.strictObject({ so_id: QueryInt }),
  answers: { 200: Detail },
  errors: [SoNotFound, WarehouseDenied],
  run: async ({ params, by }) => {
    const so = await salesOrder(db, params.so_id);
    if (!so) throw SoNotFound();
    checkWarehouse(by, so.sales_order.warehouse_id);
    return so;
  },
});

export const readRelatedOrders = route(
  "get /api/admin/sales-orders/:so_id/related",
  {
    for: page("sales-orders"),
    summary: "A sales order with its ancestors and all that came of them",
    params: z.strictObject({ so_id: QueryInt }),
    answers: {
      200: z.strictObject({
        so_id: Id,
        related_count: z.int(),
        records: z.array(
          z.strictObject({
            so_id: Id,
            so_number: z.string(),
            order_type: OrderType,
            status: Common.shape.status,
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
              Line.pick({
                so_line_id: true,
                line_number: true,
                sku: true,
                item_name: true,
                quantity_ordered: true,
                quantity_shipped: true,
                quantity_received: true,
              }),
            ),
          }),
        ),
      }),
    },
    errors: [SoNotFound, WarehouseDenied],
    run: async ({ params: { so_id }, by }) => {
      const records = await relatedOrders(so_id);
      const current = records.find((record) => record.is_current);
      if (!current) throw SoNotFound();
      checkWarehouse(by, current.warehouse_id);
      const visible = records.filter((record) =>
        mayUseWarehouse(by, record.warehouse_id),
      );
      return { so_id, related_count: visible.length - 1, records: visible };
    },
  },
);

export const addSalesOrder = route("post /api/admin/sales-orders", {
  for: page("sales-orders"),
  summary: "Creates a sales order and reserves stock for it",
  body: z.strictObject({
    so_number: Name(128, "SO-1001"),
    warehouse_id: Id,
    lines: z
      .array(
        z.strictObject({
          item_id: Id,
          quantity_ordered: OrderQuantity,
          line_number: LineNumber.nullish(),
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
  }),
  answers: { 200: Detail },
  errors: [UnknownWarehouse, UnknownItem, SoExists],
  run: ({ body, by }) => createSalesOrder(body, by),
});
