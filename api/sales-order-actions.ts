import { z } from "zod";
import { adminPick } from "../activities/sales-orders/admin-pick.js";
import { adminShip } from "../activities/sales-orders/admin-ship.js";
import { cancelSalesOrder } from "../activities/sales-orders/cancel.js";
import { revertStatus } from "../activities/sales-orders/revert.js";
import { WarehouseDenied } from "../src/problem.js";
import * as refused from "../src/sales-orders/action-problems.js";
import { SoNotFound } from "../src/sales-orders/problems.js";
import { way } from "../src/sales-orders/reversion.js";
import { type SalesOrderStatus, salesOrderStates } from "../src/states.js";
import { Id, Name, OrderQuantity, QueryInt, Units } from "./fields.js";
import { page, pageWith, route } from "./route.js";

/** What the desk does to a whole sales order: pick, ship, revert, cancel (spec 3.1, reference 03 §4). */

const params = z.strictObject({ so_id: QueryInt });
const Status = z.enum(Object.keys(salesOrderStates) as SalesOrderStatus[]);

export const pickAtDesk = route(
  "post /api/admin/sales-orders/:so_id/admin-pick",
  {
    for: pageWith("sales-orders", "so-full-edit"),
    summary: "Picks an open order from the desk, all of it or nothing",
    params,
    body: z.strictObject({
      lines: z.array(
        z.strictObject({
          so_line_id: Id,
          bin_id: Id,
          quantity: OrderQuantity,
        }),
      ),
    }),
    answers: {
      200: z.strictObject({
        message: z.string(),
        batch_id: Id,
        batch_number: z.string(),
        pick_task_ids: z.array(Id),
        picks_applied: z.int(),
        promoted_to_picked: z.boolean(),
      }),
    },
    errors: [
      refused.PickOrderNotFound,
      WarehouseDenied,
      refused.NotEligible,
      refused.PickNotOpen,
      refused.PickInBatch,
      refused.PickEmpty,
      refused.LineNotOnOrder,
      refused.OverPick,
      refused.PickBinNotFound,
      refused.PickBinElsewhere,
      refused.InsufficientAvailable,
    ],
    run: ({ params, body, by }) => adminPick({ ...params, ...body }, by),
  },
);

export const shipAtDesk = route(
  "post /api/admin/sales-orders/:so_id/admin-ship",
  {
    for: pageWith("sales-orders", "so-full-edit"),
    summary: "Ships an order from the desk",
    params,
    body: z.strictObject({ acknowledge_shortfall: z.boolean().default(false) }),
    answers: {
      200: z.strictObject({
        message: z.string(),
        fulfillment_id: Id,
        lines_shipped: z.int(),
        total_quantity: Units,
      }),
    },
    errors: [
      refused.ActionOrderNotFound,
      WarehouseDenied,
      refused.AlreadyFulfilled,
      refused.NotEligible,
      refused.WrongStatus,
      refused.NothingToShip,
      refused.ShipsShort,
      refused.NoBin,
    ],
    run: ({ params, body, by }) => adminShip({ ...params, ...body }, by),
  },
);

export const revert = route(
  "post /api/admin/sales-orders/:so_id/revert-status",
  {
    for: page("sales-orders"),
    summary: "Takes an order back to an earlier status and puts picks back",
    params,
    body: z.strictObject({
      new_status: Name(20, "OPEN"),
      release_pick_task_ids: z.array(Id).default([]),
    }),
    answers: {
      200: z.strictObject({
        message: z.string(),
        so_id: Id,
        so_number: z.string(),
        from_status: z.enum(way),
        to_status: z.enum(way),
        released_pick_tasks: z.array(
          z.strictObject({
            pick_task_id: Id,
            so_line_id: Id,
            item_id: Id,
            bin_id: Id,
            quantity: Units,
          }),
        ),
        unpacked: z.boolean(),
        unshipped: z.boolean(),
      }),
    },
    errors: [
      refused.ActionOrderNotFound,
      WarehouseDenied,
      refused.InvalidStatus,
      refused.RevertCancelled,
      refused.RevertNotEligible,
      refused.NotBackward,
      refused.PickTaskMissing,
      refused.PickTaskWrongState,
      refused.PickedQtyRemaining,
    ],
    run: ({ params, body, by }) => revertStatus({ ...params, ...body }, by),
  },
);

export const cancel = route("post /api/admin/sales-orders/:so_id/cancel", {
  for: page("sales-orders"),
  summary: "Cancels an order and its open backorders",
  params,
  answers: {
    200: z.strictObject({
      message: z.string(),
      pre_status: Status,
      audit_log_id: Id.nullable(),
    }),
  },
  errors: [SoNotFound, WarehouseDenied, refused.NotCancellable],
  run: ({ params, by }) => cancelSalesOrder(params, by),
});
