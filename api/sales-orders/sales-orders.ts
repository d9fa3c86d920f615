import { z } from "zod";
import * as activities from "../../activities/sales-orders/create.js";
import { orderPage } from "../../src/connectors/order-page.js";
import { ItemInactive, UnknownItem, UnknownWarehouse, WarehouseInactive } from "../../src/master-data/problems.js";
import { checkWarehouse, mayUseWarehouse, shownWarehouses } from "../../src/platform/actor.js";
import { db } from "../../src/platform/db/db.js";
import * as field from "../../src/platform/fields/index.js";
import { AnyText, paged, WorkflowsUrl } from "../../src/platform/fields.js";
import { SoExists, SoNotFound, unknownSo } from "../../src/sales-orders/problems.js";
import { salesOrder, salesOrders } from "../../src/sales-orders/queries.js";
import { relatedOrders } from "../../src/sales-orders/related.js";
import {
  NewSalesOrder,
  RelatedOrder,
  SalesOrderDetail,
  SalesOrderFilters,
  SalesOrderSummary,
  salesOrderList,
} from "../../src/sales-orders/shapes.js";
import { StoryEntry, story, warehouseOfOrder } from "../../src/sales-orders/story.js";
import { orderToExplain, whyOrder } from "../../src/sales-orders/why.js";
import { WhyOrder } from "../../src/sales-orders/why-shapes.js";
import { workflowsUrl } from "../http/options.js";
import { page, pageOrPart, route } from "../http/route.js";

/** Sales orders: docs/interface.md, Sales orders. */

export const listSalesOrders = route("get /api/admin/sales-orders", {
  // The fraud queue (docs/interface.md, Backorders).
  for: pageOrPart("sales-orders", { page: "fraud", in: "query", name: "status", values: ["FRAUD_REVIEW"] }),
  summary: "Sales orders, newest first",
  query: SalesOrderFilters,
  answers: {
    200: paged("sales_orders", SalesOrderSummary, "The sales orders, without their lines.", salesOrderList.totals),
  },
  run: ({ query, by }) => salesOrders(query, shownWarehouses(by, query.warehouse_id)),
});

export const getSalesOrder = route("get /api/admin/sales-orders/:so_id", {
  for: page("sales-orders"),
  summary: "A sales order with its lines and what was picked for it",
  params: z.strictObject({ so_id: field.SoIdParam }),
  answers: { 200: SalesOrderDetail },
  errors: unknownSo,
  run: async ({ params, by }) => {
    const so = await salesOrder(db, params.so_id);
    if (!so) throw SoNotFound();
    checkWarehouse(by, so.sales_order.warehouse_id);
    return so;
  },
});

export const listRelatedSalesOrders = route("get /api/admin/sales-orders/:so_id/related", {
  for: page("sales-orders"),
  summary: "A sales order with its ancestors and their descendants",
  params: z.strictObject({ so_id: field.SoIdParam }),
  answers: {
    200: z.strictObject({
      so_id: field.SoId,
      related_count: z.int().describe("How many other orders belong to it."),
      records: z.array(RelatedOrder).describe("The orders of the family, this one among them."),
    }),
  },
  errors: unknownSo,
  run: async ({ params: { so_id }, by }) => {
    const records = await relatedOrders(so_id);
    const current = records.find((record) => record.is_current);
    if (!current) throw SoNotFound();
    checkWarehouse(by, current.warehouse_id);
    const visible = records.filter((record) => mayUseWarehouse(by, record.warehouse_id));
    return { so_id, related_count: visible.length - 1, records: visible };
  },
});

export const getSalesOrderStory = route("get /api/admin/sales-orders/:so_id/story", {
  for: page("sales-orders"),
  summary: "What happened to a sales order, newest first: its audit log, waves, shipments and what its shop was told",
  params: z.strictObject({ so_id: field.SoIdParam }),
  answers: {
    200: z.strictObject({
      so_id: field.SoId,
      entries: z.array(StoryEntry).describe("What happened to the order, newest first."),
      workflows_url: WorkflowsUrl,
      shop_url: AnyText("https://shop.myshopify.com/admin/orders/450789469")
        .nullable()
        .describe("The order's page at the shop that it came from; null where there is none."),
    }),
  },
  errors: unknownSo,
  run: async ({ params: { so_id }, by, options }) => {
    const warehouse = await warehouseOfOrder(so_id);
    if (warehouse === undefined) throw SoNotFound();
    checkWarehouse(by, warehouse);
    const [entries, shop_url] = await Promise.all([story(so_id), orderPage(so_id, options)]);
    return { so_id, entries, workflows_url: workflowsUrl(options), shop_url };
  },
});

export const getWhySalesOrder = route("get /api/admin/sales-orders/:so_id/why", {
  for: page("sales-orders"),
  summary: "Why a sales order waits: what holds it, the wave that it is in, and where the units lie that it lacks",
  params: z.strictObject({ so_id: field.SoIdParam }),
  answers: { 200: WhyOrder },
  errors: unknownSo,
  run: async ({ params, by }) => {
    const order = await orderToExplain(params.so_id);
    if (!order) throw SoNotFound();
    checkWarehouse(by, order.warehouse_id);
    return whyOrder(order);
  },
});

export const createSalesOrder = route("post /api/admin/sales-orders", {
  for: page("sales-orders"),
  summary: "Creates a sales order and reserves stock for it",
  body: NewSalesOrder,
  answers: { 200: SalesOrderDetail },
  errors: [UnknownWarehouse, UnknownItem, WarehouseInactive, ItemInactive, SoExists],
  run: ({ body, by }) => activities.createSalesOrder(body, by),
});
