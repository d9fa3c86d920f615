import { z } from "zod";
import { createPurchaseOrder } from "../activities/purchase-orders.js";
import { checkWarehouse, scopeOf } from "../src/actor.js";
import { db } from "../src/db.js";
import { UnknownItem, UnknownWarehouse } from "../src/orders/problems.js";
import { WarehouseDenied } from "../src/problem.js";
import { PoExists } from "../src/purchase-orders/problems.js";
import {
  purchaseOrder,
  purchaseOrders,
} from "../src/purchase-orders/queries.js";
import { PoNotFound } from "../src/receiving/problems.js";
import {
  Cost,
  DayText,
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
  UnitCost,
  Units,
} from "./fields.js";
import { PoHeader } from "./po-header.js";
import { page, route } from "./route.js";

/** Purchase orders: spec 4.6, reference 03 §3. */

const Line = z.strictObject({
  po_line_id: Id,
  line_number: z.int(),
  item_id: Id,
  sku: z.string(),
  item_name: z.string(),
  upc: z.string().nullable(),
  mpn: z.string().nullable(),
  quantity_ordered: Units,
  quantity_received: Units,
  unit_cost: Cost.nullable(),
  status: z.enum(["PENDING", "PARTIAL", "RECEIVED"]),
});

const Detail = z.strictObject({
  purchase_order: PoHeader,
  lines: z.array(Line),
});

export const listPurchaseOrders = route("get /api/admin/purchase-orders", {
  for: page("purchase-orders"),
  summary: "Purchase orders, newest first",
  query: z.object({
    ...Paging,
    status: QueryList.optional(),
    warehouse_id: QueryInt.optional(),
    q: Text(256, "Acme").optional(),
    include_archived: QueryBool.default(false),
  }),
  answers: {
    200: paged(
      "purchase_orders",
      PoHeader.extend({
        received_at: Time.nullable(),
        created_by: z.string().nullable(),
      }),
    ),
  },
  run: ({ query, by }) => purchaseOrders(query, scopeOf(by)),
});

export const readPurchaseOrder = route(
  "get /api/admin/purchase-orders/:po_id",
  {
    for: page("purchase-orders"),
    summary: "A purchase order with its lines",
    params: z.strictObject({ po_id: QueryInt }),
    answers: { 200: Detail },
    errors: [PoNotFound, WarehouseDenied],
    run: async ({ params, by }) => {
      const po = await purchaseOrder(db, params.po_id);
      if (!po) throw PoNotFound();
      checkWarehouse(by, po.purchase_order.warehouse_id);
      return po;
    },
  },
);

export const addPurchaseOrder = route("post /api/admin/purchase-orders", {
  for: page("purchase-orders"),
  summary: "Creates a purchase order",
  body: z.strictObject({
    po_number: Name(128, "PO-1001"),
    warehouse_id: Id,
    lines: z
      .array(
        z.strictObject({
          item_id: Id,
          quantity_ordered: OrderQuantity,
          unit_cost: UnitCost.nullish(),
          line_number: LineNumber.nullish(),
        }),
      )
      .min(1),
    po_barcode: Name(128, "PO-1001").nullish(),
    vendor_name: Text(256, "Acme Supply").nullish(),
    expected_date: DayText.nullish(),
    notes: Text(1000, "dock 2").nullish(),
  }),
  answers: { 200: Detail },
  errors: [UnknownWarehouse, UnknownItem, PoExists],
  run: ({ body, by }) => createPurchaseOrder(body, by),
});
