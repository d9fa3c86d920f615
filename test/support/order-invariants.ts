import assert from "node:assert/strict";
import { db } from "./db.js";

/** SQL: whether something of the order `o` is in parcels. */
const HAS_PARCELS = `exists (select from parcels p join parcel_lines using (parcel_id)
  where p.so_id = o.so_id and p.status <> 'VOIDED')`;
/** SQL: the units of the line `l` in parcels whose status is so. */
const unitsIn = (status: string) => `(
  select coalesce(sum(p.quantity), 0) from parcel_lines p join parcels using (parcel_id)
  where p.so_line_id = l.so_line_id and parcels.status ${status})`;

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
     select 'shipped units are of a shipped order, with one fulfilment, or one for each parcel', o.so_id
     from sales_orders o
     where warehouse_id = $1
       and (case when ${HAS_PARCELS}
              then (select count(*) from parcels p where p.so_id = o.so_id and p.status = 'SHIPPED')
              else (status = 'SHIPPED')::int end) <>
       (select count(*) from item_fulfillments f where f.so_id = o.so_id and f.status = 'SHIPPED')
     union all
     select 'only what is SHIPPED counts as shipped, and all of that', o.so_id
     from sales_orders o join sales_order_lines l using (so_id)
     where warehouse_id = $1 and (o.status = 'SHIPPED' or not ${HAS_PARCELS})
       and quantity_shipped <> case o.status when 'SHIPPED' then quantity_picked else 0 end
     union all
     select 'what is in parcels that left is shipped', l.so_line_id from sales_orders o join sales_order_lines l
       using (so_id)
     where warehouse_id = $1 and ${HAS_PARCELS} and quantity_shipped <> ${unitsIn("= 'SHIPPED'")}
     union all
     select 'what is in parcels is packed', l.so_line_id from sales_orders o join sales_order_lines l using (so_id)
     where warehouse_id = $1 and quantity_packed < ${unitsIn("<> 'VOIDED'")}
     union all
     select 'shipped units are those of fulfilments', l.so_line_id from sales_orders o join sales_order_lines l
       using (so_id)
     where warehouse_id = $1 and ${HAS_PARCELS} and quantity_shipped <>
       (select coalesce(sum(f.quantity_shipped), 0) from item_fulfillment_lines f
        join item_fulfillments h using (fulfillment_id) where f.so_line_id = l.so_line_id and h.status = 'SHIPPED')
     union all
     select 'an order that left has no parcel that waits', o.so_id from sales_orders o
     where warehouse_id = $1 and status not in ('PICKED', 'PACKED')
       and exists (select from parcels p where p.so_id = o.so_id and p.status in ('OPEN', 'CLOSED'))
     union all
     select 'a serial in a parcel is packed, or has left with it', p.parcel_id
     from parcels p join parcel_lines l using (parcel_id)
       left join serials s on s.so_line_id = l.so_line_id and s.serial_number = l.serial_number
     where p.warehouse_id = $1 and l.serial_number is not null and p.status <> 'VOIDED'
       and s.state is distinct from case p.status when 'SHIPPED' then 'SHIPPED' else 'PACKED' end
       and not (p.status = 'SHIPPED' and s.serial_id is null)
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
