import { int } from "../../src/platform/db/columns.js";
import type { Tx } from "../command.js";
import type { LockedTransfer } from "../stock/transfer-lock.js";
import { lineStatus, settle } from "../stock/transfer-status.js";

/**
 * Undoes the picks for transfer orders that were not submitted yet, in batches that end: their units stay reserved, and
 * are to be picked again. Picks that wait for approval stay. The caller has locked batches and orders, and ends the
 * pending tasks. Audit TO_PICK_RELEASED.
 */
export async function undoPicks(tx: Tx, batchIds: number[], transfers: LockedTransfer[]): Promise<void> {
  if (transfers.length === 0) return;
  const undone = await tx.rows({ to_id: int, batch_id: int, units: int }, UNDO, [batchIds]);
  for (const transfer of transfers) {
    for (const { batch_id, units } of undone.filter(({ to_id }) => to_id === transfer.to_id))
      tx.audit({
        action: "TO_PICK_RELEASED",
        entity: "TO",
        entityId: transfer.to_id,
        warehouseId: transfer.source_warehouse_id,
        details: { to_number: transfer.to_number, batch_id, quantity: units },
      });
    await settle(tx, transfer);
  }
}

/** The picks of a task are undone from the last one back, as far as no pending approval has their units. */
const UNDO = `
  with done as (
    select pick_task_id, batch_id, to_line_id, inventory_id, quantity_picked,
      sum(quantity_picked) over (partition by to_line_id, inventory_id order by picked_at desc, pick_task_id desc)
        - quantity_picked as later
    from pick_tasks where batch_id = any($1) and to_line_id is not null and status in ('PICKED', 'SHORT')
  ), held as (
    select to_line_id, inventory_id, picked - coalesce((
        select sum(x.quantity) from to_approval_lines x join transfer_order_approvals a using (to_approval_id)
        where a.status = 'PENDING' and x.to_line_id = r.to_line_id and x.inventory_id = r.inventory_id), 0) as units
    from transfer_reservations r where (to_line_id, inventory_id) in (select to_line_id, inventory_id from done)
  ), undone as (
    select done.*, greatest(0, least(quantity_picked, coalesce(units, 0) - later))::int as units
    from done left join held using (to_line_id, inventory_id)
  ), tasks as (
    update pick_tasks t
    set status = case when u.units = u.quantity_picked then 'RELEASED' else t.status end,
        quantity_picked = u.quantity_picked - case when u.units = u.quantity_picked then 0 else u.units end
    from undone u where t.pick_task_id = u.pick_task_id
  ), rows as (
    update transfer_reservations r set picked = picked - u.units
    from (select to_line_id, inventory_id, sum(units) as units from undone group by to_line_id, inventory_id) u
    where r.to_line_id = u.to_line_id and r.inventory_id = u.inventory_id and u.units > 0
  ), lines as (
    update transfer_order_lines l set picked_qty = l.picked_qty - u.units,
      status = ${lineStatus("l.committed_qty", "l.picked_qty - u.units", "l.approved_qty")}
    from (select to_line_id, sum(units) as units from undone group by to_line_id) u
    where l.to_line_id = u.to_line_id and u.units > 0
  )
  select to_id, batch_id, sum(units) as units from undone join transfer_order_lines using (to_line_id)
  where units > 0 group by to_id, batch_id order by batch_id`;
