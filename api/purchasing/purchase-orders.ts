import { z } from "zod";
import * as activities from "../../activities/purchasing/purchase-orders.js";
import { UnknownItem, UnknownWarehouse } from "../../src/master-data/problems.js";
import { checkWarehouse, shownWarehouses } from "../../src/platform/actor.js";
import { db } from "../../src/platform/db/db.js";
import * as field from "../../src/platform/fields/index.js";
import { paged } from "../../src/platform/fields.js";
import { PoExists, PoNotFound, unknownPo } from "../../src/purchasing/problems.js";
import { purchaseOrder, purchaseOrders } from "../../src/purchasing/queries.js";
import {
  NewPurchaseOrder,
  PurchaseOrderFilters,
  PurchaseOrderSummary,
  PurchaseOrderWithLines,
  purchaseOrderList,
} from "../../src/purchasing/shapes.js";
import { page, route } from "../http/route.js";

/** Purchase orders: docs/interface.md, Purchase orders. */

export const listPurchaseOrders = route("get /api/admin/purchase-orders", {
  for: page("purchase-orders"),
  summary: "Purchase orders, newest first",
  query: PurchaseOrderFilters,
  answers: {
    200: paged(
      "purchase_orders",
      PurchaseOrderSummary,
      "The purchase orders, without their lines.",
      purchaseOrderList.totals,
    ),
  },
  run: ({ query, by }) => purchaseOrders(query, shownWarehouses(by, query.warehouse_id)),
});

export const getPurchaseOrder = route("get /api/admin/purchase-orders/:po_id", {
  for: page("purchase-orders"),
  summary: "A purchase order with its lines",
  params: z.strictObject({ po_id: field.PoIdParam }),
  answers: { 200: PurchaseOrderWithLines },
  errors: unknownPo,
  run: async ({ params, by }) => {
    const po = await purchaseOrder(db, params.po_id);
    if (!po) throw PoNotFound();
    checkWarehouse(by, po.purchase_order.warehouse_id);
    return po;
  },
});

export const createPurchaseOrder = route("post /api/admin/purchase-orders", {
  for: page("purchase-orders"),
  summary: "Creates a purchase order",
  body: NewPurchaseOrder,
  answers: { 200: PurchaseOrderWithLines },
  errors: [UnknownWarehouse, UnknownItem, PoExists],
  run: ({ body, by }) => activities.createPurchaseOrder(body, by),
});
