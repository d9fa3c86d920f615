import assert from "node:assert/strict";
import { db } from "./db.js";

/** What must hold of the orders themselves; each query gives what breaks it. */
export async function assertOrders(warehouseId: number): Promise<void> {
  const broken = await db.rows(
    `select 'a cancelled order holds something' as rule, o.so_id from sales_orders o
     where warehouse_id = $1 and status = 'CANCELLED' and (
       exists (select from sales_order_lines l where l.so_id = o.so_id
               and quantity_allocated + quantity_picked + quantity_packed + quantity_shipped > 0)
       or exists (select from pick_batch_orders b where b.so_id = o.so_id and active)
       or exists (select from wave_pick_breakdown w join pick_tasks t using (pick_task_id)
                  where w.so_id = o.so_id and t.status in ('PENDING', 'PICKED', 'SHORT')))
     union all
     select 'shipped units are of a shipped order, with one fulfilment', o.so_id from sales_orders o
     where warehouse_id = $1 and (status = 'SHIPPED')::int <>
       (select count(*) from item_fulfillments f where f.so_id = o.so_id and f.status = 'SHIPPED')
     union all
     select 'only what is SHIPPED counts as shipped, and all of that', o.so_id
     from sales_orders o join sales_order_lines l using (so_id)
     where warehouse_id = $1 and quantity_shipped <> case o.status when 'SHIPPED' then quantity_picked else 0 end
     union all
     select 'only what is on the way out counts as packed', o.so_id from sales_orders o join sales_order_lines l
       using (so_id)
     where warehouse_id = $1 and quantity_packed > 0 and o.status not in ('PICKED', 'PACKED', 'SHIPPED')
     union all
     select 'picked units are in tasks', l.so_line_id from sales_orders o join sales_order_lines l using (so_id)
     where warehouse_id = $1 and quantity_picked <>
       (select coalesce(sum(w.quantity_picked), 0) from wave_pick_breakdown w join pick_tasks t using (pick_task_id)
        where w.so_line_id = l.so_line_id and t.status in ('PICKED', 'SHORT'))
     union all
     select 'a walk knows its orders', p.batch_id from pick_batches p
     where warehouse_id = $1 and status in ('OPEN', 'IN_PROGRESS')
       and total_orders <> (select count(*) from pick_batch_orders o where o.batch_id = p.batch_id)`,
    [warehouseId],
  );
  assert.deepEqual(broken, []);
}
