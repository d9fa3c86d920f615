import { z } from "zod";
import * as field from "../platform/fields/index.js";
import { Id, listed, Name } from "../platform/fields.js";
import { OrderStatus } from "../platform/statuses.js";
import { fulfilmentStatuses, revertTargets } from "./reversion.js";

/**
 * Requests and answers of picking, shipping, reverting and cancelling a whole order: docs/interface.md, Sales orders.
 */

export const AdminPick = z.strictObject({
  lines: z
    .array(
      z.strictObject({
        ...{ so_line_id: field.SoLineId, bin_id: field.BinId, quantity: field.GivenUnitCount },
        lot_number: field.GivenLot.nullish().describe("The lot that was taken; without it, what expires first."),
      }),
    )
    .describe("The lines, each for one item."),
});
export type AdminPick = z.infer<typeof AdminPick>;

export const AdminPicked = z.strictObject({
  message: field.Done,
  batch_id: field.BatchId,
  batch_number: field.BatchNumber,
  pick_task_ids: z.array(Id).describe("Ids of the tasks, in the order of picking."),
  picks_applied: z.int().describe("How many picks were entered."),
  promoted_to_picked: z.boolean().describe("Whether the order is now PICKED."),
});
export type AdminPicked = z.infer<typeof AdminPicked>;

/** The units of an order that a shipment took. */
export const Fulfillment = z.strictObject({
  fulfillment_id: field.FulfillmentId,
  lines_shipped: z.int().describe("How many lines were shipped."),
  total_quantity: field.TotalQuantity,
});
export type Fulfillment = z.infer<typeof Fulfillment>;

export const AdminShip = z.strictObject({
  acknowledge_shortfall: z.boolean().default(false).describe("The caller knows that there is not enough stock."),
});
export type AdminShip = z.infer<typeof AdminShip>;

export const AdminShipped = z.strictObject({ message: field.Done, ...Fulfillment.shape });
export type AdminShipped = z.infer<typeof AdminShipped>;

export const Reversion = z.strictObject({
  new_status: listed(Name(20, "OPEN"), revertTargets).describe("Where the order is to stand."),
  release_pick_task_ids: z.array(Id).default([]).describe("Ids of the pick tasks whose units go back."),
});
export type Reversion = z.infer<typeof Reversion>;

const FulfilmentStatus = z.enum(fulfilmentStatuses);

export const Reverted = z
  .strictObject({
    message: field.Done,
    so_id: field.SoId,
    so_number: field.SoNumber,
    from_status: FulfilmentStatus.describe("Where the order stood before."),
    to_status: FulfilmentStatus.describe("Where the order stands now."),
    released_pick_tasks: z
      .array(
        z.strictObject({
          pick_task_id: field.PickTaskId,
          so_line_id: field.SoLineId,
          item_id: field.ItemId,
          bin_id: field.BinId,
          quantity: field.UnitCount,
        }),
      )
      .describe("The pick tasks whose units went back."),
    unpacked: z.boolean().describe("Whether packing was undone."),
    unshipped: z.boolean().describe("Whether shipping was undone."),
  })
  .meta({ id: "RevertedSalesOrder", description: "What reverting a sales order to an earlier status undid." });
export type Reverted = z.infer<typeof Reverted>;

export const Cancelled = z.strictObject({
  message: field.Done,
  pre_status: OrderStatus,
  audit_log_id: Id.nullable().describe("Null when the order was cancelled before"),
});
export type Cancelled = z.infer<typeof Cancelled>;
