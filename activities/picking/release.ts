import type { Tx } from "../command.js";

/**
 * Locks the active batches of a user in a warehouse, in id order, and gives their ids. The user's row comes first: batches that
 * are only being made cannot be locked, and a picker who taps twice would walk two of them.
 */
export async function lockActiveBatches(
  tx: Tx,
  userId: number,
  warehouseId: number,
): Promise<number[]> {
  await tx.run("select from users where user_id = $1 for no key update", [
    userId,
  ]);
  const rows = await tx.rows<{ batch_id: number }>(
    `select batch_id from pick_batches
     where assigned_user_id = $1 and warehouse_id = $2 and status in ('OPEN', 'IN_PROGRESS')
     order by batch_id for update`,
    [userId, warehouseId],
  );
  return rows.map((row) => row.batch_id);
}

/** Locks the orders of these batches, then every stock row their tasks take from, in the written order. */
export async function lockWhatBatchesHold(
  tx: Tx,
  batchIds: number[],
): Promise<void> {
  await tx.run(
    `select from sales_orders where so_id in (select so_id from pick_batch_orders where batch_id = any($1))
     order by so_id for update`,
    [batchIds],
  );
  await tx.run(
    `select from inventory where inventory_id in (select inventory_id from pick_tasks where batch_id = any($1))
     order by item_id, bin_id, lot_number for update`,
    [batchIds],
  );
}

/**
 * Puts batches back as if they had never been (reference 02 §5): promised units are free again, picked units return to the
 * bins they came from, lines lose both, tasks end, the batches are CANCELLED and their orders stay OPEN.
 * Batches, orders and stock rows are locked by the caller.
 */
export async function releaseBatches(
  tx: Tx,
  batchIds: number[],
): Promise<void> {
  if (batchIds.length === 0) return;
  await tx.run(
    `update inventory v
     set quantity_on_hand = v.quantity_on_hand + t.picked,
         quantity_allocated = v.quantity_allocated - t.promised,
         updated_at = case when t.picked = 0 then v.updated_at else now() end
     from (select inventory_id,
             coalesce(sum(quantity_picked) filter (where status in ('PICKED', 'SHORT')), 0)::int as picked,
             coalesce(sum(quantity_to_pick) filter (where status = 'PENDING'), 0)::int as promised
           from pick_tasks where batch_id = any($1) group by inventory_id) t
     where v.inventory_id = t.inventory_id`,
    [batchIds],
  );
  await tx.run(
    `update sales_order_lines l
     set quantity_picked = l.quantity_picked - w.picked,
         quantity_allocated = l.quantity_allocated - w.picked - w.promised,
         status = 'PENDING'
     from (select b.so_line_id,
             coalesce(sum(b.quantity_picked) filter (where t.status in ('PICKED', 'SHORT')), 0)::int as picked,
             coalesce(sum(b.quantity) filter (where t.status = 'PENDING'), 0)::int as promised
           from wave_pick_breakdown b join pick_tasks t using (pick_task_id)
           where t.batch_id = any($1) group by b.so_line_id) w
     where l.so_line_id = w.so_line_id`,
    [batchIds],
  );
  await auditRelease(tx, batchIds);
  await tx.run(
    `with tasks as (
       update pick_tasks set status = case status when 'PENDING' then 'SKIPPED' else 'RELEASED' end
       where batch_id = any($1) and status in ('PENDING', 'PICKED', 'SHORT')
     ), orders as (
       update pick_batch_orders set active = false where batch_id = any($1)
     )
     update pick_batches set status = 'CANCELLED', completed_at = now() where batch_id = any($1)`,
    [batchIds],
  );
}

/** One row for each order and kind of thing it lost: what was picked, what was only promised. */
async function auditRelease(tx: Tx, batchIds: number[]): Promise<void> {
  const lost = await tx.rows<{
    batch_id: number;
    so_id: number;
    warehouse_id: number;
    picked: number;
    promised: number;
  }>(
    `select p.batch_id, b.so_id, p.warehouse_id,
       coalesce(sum(b.quantity_picked) filter (where t.status in ('PICKED', 'SHORT')), 0)::int as picked,
       coalesce(sum(b.quantity) filter (where t.status = 'PENDING'), 0)::int as promised
     from wave_pick_breakdown b join pick_tasks t using (pick_task_id) join pick_batches p using (batch_id)
     where p.batch_id = any($1) group by p.batch_id, b.so_id, p.warehouse_id order by p.batch_id, b.so_id`,
    [batchIds],
  );
  for (const { batch_id, so_id, warehouse_id, picked, promised } of lost) {
    const entry = { entity: "SO", entityId: so_id, warehouseId: warehouse_id };
    if (picked > 0)
      tx.audit({
        ...entry,
        action: "SO_PICK_RELEASED",
        details: { batch_id, quantity: picked },
      });
    if (promised > 0)
      tx.audit({
        ...entry,
        action: "SO_ALLOCATION_RELEASED",
        details: { batch_id, quantity: promised },
      });
  }
}
