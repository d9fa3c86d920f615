import assert from "node:assert/strict";
import { SELLABLE_STOCK } from "../../src/stock/sellable.js";
import { db } from "./db.js";

/** The sums that must agree whatever happened (migrations/schema.sql); each query gives the rows that break one. */
const broken = (within: (warehouse: string) => string): Record<string, string> => ({
  "a stock row's claims are its reservations, those of transfers, pending picks, and what is on hold": `
    select v.inventory_id, v.quantity_allocated, r.units as reserved, t.units as promised, x.units as transferred,
      h.units as held
    from inventory v
    left join lateral (select coalesce(sum(quantity), 0) as units from transfer_reservations
      where inventory_id = v.inventory_id) x on true
    left join lateral (select coalesce(sum(quantity), 0) as units from stock_reservations
      where inventory_id = v.inventory_id) r on true
    left join lateral (select coalesce(sum(quantity_to_pick), 0) as units from pick_tasks
                       where inventory_id = v.inventory_id and status = 'PENDING' and to_line_id is null) t on true
    left join lateral (select coalesce(sum(quantity_held), 0) as units from stock_holds
      where inventory_id = v.inventory_id) h on true
    where ${within("v.warehouse_id")} and v.quantity_allocated <> r.units + t.units + x.units + h.units`,
  "an inspection is open while units of it are in quarantine": `
    select n.inspection_id, closed_at, h.units from inspections n
    left join lateral (select coalesce(sum(quantity_held), 0) as units from stock_holds
      where inspection_id = n.inspection_id and condition = 'QUARANTINE') h on true
    where ${within("n.warehouse_id")} and n.warehouse_id is not null and (closed_at is null) <> (h.units > 0)`,
  "an inspection of a lot is open only while the lot is in quarantine": `
    select n.inspection_id, l.condition from inspections n join lots l using (lot_id)
    where ${within("n.warehouse_id")} and closed_at is null and l.condition <> 'QUARANTINE'`,
  "stock covers its claims and neither is negative": `
    select inventory_id, quantity_on_hand, quantity_allocated from inventory
    where ${within("warehouse_id")} and not (quantity_allocated between 0 and quantity_on_hand
      and quantity_doubted between 0 and quantity_on_hand)`,
  "a stock row is in the condition of its lot, or has expired": `
    select v.inventory_id, v.condition, l.condition as of_lot
    from inventory v left join lots l using (item_id, lot_number)
    where ${within("v.warehouse_id")} and v.lot_number is not null and v.condition is distinct from l.condition
      and (v.condition <> 'EXPIRED' or l.condition is distinct from 'AVAILABLE')`,
  "what is held or has expired is reserved by nobody": `
    select inventory_id, condition from inventory v where ${within("v.warehouse_id")} and condition <> 'AVAILABLE'
      and exists (select from stock_reservations r where r.inventory_id = v.inventory_id)`,
  "a line's allocation is what it picked, has reserved and is promised": `
    select l.so_line_id, l.quantity_allocated, l.quantity_picked, r.units as reserved, w.units as promised
    from sales_order_lines l join sales_orders o using (so_id)
    left join lateral (select coalesce(sum(quantity), 0) as units from stock_reservations
      where so_line_id = l.so_line_id) r on true
    left join lateral (select coalesce(sum(b.quantity), 0) as units from wave_pick_breakdown b join pick_tasks t
      using (pick_task_id)
                       where b.so_line_id = l.so_line_id and t.status = 'PENDING') w on true
    where ${within("o.warehouse_id")} and l.quantity_ordered > 0
      and l.quantity_allocated <> l.quantity_picked + r.units + w.units`,
  "a line has picked what its tasks picked": `
    select l.so_line_id, l.quantity_picked, w.units
    from sales_order_lines l join sales_orders o using (so_id)
    join lateral (select sum(b.quantity_picked) as units from wave_pick_breakdown b join pick_tasks t
      using (pick_task_id)
                  where b.so_line_id = l.so_line_id and t.status in ('PICKED', 'SHORT')) w on w.units is not null
    where ${within("o.warehouse_id")} and l.quantity_picked <> w.units`,
  "a task's shares add up to the task": `
    select t.pick_task_id, t.quantity_to_pick, t.quantity_picked, b.shares, b.picked
    from pick_tasks t join pick_batches p using (batch_id)
    left join lateral (select sum(quantity) as shares, sum(quantity_picked) as picked
                       from wave_pick_breakdown where pick_task_id = t.pick_task_id) b on true
    where ${within("p.warehouse_id")} and t.to_line_id is null
      and (t.quantity_to_pick is distinct from b.shares or t.quantity_picked is distinct from b.picked)`,
  "a transfer's line holds what it committed and picked, less what is approved": `
    select l.to_line_id, l.status, l.committed_qty, l.picked_qty, l.approved_qty, r.units, r.picked
    from transfer_order_lines l join transfer_orders o using (to_id)
    cross join lateral (
      select o.status not in ('CLOSED', 'CANCELLED') and l.status not in ('APPROVED', 'SHORT_CLOSED') as live) s
    left join lateral (select coalesce(sum(quantity), 0) as units, coalesce(sum(picked), 0) as picked
                       from transfer_reservations where to_line_id = l.to_line_id) r on true
    where ${within("o.source_warehouse_id")}
      and (r.units <> case when live then l.committed_qty - l.approved_qty else 0 end
           or r.picked <> case when live then l.picked_qty - l.approved_qty else 0 end)`,
  "what awaits approval is picked, each unit once": `
    select x.to_line_id, x.inventory_id, sum(x.quantity) as submitted, r.picked
    from to_approval_lines x join transfer_order_approvals a using (to_approval_id)
    join transfer_orders o using (to_id) left join transfer_reservations r using (to_line_id, inventory_id)
    where a.status = 'PENDING' and ${within("o.source_warehouse_id")}
    group by x.to_line_id, x.inventory_id, r.picked having sum(x.quantity) > coalesce(r.picked, 0)`,
  "a transfer's line has approved what its approvals say": `
    select l.to_line_id, l.approved_qty, a.units from transfer_order_lines l join transfer_orders o using (to_id)
    left join lateral (select coalesce(sum(quantity), 0) as units
      from to_approval_lines x join transfer_order_approvals using (to_approval_id)
      where x.to_line_id = l.to_line_id and status = 'APPROVED') a on true
    where ${within("o.source_warehouse_id")} and l.approved_qty <> a.units`,
  "a pending task of a transfer picks what its line holds and has not picked": `
    select t.to_line_id, t.inventory_id, sum(t.quantity_to_pick) as to_pick, r.quantity, r.picked
    from pick_tasks t join pick_batches p using (batch_id)
    left join transfer_reservations r using (to_line_id, inventory_id)
    where t.to_line_id is not null and t.status = 'PENDING' and ${within("p.warehouse_id")}
    group by t.to_line_id, t.inventory_id, r.quantity, r.picked
    having sum(t.quantity_to_pick) > coalesce(r.quantity - r.picked, 0)`,
  "a purchase order line has received what its receipts say": `
    select l.po_line_id, l.quantity_received, r.units from purchase_order_lines l join purchase_orders o using (po_id)
    left join lateral (select coalesce(sum(quantity_received), 0) as units from item_receipts
      where po_line_id = l.po_line_id) r on true
    where ${within("o.warehouse_id")} and l.quantity_received <> r.units`,
  "a return has received what its receipts say, of each item": `
    select so_id, item_id, l.received, r.units
    from (select so_id, item_id, o.warehouse_id, sum(quantity_received) as received
          from sales_orders o join sales_order_lines using (so_id)
          where o.order_type = 'return' group by so_id, item_id, o.warehouse_id) l
    left join (select so_id, item_id, sum(quantity_received) as units from item_receipts
               where so_id is not null group by so_id, item_id) r using (so_id, item_id)
    where ${within("l.warehouse_id")} and l.received <> coalesce(r.units, 0)`,
  "a return's status says what has come": `
    select so_id, status, voided_at, l.received, l.ordered
    from sales_orders o
    join lateral (select sum(quantity_received) as received, sum(quantity_ordered) as ordered
                  from sales_order_lines where so_id = o.so_id) l on true
    where ${within("o.warehouse_id")} and o.order_type = 'return' and l.ordered > 0
      and status in ('OPEN', 'PARTIALLY_RECEIVED', 'RECEIVED')
      and (status <> case when l.received = 0 then 'OPEN' when l.received < l.ordered then 'PARTIALLY_RECEIVED'
                     else 'RECEIVED' end
        or (voided_at is not null and l.received > 0))`,
  "an order's live returns and refunds name no more than it shipped, of each item": `
    select parent_so_id, item_id, r.units, s.shipped
    from (select parent_so_id, o.warehouse_id, item_id, sum(abs(quantity_ordered)) as units
          from sales_orders o join sales_order_lines using (so_id)
          where o.order_type in ('return', 'refund') and voided_at is null and parent_so_id is not null
          group by parent_so_id, o.warehouse_id, item_id) r
    left join (select so_id as parent_so_id, item_id, sum(quantity_shipped) as shipped from sales_order_lines
               group by so_id, item_id) s using (parent_so_id, item_id)
    where ${within("r.warehouse_id")} and r.units > coalesce(s.shipped, 0)`,
  "an order is linked to an active batch only while the batch is active": `
    select o.batch_id, o.so_id from pick_batch_orders o join pick_batches p using (batch_id)
    where ${within("p.warehouse_id")} and o.active <> (p.status in ('OPEN', 'IN_PROGRESS'))`,
  "a batch that ended has no pending task": `
    select t.pick_task_id from pick_tasks t join pick_batches p using (batch_id)
    where ${within("p.warehouse_id")} and t.status = 'PENDING' and p.status not in ('OPEN', 'IN_PROGRESS')`,
});

