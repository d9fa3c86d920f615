import { z } from "zod";
import { adminPick } from "../../activities/sales-orders/admin-pick.js";
import { adminShip } from "../../activities/sales-orders/admin-ship.js";
import * as activities from "../../activities/sales-orders/cancel.js";
import { revertStatus } from "../../activities/sales-orders/revert.js";
import { LotExpiresLater, LotNotFree, WrongLot } from "../../src/picking/problems.js";
import * as field from "../../src/platform/fields/index.js";
import { WarehouseDenied } from "../../src/platform/problem.js";
import { OrderHasRecalled } from "../../src/recalls/problems.js";
import * as problems from "../../src/sales-orders/action-problems.js";
import {
  AdminPick,
  AdminPicked,
  AdminShip,
  AdminShipped,
  Cancelled,
  Reversion,
  Reverted,
} from "../../src/sales-orders/action-shapes.js";
import { OrderHeld } from "../../src/sales-orders/holds.js";
import { unknownSo } from "../../src/sales-orders/problems.js";
import { SerialsMissing } from "../../src/serials/problems.js";
import {
  NotInClosedParcel,
  OrderInParcels,
  PartlyShipped,
  UnitsInParcels,
} from "../../src/shipping/parcels/problems.js";
import { page, pageWith, route } from "../http/route.js";

/** Actions of the panel on a whole sales order: pick, ship, revert, cancel (docs/interface.md, Sales orders). */

const params = z.strictObject({ so_id: field.SoIdParam });

export const pickSalesOrderAtDesk = route("post /api/admin/sales-orders/:so_id/admin-pick", {
  for: pageWith("sales-orders", "so-full-edit"),
  summary: "Picks an open order without a wave: all the given picks or none",
  params,
  body: AdminPick,
  answers: { 200: AdminPicked },
  errors: [
    problems.PickOrderNotFound,
    WarehouseDenied,
    problems.NotEligible,
    problems.PickNotOpen,
    OrderHeld,
    problems.PickInBatch,
    problems.PickEmpty,
    problems.LineNotOnOrder,
    problems.OverPick,
    problems.PickBinNotFound,
    problems.PickBinElsewhere,
    problems.InsufficientAvailable,
    ...[WrongLot, LotExpiresLater, LotNotFree],
  ],
  run: ({ params, body, by }) => adminPick({ ...params, ...body }, by),
});

export const shipSalesOrderAtDesk = route("post /api/admin/sales-orders/:so_id/admin-ship", {
  for: pageWith("sales-orders", "so-full-edit"),
  destructive: true,
  summary: "Ships an order without a scan",
  params,
  body: AdminShip,
  answers: { 200: AdminShipped },
  errors: [
    problems.ActionOrderNotFound,
    WarehouseDenied,
    SerialsMissing,
    problems.AlreadyFulfilled,
    problems.NotEligible,
    problems.WrongStatus,
    OrderHeld,
    problems.NothingToShip,
    problems.ShipsShort,
    problems.NoBin,
    ...[OrderHasRecalled, OrderInParcels, NotInClosedParcel],
  ],
  run: ({ params, body, by }) => adminShip({ ...params, ...body }, by),
});

export const revertSalesOrderStatus = route("post /api/admin/sales-orders/:so_id/revert-status", {
  for: page("sales-orders"),
  destructive: true,
  summary: "Reverts an order to an earlier status and returns picks to their bins",
  params,
  body: Reversion,
  answers: { 200: Reverted },
  errors: [
    problems.ActionOrderNotFound,
    WarehouseDenied,
    problems.InvalidStatus,
    problems.RevertCancelled,
    problems.RevertNotEligible,
    problems.NotBackward,
    problems.HasReturns,
    ...[PartlyShipped, UnitsInParcels],
    problems.ShippedWithoutPicks,
    problems.PickTaskMissing,
    problems.PickTaskWrongState,
    problems.PickedQtyRemaining,
  ],
  run: ({ params, body, by }) => revertStatus({ ...params, ...body }, by),
});

export const cancelSalesOrder = route("post /api/admin/sales-orders/:so_id/cancel", {
  for: page("sales-orders"),
  destructive: true,
  summary: "Cancels an order and its open backorders",
  params,
  answers: { 200: Cancelled },
  errors: [...unknownSo, problems.ReturnNotCancellable, problems.NotCancellable, PartlyShipped],
  run: ({ params, by }) => activities.cancelSalesOrder(params, by),
});
