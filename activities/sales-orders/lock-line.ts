import { z } from "zod";
import type { Actor } from "../../src/platform/actor.js";
import { int, text } from "../../src/platform/db/columns.js";
import { checkEditable } from "../../src/sales-orders/full-edit.js";
import { OrderBeingPicked, SoLineNotFound, SoNotFound } from "../../src/sales-orders/problems.js";
import type { Tx } from "../command.js";
import type { StockIncrease } from "../stock/backorders.js";
import { lockItems } from "../stock/stock.js";
import { type ActionOrder, activeBatchOf, lockWithWaiting } from "./orders-with-picks.js";

export interface LineKey {
  so_id: number;
  so_line_id: number;
}

export const LockedLine = z.strictObject({
  so_line_id: int,
  item_id: int,
  sku: text,
  quantity_ordered: int,
  quantity_allocated: int,
  quantity_picked: int,
  /** The units that were picked at least: the highest of the line's counters. */
  done: int,
  /** Units in pending pick tasks. */
  promised: int,
});
export type LockedLine = z.infer<typeof LockedLine>;

/** Locks what an edit of a line needs, in the lock order of stock.ts: its order, then the stock of its item. */
export async function lockLine(
  tx: Tx,
  { so_id, so_line_id }: LineKey,
  by: Actor,
): Promise<{ order: ActionOrder; line: LockedLine; increase: StockIncrease }> {
  const { order, increase } = await lockWithWaiting(tx, { so_id, lineIds: [so_line_id] }, by, SoNotFound);
  await checkEditable(tx, order, by);
  const item = await tx.row(
    { item_id: int },
    "select item_id from sales_order_lines where so_id = $1 and so_line_id = $2",
    [so_id, so_line_id],
  );
  if (!item) throw SoLineNotFound();
  await lockItems(tx, order.warehouse_id, [item.item_id]);
  const line = await tx.row(
    LockedLine,
    `select so_line_id, item_id, sku, quantity_ordered, quantity_allocated, quantity_picked,
       greatest(quantity_picked, quantity_packed, quantity_shipped, quantity_received) as done,
       (select coalesce(sum(w.quantity), 0) from wave_pick_breakdown w join pick_tasks t using (pick_task_id)
        where w.so_line_id = l.so_line_id and t.status = 'PENDING') as promised
     from sales_order_lines l join items using (item_id) where so_line_id = $1`,
    [so_line_id],
  );
  return { order, line: line as LockedLine, increase };
}

/**
 * Throws 400 while a locked order is in an active batch (the lock keeps batches from starting or ending). The batch's
 * tasks were planned from the lines: units that were added later would have no task, and the batch could not be
 * completed.
 */
export async function refuseWhileInBatch(tx: Tx, { so_id, so_number }: ActionOrder): Promise<void> {
  const batch = await activeBatchOf(tx, so_id);
  if (!batch) return;
  throw OrderBeingPicked({ so_number, batch_number: batch.batch_number });
}
