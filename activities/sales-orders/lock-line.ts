import type { Actor } from "../../src/actor.js";
import {
  OrderBeingPicked,
  SoLineNotFound,
} from "../../src/sales-orders/edit-problems.js";
import { checkEditable } from "../../src/sales-orders/full-edit.js";
import { SoNotFound } from "../../src/sales-orders/problems.js";
import type { Tx } from "../command.js";
import { lockItems } from "../stock.js";
import { type ActionOrder, lockOrder } from "./orders-with-picks.js";

export interface LineAddress {
  so_id: number;
  so_line_id: number;
}

export interface LockedLine {
  so_line_id: number;
  item_id: number;
  sku: string;
  quantity_ordered: number;
  quantity_allocated: number;
  quantity_picked: number;
  /** Units that went further than the shelf: the most that any of its counters says. */
  done: number;
  /** Units that pending pick tasks will take for it. */
  promised: number;
}

/** Locks a line for an edit with all that guards it, in the order of stock.ts: its order, then the stock of its item. */
export async function lockLine(
  tx: Tx,
  { so_id, so_line_id }: LineAddress,
  by: Actor,
): Promise<{ order: ActionOrder; line: LockedLine }> {
  const order = await lockOrder(tx, so_id, by, SoNotFound);
  await checkEditable(tx, order, by);
  const item = await tx.row<{ item_id: number }>(
    "select item_id from sales_order_lines where so_id = $1 and so_line_id = $2",
    [so_id, so_line_id],
  );
  if (!item) throw SoLineNotFound();
  await lockItems(tx, order.warehouse_id, [item.item_id]);
  const line = await tx.row<LockedLine>(
    `select so_line_id, item_id, sku, quantity_ordered, quantity_allocated, quantity_picked,
       greatest(quantity_picked, quantity_packed, quantity_shipped, quantity_received) as done,
       (select coalesce(sum(w.quantity), 0)::int from wave_pick_breakdown w join pick_tasks t using (pick_task_id)
        where w.so_line_id = l.so_line_id and t.status = 'PENDING') as promised
     from sales_order_lines l join items using (item_id) where so_line_id = $1`,
    [so_line_id],
  );
  return { order, line: line as LockedLine };
}

/**
 * Throws 400 while a walk for a locked order is under way, which can neither begin nor end meanwhile. Its tasks were planned
 * from the lines: of what is added later no picker would know, and the walk could not be completed.
 */
export async function refuseWhilePicked(
  tx: Tx,
  { so_id, so_number }: ActionOrder,
): Promise<void> {
  const batch = await tx.row<{ batch_number: string }>(
    "select batch_number from pick_batch_orders join pick_batches using (batch_id) where so_id = $1 and active",
    [so_id],
  );
  if (!batch) return;
  throw OrderBeingPicked({ so_number, batch_number: batch.batch_number });
}
