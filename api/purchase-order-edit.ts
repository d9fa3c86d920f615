import { z } from "zod";
import {
  closePurchaseOrder,
  editPurchaseOrder,
  reopenPurchaseOrder,
} from "../activities/purchase-order-edit.js";
import {
  addLine,
  changeLine,
  removeLine,
} from "../activities/purchase-order-lines.js";
import { UnknownItem } from "../src/orders/problems.js";
import { NothingToChange, WarehouseDenied } from "../src/problem.js";
import {
  BelowReceived,
  ItemOnPo,
  PoAlreadyClosed,
  PoExists,
  PoLineNotFound,
  PoLineReceived,
  PoLocked,
  PoNotArchivable,
  PoNotClosed,
  StatusFollowsLines,
} from "../src/purchase-orders/problems.js";
import { PoNotFound } from "../src/receiving/problems.js";
import {
  DayText,
  Id,
  Name,
  OrderQuantity,
  QueryInt,
  Text,
  UnitCost,
  Units,
} from "./fields.js";
import { PoHeader, PoStatus } from "./po-header.js";
import { page, route } from "./route.js";

/** Edits of purchase orders: spec 3.2 and 4.6, reference 03 §3. */

const ofOrder = z.strictObject({ po_id: QueryInt });
const ofLine = ofOrder.extend({ po_line_id: QueryInt });

export const changePurchaseOrder = route(
  "put /api/admin/purchase-orders/:po_id",
  {
    for: page("purchase-orders"),
    summary:
      "Changes what is sent of a purchase order's header; closes, reopens or archives it by its status",
    params: ofOrder,
    body: z.strictObject({
      po_number: Name(128, "PO-1001").optional(),
      po_barcode: Name(128, "PO-1001").optional(),
      vendor_name: Text(256, "Acme Supply").nullish(),
      expected_date: DayText.nullish(),
      notes: Text(1000, "dock 2").nullish(),
      status: PoStatus.optional(),
    }),
    answers: { 200: PoHeader },
    errors: [
      PoNotFound,
      WarehouseDenied,
      NothingToChange,
      PoExists,
      PoLocked,
      StatusFollowsLines,
      PoNotArchivable,
    ],
    run: ({ params, body, by }) => editPurchaseOrder(params.po_id, body, by),
  },
);

const Closed = z.strictObject({ message: z.string(), status: PoStatus });

export const closeOrder = route(
  "post /api/admin/purchase-orders/:po_id/close",
  {
    for: page("purchase-orders"),
    summary:
      "Closes a purchase order, whatever came: nothing is received on it any more",
    params: ofOrder,
    answers: { 200: Closed },
    errors: [PoNotFound, WarehouseDenied, PoAlreadyClosed],
    run: ({ params, by }) => closePurchaseOrder(params.po_id, by),
  },
);

export const reopenOrder = route(
  "post /api/admin/purchase-orders/:po_id/reopen",
  {
    for: page("purchase-orders"),
    summary:
      "Reopens a closed purchase order; its status is what its lines say",
    params: ofOrder,
    answers: { 200: Closed },
    errors: [PoNotFound, WarehouseDenied, PoNotClosed],
    run: ({ params, by }) => reopenPurchaseOrder(params.po_id, by),
  },
);

export const addPoLine = route("post /api/admin/purchase-orders/:po_id/lines", {
  for: page("purchase-orders"),
  summary: "Adds a line for an item that is not on the purchase order yet",
  params: ofOrder,
  body: z.strictObject({
    item_id: Id,
    quantity_ordered: OrderQuantity,
    unit_cost: UnitCost.nullish(),
  }),
  answers: {
    201: z.strictObject({
      po_line_id: Id,
      po_id: Id,
      item_id: Id,
      sku: z.string(),
      quantity_ordered: Units,
      quantity_received: z.literal(0),
      line_number: z.int(),
      po_status: PoStatus,
    }),
  },
  errors: [PoNotFound, WarehouseDenied, PoLocked, UnknownItem, ItemOnPo],
  run: ({ params, body, by }) => addLine(params.po_id, body, by),
});

export const changePoLine = route(
  "patch /api/admin/purchase-orders/:po_id/lines/:po_line_id",
  {
    for: page("purchase-orders"),
    summary: "Changes how many units a line orders",
    params: ofLine,
    body: z.strictObject({ quantity_ordered: OrderQuantity }),
    answers: {
      200: z.strictObject({
        po_line_id: Id,
        quantity_ordered: Units,
        line_status: z.enum(["PENDING", "PARTIAL", "RECEIVED"]),
        po_status: PoStatus,
      }),
    },
    errors: [
      PoNotFound,
      WarehouseDenied,
      PoLocked,
      PoLineNotFound,
      BelowReceived,
    ],
    run: ({ params, body, by }) =>
      changeLine(params.po_id, params.po_line_id, body.quantity_ordered, by),
  },
);

export const removePoLine = route(
  "delete /api/admin/purchase-orders/:po_id/lines/:po_line_id",
  {
    for: page("purchase-orders"),
    summary: "Removes a line of which nothing was received",
    params: ofLine,
    answers: {
      200: z.strictObject({
        po_line_id: Id,
        deleted: z.literal(true),
        po_status: PoStatus,
      }),
    },
    errors: [
      PoNotFound,
      WarehouseDenied,
      PoLocked,
      PoLineNotFound,
      PoLineReceived,
    ],
    run: ({ params, by }) => removeLine(params.po_id, params.po_line_id, by),
  },
);
