import assert from "node:assert/strict";
import { db } from "../../src/db.js";

/** The sums that must agree whatever happened (migrations/0005_stock.ts); each query gives the rows that break one. */
const broken: Record<string, string> = {
  "a stock row's claims are its reservations and pending picks": `
    select v.inventory_id, v.quantity_allocated, r.units as reserved, t.units as promised
    from inventory v
    left join lateral (select coalesce(sum(quantity), 0) as units from stock_reservations where inventory_id = v.inventory_id) r on true
    left join lateral (select coalesce(sum(quantity_to_pick), 0) as units from pick_tasks
                       where inventory_id = v.inventory_id and status = 'PENDING') t on true
    where v.quantity_allocated <> r.units + t.units`,
  "a line's allocation is what it picked, has reserved and is promised": `
    select l.so_line_id, l.quantity_allocated, l.quantity_picked, r.units as reserved, w.units as promised
    from sales_order_lines l
    left join lateral (select coalesce(sum(quantity), 0) as units from stock_reservations where so_line_id = l.so_line_id) r on true
    left join lateral (select coalesce(sum(b.quantity), 0) as units from wave_pick_breakdown b join pick_tasks t using (pick_task_id)
                       where b.so_line_id = l.so_line_id and t.status = 'PENDING') w on true
    where l.quantity_ordered > 0 and l.quantity_allocated <> l.quantity_picked + r.units + w.units`,
  "a line has picked what its tasks picked": `
    select l.so_line_id, l.quantity_picked, w.units
    from sales_order_lines l
    join lateral (select sum(b.quantity_picked) as units from wave_pick_breakdown b join pick_tasks t using (pick_task_id)
                  where b.so_line_id = l.so_line_id and t.status in ('PICKED', 'SHORT')) w on w.units is not null
    where l.quantity_picked <> w.units`,
  "a task's shares add up to the task": `
    select t.pick_task_id, t.quantity_to_pick, t.quantity_picked, sum(b.quantity) as shares, sum(b.quantity_picked) as picked
    from pick_tasks t left join wave_pick_breakdown b using (pick_task_id)
    group by t.pick_task_id
    having t.quantity_to_pick is distinct from sum(b.quantity) or t.quantity_picked is distinct from sum(b.quantity_picked)`,
  "a purchase order line has received what its receipts say": `
    select l.po_line_id, l.quantity_received, r.units from purchase_order_lines l
    left join lateral (select coalesce(sum(quantity_received), 0) as units from item_receipts where po_line_id = l.po_line_id) r on true
    where l.quantity_received <> r.units`,
  "an order is linked to an active batch only while the batch is active": `
    select o.batch_id, o.so_id from pick_batch_orders o join pick_batches p using (batch_id)
    where o.active <> (p.status in ('OPEN', 'IN_PROGRESS'))`,
  "a batch that ended has no pending task": `
    select t.pick_task_id from pick_tasks t join pick_batches p using (batch_id)
    where t.status = 'PENDING' and p.status not in ('OPEN', 'IN_PROGRESS')`,
};

/** Fails with the rows that break a sum. */
export async function assertInvariants(): Promise<void> {
  for (const [rule, query] of Object.entries(broken))
    assert.deepEqual(await db.rows(query), [], rule);
}
