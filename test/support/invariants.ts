import assert from "node:assert/strict";
import { db } from "../../src/db/db.js";

/** The sums that must agree whatever happened (migrations/0005_stock.ts); each query gives the rows that break one. */
const broken = (within: (warehouse: string) => string): Record<string, string> => ({
  "a stock row's claims are its reservations and pending picks": `
    select v.inventory_id, v.quantity_allocated, r.units as reserved, t.units as promised
    from inventory v
    left join lateral (select coalesce(sum(quantity), 0) as units from stock_reservations
      where inventory_id = v.inventory_id) r on true
    left join lateral (select coalesce(sum(quantity_to_pick), 0) as units from pick_tasks
                       where inventory_id = v.inventory_id and status = 'PENDING') t on true
    where ${within("v.warehouse_id")} and v.quantity_allocated <> r.units + t.units`,
  "stock covers its claims and neither is negative": `
    select inventory_id, quantity_on_hand, quantity_allocated from inventory
    where ${within("warehouse_id")} and not quantity_allocated between 0 and quantity_on_hand`,
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
    where ${within("p.warehouse_id")}
      and (t.quantity_to_pick is distinct from b.shares or t.quantity_picked is distinct from b.picked)`,
  "a purchase order line has received what its receipts say": `
    select l.po_line_id, l.quantity_received, r.units from purchase_order_lines l join purchase_orders o using (po_id)
    left join lateral (select coalesce(sum(quantity_received), 0) as units from item_receipts
      where po_line_id = l.po_line_id) r on true
    where ${within("o.warehouse_id")} and l.quantity_received <> r.units`,
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
 * Units that nothing explains, by item: what is on hand, what picks took and kept and what went to other warehouses,
 * less what was received, what was adjusted and what came from there. Where a test puts stock straight into the rows,
 * it is what it put there; nothing else may change it.
 */
export function unexplainedUnits(warehouseId: number | null = null): Promise<{ item_id: number; units: number }[]> {
  return db.rows(
    `select item_id, sum(units)::int as units from (
       select item_id, warehouse_id, quantity_on_hand as units from inventory
       union all select item_id, warehouse_id, quantity_picked from pick_tasks t join pick_batches using (batch_id)
         where t.status in ('PICKED', 'SHORT')
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
