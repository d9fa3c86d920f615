import { z } from "zod";
import * as activities from "../../activities/purchasing/edit.js";
import { addLine, changeLine, removeLine } from "../../activities/purchasing/lines.js";
import { UnknownItem } from "../../src/master-data/problems.js";
import * as field from "../../src/platform/fields/index.js";
import { QueryInt } from "../../src/platform/fields.js";
import { NothingToChange } from "../../src/platform/problem.js";
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
  unknownPo,
} from "../../src/purchasing/problems.js";
import {
  LineAdded,
  LineChanged,
  LineRemoved,
  NewLine,
  PoStatusChanged,
  PurchaseOrder,
  PurchaseOrderChanges,
} from "../../src/purchasing/shapes.js";
import { page, route } from "../http/route.js";

/** Edits of purchase orders: docs/interface.md, Purchase orders. */

const ofOrder = z.strictObject({ po_id: field.PoIdParam });
const ofLine = ofOrder.extend({ po_line_id: QueryInt.describe("Id of the purchase order's line.") });

export const updatePurchaseOrder = route("put /api/admin/purchase-orders/:po_id", {
  for: page("purchase-orders"),
  summary: "Changes what is sent of a purchase order's header; closes, reopens or archives it by its status",
  params: ofOrder,
  body: PurchaseOrderChanges,
  answers: { 200: PurchaseOrder },
  errors: [...unknownPo, NothingToChange, PoExists, PoLocked, StatusFollowsLines, PoNotArchivable],
  run: ({ params, body, by }) => activities.editPurchaseOrder(params.po_id, body, by),
});

export const closePurchaseOrder = route("post /api/admin/purchase-orders/:po_id/close", {
  for: page("purchase-orders"),
  destructive: true,
  summary: "Closes a purchase order, whatever was received: nothing more can be received on it",
  params: ofOrder,
  answers: { 200: PoStatusChanged },
  errors: [...unknownPo, PoAlreadyClosed],
  run: ({ params, by }) => activities.closePurchaseOrder(params.po_id, by),
});

export const reopenPurchaseOrder = route("post /api/admin/purchase-orders/:po_id/reopen", {
  for: page("purchase-orders"),
  summary: "Reopens a closed purchase order; its status is derived from its lines",
  params: ofOrder,
  answers: { 200: PoStatusChanged },
  errors: [...unknownPo, PoNotClosed],
  run: ({ params, by }) => activities.reopenPurchaseOrder(params.po_id, by),
});

export const createPurchaseOrderLine = route("post /api/admin/purchase-orders/:po_id/lines", {
  for: page("purchase-orders"),
  summary: "Adds a line for an item that is not on the purchase order yet",
  params: ofOrder,
  body: NewLine,
  answers: { 201: LineAdded },
  errors: [...unknownPo, PoLocked, UnknownItem, ItemOnPo],
  run: ({ params, body, by }) => addLine(params.po_id, body, by),
});

export const updatePurchaseOrderLine = route("patch /api/admin/purchase-orders/:po_id/lines/:po_line_id", {
  for: page("purchase-orders"),
  summary: "Changes how many units a line orders",
  params: ofLine,
  body: NewLine.pick({ quantity_ordered: true }).meta({ id: "OrderLineEdit" }),
  answers: { 200: LineChanged },
  errors: [...unknownPo, PoLocked, PoLineNotFound, BelowReceived],
  run: ({ params, body, by }) => changeLine(params.po_id, params.po_line_id, body.quantity_ordered, by),
});

export const deletePurchaseOrderLine = route("delete /api/admin/purchase-orders/:po_id/lines/:po_line_id", {
  for: page("purchase-orders"),
  summary: "Removes a line of which nothing was received",
  params: ofLine,
  answers: { 200: LineRemoved },
  errors: [...unknownPo, PoLocked, PoLineNotFound, PoLineReceived],
  run: ({ params, by }) => removeLine(params.po_id, params.po_line_id, by),
});
