import { z } from "zod";
import { editAddress } from "../../activities/sales-orders/address.js";
import { editSalesOrder } from "../../activities/sales-orders/edit.js";
import { holdOrder, releaseHold } from "../../activities/sales-orders/holds.js";
import { editMemo, pushToQueue } from "../../activities/sales-orders/review.js";
import * as field from "../../src/platform/fields/index.js";
import { OrderHasRecalled } from "../../src/recalls/problems.js";
import { NothingToShip, ShipsShort } from "../../src/sales-orders/action-problems.js";
import {
  AddressEdit,
  AddressEdited,
  HeaderEdited,
  HeldByHand,
  HoldReleased,
  MemoEdit,
  MemoEdited,
  OrderHold,
  ReleasedFromReview,
  SalesOrderEdit,
} from "../../src/sales-orders/edit-shapes.js";
import { OrderNotHoldable } from "../../src/sales-orders/fulfilment.js";
import { OrderHeld, OrderNotHeld } from "../../src/sales-orders/holds.js";
import {
  EditForbidden,
  NotInReview,
  ReassignForbidden,
  SoExists,
  StatusNotEditable,
  TrackingRequired,
  unknownSo,
} from "../../src/sales-orders/problems.js";
import { NotInClosedParcel, OrderInParcels } from "../../src/shipping/parcels/problems.js";
import { page, route, signedIn } from "../http/route.js";

/** Editing a sales order's header: docs/interface.md, Sales orders. */

const params = z.strictObject({ so_id: field.SoIdParam });

export const updateSalesOrder = route("put /api/admin/sales-orders/:so_id", {
  for: page("sales-orders"),
  summary:
    "Edits a sales order's header; status SHIPPED ships it. A USER edits OPEN orders, with `so-full-edit` " +
    "all but SHIPPED ones",
  params,
  body: SalesOrderEdit,
  answers: { 200: HeaderEdited },
  errors: [
    ...unknownSo,
    EditForbidden,
    ReassignForbidden,
    SoExists,
    StatusNotEditable,
    OrderHeld,
    TrackingRequired,
    ShipsShort,
    NothingToShip,
    ...[OrderHasRecalled, OrderInParcels, NotInClosedParcel],
  ],
  run: ({ params, body, by }) => editSalesOrder({ ...body, ...params }, by),
});

export const updateSalesOrderAddress = route("patch /api/admin/sales-orders/:so_id/address", {
  for: signedIn,
  summary: "Corrects an order's billing and shipping address; a USER only while the order is OPEN",
  params,
  body: AddressEdit,
  answers: { 200: AddressEdited },
  errors: [...unknownSo, EditForbidden],
  run: ({ params, body, by }) => editAddress({ ...body, ...params }, by),
});

export const updateSalesOrderMemo = route("patch /api/admin/sales-orders/:so_id/memo", {
  for: page("fraud"),
  summary: "Changes an order's memo, in any status",
  params,
  body: MemoEdit,
  answers: { 200: MemoEdited },
  errors: unknownSo,
  run: ({ params, body, by }) => editMemo({ ...params, memo: body.memo }, by),
});

export const holdSalesOrder = route("post /api/admin/sales-orders/:so_id/hold", {
  for: page("sales-orders"),
  summary: "Holds an order with its backorders: nothing of it is picked, packed or shipped until somebody releases it",
  params,
  body: OrderHold,
  answers: { 200: HeldByHand },
  errors: [...unknownSo, OrderHeld, OrderNotHoldable],
  run: ({ params, body, by }) => holdOrder({ ...params, ...body }, by),
});

export const releaseHeldSalesOrder = route("post /api/admin/sales-orders/:so_id/release-hold", {
  for: page("sales-orders"),
  summary: "Releases a held order with its backorders: they go on as they are here, whatever their shop wants",
  params,
  answers: { 200: HoldReleased },
  errors: [...unknownSo, OrderNotHeld],
  run: ({ params, by }) => releaseHold(params, by),
});

export const releaseSalesOrderToQueue = route("post /api/admin/sales-orders/:so_id/push-to-queue", {
  for: page("fraud"),
  summary: "Releases an order from fraud review: it becomes OPEN",
  params,
  answers: { 200: ReleasedFromReview },
  errors: [...unknownSo, NotInReview],
  run: ({ params, by }) => pushToQueue(params, by),
});