/** The queries as one, which says of each row which rule it breaks. */
const inOne = (queries: Record<string, string>) =>
  Object.entries(queries)
    .map(([rule, query]) => `select $r$${rule}$r$ as rule, to_jsonb(q) as broken_by from (${query}) q`)
    .join(" union all ");
const everywhere = inOne(broken(() => "true"));
const inWarehouse = inOne(broken((warehouse) => `${warehouse} = $1`));

/** Fails with the rows that break a sum, in one warehouse or in all. */
export async function assertInvariants(warehouseId?: number): Promise<void> {
  const rows = warehouseId === undefined ? await db.rows(everywhere) : await db.rows(inWarehouse, [warehouseId]);
  assert.deepEqual(rows, []);
}

/**
 * Fails where an OPEN order lacks what is free somewhere in its warehouse. Only where all stock came, and all orders
 * were made, as it is done in a warehouse: who puts rows straight into the database gives nobody anything.
 */
export async function assertHeld(warehouseId: number): Promise<void> {
  const rows = await db.rows(
    `select so_id, so_line_id, item_id, quantity_ordered - quantity_allocated as missing, free.units
     from sales_orders so join sales_order_lines l using (so_id) cross join lateral (
       select sum(available) as units from ${SELLABLE_STOCK} s
       where s.warehouse_id = so.warehouse_id and s.item_id = l.item_id) as free
     where warehouse_id = $1 and so.status in ('OPEN', 'FRAUD_REVIEW') and so.order_type not in ('return', 'refund')
       and quantity_ordered > quantity_allocated and free.units > 0
       and not exists (select from pick_batch_orders b where b.so_id = so.so_id and b.active)`,
    [warehouseId],
  );
  assert.deepEqual(rows, []);
}

