import type { Sql } from "../src/db.js";
import type { Payload } from "../src/events/catalog.js";
import type { Tx } from "./command.js";

/**
 * Orders that wait for stock (spec 3.1, reference 07 §6). Whoever raises stock anywhere first locks the orders that wait for
 * it, in the lock order of stock.ts, and then tests them in the same transaction. Of two who raise it at the same time, the
 * second therefore waits at the first common order, and sees what the first brought: no order is forgotten.
 */

const WAITING = "so.status = 'WAITING_STOCK'";

/** Locks the orders that wait for one of these items in the warehouses of these bins; hardly ever are there any. */
export async function lockWaiting(
  tx: Sql,
  itemIds: number[],
  binIds: number[],
): Promise<number[]> {
  if (itemIds.length === 0) return [];
  const orders = await tx.rows<{ so_id: number }>(
    `select so_id from sales_orders so
     where ${WAITING} and warehouse_id in (select warehouse_id from bins where bin_id = any($2))
       and exists (select from sales_order_lines l where l.so_id = so.so_id and l.item_id = any($1))
     order by so_id for update of so`,
    [itemIds, binIds],
  );
  return orders.map((order) => order.so_id);
}

/** The orders that wait for what was picked for another order, and would be back if that one gave it back. */
export async function waitingForPicksOf(
  tx: Sql,
  soId: number,
): Promise<number[]> {
  const orders = await tx.rows<{ so_id: number }>(
    `select so_id from sales_orders so
     where ${WAITING} and warehouse_id = (select warehouse_id from sales_orders where so_id = $1)
       and exists (select from sales_order_lines l join sales_order_lines p using (item_id)
                   where l.so_id = so.so_id and p.so_id = $1 and p.quantity_picked > 0)`,
    [soId],
  );
  return orders.map((order) => order.so_id);
}

type Source = Payload<"backorder.fulfillable">["source"];

interface Covered {
  so_id: number;
  so_number: string;
  external_id: string;
  parent_so_number: string;
  warehouse_id: number;
  customer_name: string | null;
  days_waiting: number;
  items: Payload<"backorder.fulfillable">["items"];
}

/**
 * Lets those of some locked orders be picked whose every line is covered by what is available where picks are made, the oldest
 * first. The test takes nothing: which of them gets the stock, the waves decide. Audit SO_STATUS_CHANGED,
 * `backorder.fulfillable`.
 */
export async function releaseCovered(
  tx: Tx,
  soIds: number[],
  source: Source,
): Promise<void> {
  if (soIds.length === 0) return;
  const covered = await tx.rows<Covered>(COVERED, [soIds]);
  if (covered.length === 0) return;
  await tx.run(
    "update sales_orders set status = 'OPEN', backorder_fulfillable_at = $2 where so_id = any($1)",
    [covered.map((order) => order.so_id), tx.now],
  );
  for (const { so_id, external_id, so_number, ...order } of covered) {
    const { warehouse_id } = order;
    tx.audit({
      action: "SO_STATUS_CHANGED",
      entity: "SO",
      entityId: so_id,
      warehouseId: warehouse_id,
      details: {
        ...{ so_number, field: "status", source },
        ...{ old_value: "WAITING_STOCK", new_value: "OPEN" },
      },
    });
    tx.emit({
      type: "backorder.fulfillable",
      aggregateId: external_id,
      entity: "sales_order",
      entityId: so_id,
      warehouseId: warehouse_id,
      data: {
        backorder_so_external_id: external_id,
        backorder_so_number: so_number,
        ...order,
        fulfillable_at: tx.now,
        source,
      },
    });
  }
}

const COVERED = `
  with needed as (
    select so_id, so.warehouse_id, item_id, sum(quantity_ordered - quantity_allocated) as units
    from sales_orders so join sales_order_lines using (so_id)
    where so_id = any($1) and ${WAITING} group by so_id, so.warehouse_id, item_id
  ), available as (
    select v.warehouse_id, item_id, sum(quantity_on_hand - quantity_allocated) as units
    from inventory v join bins b using (bin_id)
    where (v.warehouse_id, item_id) in (select warehouse_id, item_id from needed)
      and b.bin_type in ('Pickable', 'PickableStaging') and b.is_active
    group by v.warehouse_id, item_id
  ), covered as (
    select so_id from needed left join available a using (warehouse_id, item_id)
    group by so_id having bool_and(needed.units <= coalesce(a.units, 0))
  )
  select so_id, so_number, external_id, warehouse_id, customer_name,
         coalesce((select p.so_number from sales_orders p where p.so_id = so.parent_so_id), '') as parent_so_number,
         extract(day from now() - coalesce(backorder_opened_at, created_at))::int as days_waiting,
         (select json_agg(json_build_object('item_external_id', i.external_id, 'sku', sku, 'item_name', item_name,
                                            'qty', quantity_ordered) order by line_number, so_line_id)
          from sales_order_lines l join items i using (item_id) where l.so_id = so.so_id) as items
  from sales_orders so join covered using (so_id)
  order by coalesce(backorder_opened_at, created_at), so_id`;
