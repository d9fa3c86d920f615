import { z } from "zod";
import { Id, listed, Name, OrderQuantity, Units } from "../platform/fields.js";
import { OrderStatus } from "../platform/statuses.js";
import { fulfilmentStatuses, revertTargets } from "./reversion.js";

/** What picking, shipping, reverting and cancelling a whole order take and answer: docs/interface.md, Sales orders. */

export const AdminPick = z.strictObject({
  lines: z.array(z.strictObject({ so_line_id: Id, bin_id: Id, quantity: OrderQuantity })),
});
export type AdminPick = z.infer<typeof AdminPick>;

export const AdminPicked = z.strictObject({
  message: z.string(),
  batch_id: Id,
  batch_number: z.string(),
  pick_task_ids: z.array(Id),
  picks_applied: z.int(),
  promoted_to_picked: z.boolean(),
});
export type AdminPicked = z.infer<typeof AdminPicked>;

/** What a shipment took of an order. */
export const Fulfillment = z.strictObject({
  fulfillment_id: Id,
  lines_shipped: z.int(),
  total_quantity: Units,
});
export type Fulfillment = z.infer<typeof Fulfillment>;

export const AdminShip = z.strictObject({ acknowledge_shortfall: z.boolean().default(false) });
export type AdminShip = z.infer<typeof AdminShip>;

export const AdminShipped = z.strictObject({ message: z.string(), ...Fulfillment.shape });
export type AdminShipped = z.infer<typeof AdminShipped>;

export const Reversion = z.strictObject({
  new_status: listed(Name(20, "OPEN"), revertTargets),
  release_pick_task_ids: z.array(Id).default([]),
});
export type Reversion = z.infer<typeof Reversion>;

const FulfilmentStatus = z.enum(fulfilmentStatuses);

export const Reverted = z
  .strictObject({
    message: z.string(),
    so_id: Id,
    so_number: z.string(),
    from_status: FulfilmentStatus,
    to_status: FulfilmentStatus,
    released_pick_tasks: z.array(
      z.strictObject({ pick_task_id: Id, so_line_id: Id, item_id: Id, bin_id: Id, quantity: Units }),
    ),
    unpacked: z.boolean(),
    unshipped: z.boolean(),
  })
  .meta({ id: "RevertedSalesOrder", description: "What reverting a sales order to an earlier status undid." });
export type Reverted = z.infer<typeof Reverted>;

export const Cancelled = z.strictObject({
  message: z.string(),
  pre_status: OrderStatus,
  audit_log_id: Id.nullable().describe("Null when the order was cancelled before"),
});
export type Cancelled = z.infer<typeof Cancelled>;