/**
 * Units that nothing explains, by item: what is on hand, what picks took and kept and what went to other warehouses,
 * less what was received, what was adjusted and what came from there (by transfer orders too). Where a test puts stock
 * straight into the rows, it is what it put there; nothing else may change it.
 */
export function unexplainedUnits(warehouseId: number | null = null): Promise<{ item_id: number; units: number }[]> {
  return db.rows(
    `select item_id, sum(units)::int as units from (
       select item_id, warehouse_id, quantity_on_hand as units from inventory
       union all select item_id, warehouse_id, quantity_picked from pick_tasks t join pick_batches using (batch_id)
         where t.status in ('PICKED', 'SHORT') and t.to_line_id is null
       union all select l.item_id, w.warehouse_id, x.quantity * w.sign
         from to_approval_lines x join transfer_order_approvals a using (to_approval_id)
         join transfer_order_lines l using (to_line_id) join transfer_orders o on o.to_id = l.to_id
         cross join lateral (values (source_warehouse_id, 1), (destination_warehouse_id, -1)) as w(warehouse_id, sign)
         where a.status = 'APPROVED'
       union all select item_id, warehouse_id, -quantity_received from item_receipts
       union all select item_id, warehouse_id, -quantity_change from inventory_adjustments where status = 'APPROVED'
       union all select item_id, warehouse_id, quantity from bin_transfers where transfer_type = 'INTER_WAREHOUSE'
       union all select item_id, b.warehouse_id, -quantity from bin_transfers join bins b on b.bin_id = to_bin_id
         where transfer_type = 'INTER_WAREHOUSE'
     ) moved where $1::int is null or warehouse_id = $1
     group by item_id having sum(units) <> 0 order by item_id`,
    [warehouseId],
  );
}
