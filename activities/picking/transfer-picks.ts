import type { Actor } from "../../src/platform/actor.js";
import { int } from "../../src/platform/db/columns.js";
import { ConcurrentChange, type Tx } from "../command.js";
import { lockTransfersOf } from "../stock/transfer-lock.js";
import { lineStatus, settle } from "../stock/transfer-status.js";

/** A pending task of a locked batch that picks a transfer order. */
interface TransferTask {
  pick_task_id: number;
  batch_id: number;
  warehouse_id: number;
  item_id: number;
  sku: string;
  bin_id: number;
  inventory_id: number;
  quantity_to_pick: number;
  to_id: number;
  to_line_id: number;
  /** When it was done, as its device says. */
  scanned_at?: string;
}

/** How a task ends; for a short pick also why, where the picker says so. */
export interface TaskEnd {
  status: "PICKED" | "SHORT";
  reason?: string | null | undefined;
}

/**
 * Ends a task with `quantity` units picked for its line. They stay on the books of their bin until they are approved
 * (docs/interface.md, Picking). The missing units stay reserved, to be picked again or short-closed. Returns how many
 * tasks of the batch are pending. Audit TO_LINE_PICKED.
 */
export async function endTransferTask(
  tx: Tx,
  task: TransferTask,
  quantity: number,
  { status, reason }: TaskEnd,
  by: Actor,
): Promise<number> {
  const { pick_task_id, to_id, to_line_id, quantity_to_pick, batch_id } = task;
  const [transfers, done] = await tx.inOrder([
    lockTransfersOf(tx, [], to_id),
    tx.row(
      { remaining: int },
      `with done as (
         update pick_tasks
         set status = :status::text, quantity_picked = :quantity, picked_by = :username, picked_at = clock_timestamp(),
             scan_confirmed = :status::text = 'PICKED'
         where pick_task_id = :pick_task_id
       ), held as (
         update transfer_reservations set picked = picked + :quantity
         where to_line_id = :to_line_id and inventory_id = :inventory_id
       ), line as (
         update transfer_order_lines l set picked_qty = l.picked_qty + :quantity,
           status = ${lineStatus("l.committed_qty", "l.picked_qty + :quantity", "l.approved_qty")}
         where to_line_id = :to_line_id
       )
       select count(*) as remaining from pick_tasks
       where batch_id = :batch_id and status = 'PENDING' and pick_task_id <> :pick_task_id`,
      { pick_task_id, status, quantity, username: by.username, to_line_id, inventory_id: task.inventory_id, batch_id },
    ),
  ]);
  const [transfer] = transfers;
  if (!transfer) throw new ConcurrentChange("the transfer order is gone");
  tx.audit({
    action: "TO_LINE_PICKED",
    entity: "TO_LINE",
    entityId: to_line_id,
    warehouseId: task.warehouse_id,
    details: {
      ...(status === "SHORT" && {
        ...{ type: "SHORT_PICK", shortage: quantity_to_pick - quantity },
        ...(reason && { reason }),
      }),
      ...(task.scanned_at && { scanned_at: task.scanned_at }),
      to_id,
      to_number: transfer.to_number,
      sku: task.sku,
      quantity_to_pick,
      quantity_picked: quantity,
      pick_task_id,
      item_id: task.item_id,
      bin_id: task.bin_id,
      batch_id,
    },
  });
  await settle(tx, transfer);
  return done?.remaining ?? 0;
}
