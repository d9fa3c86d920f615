import type { Payload } from "../../src/outbound/events/catalog.js";
import type { Tx } from "../command.js";

/**
 * Orders that wait for stock (spec 3.1, reference 07 §6). A transaction that increases available stock first locks the
 * orders that wait for it, in the lock order of stock.ts; at its end it opens those that the stock now covers. Of two
 * concurrent transactions, the second therefore waits at the first common order and then sees the stock of the first,
 * so that no order is missed. The functions that increase stock require a `StockIncrease`, so that this cannot be
 * forgotten.
 */

declare const locked: unique symbol;
/**
 * Proof that the orders which wait for some stock are locked and will be tested when the command ends. Only this file
 * creates one.
 */
export interface StockIncrease {
  readonly [locked]: true;
}

/** Why stock increases: the source that the event `backorder.fulfillable` names. */
export type Source = Payload<"backorder.fulfillable">["source"];

const WAITING = "so.status = 'WAITING_STOCK'";

/** SQL for the ids of the orders that wait for one of some items in some warehouses, both of them subqueries. */
export const waitingFor = (items: string, warehouses: string): string => `
  select so.so_id from sales_orders so
  where ${WAITING} and so.warehouse_id in (${warehouses})
    and exists (select from sales_order_lines w where w.so_id = so.so_id and w.item_id in (${items}))`;

const WAREHOUSES_OF_BINS = "select warehouse_id from bins where bin_id = any($2)";

/** Locks the orders that wait for one of these items in the warehouses of these bins; usually there are none. */
export async function lockWaiting(tx: Tx, source: Source, itemIds: number[], binIds: number[]): Promise<StockIncrease> {
  if (itemIds.length === 0) return increaseOf(tx, source, []);
  const orders = await tx.rows<LockedOrder>(
    `select so_id, status from sales_orders
     where so_id = any(array(${waitingFor("select unnest($1::int[])", WAREHOUSES_OF_BINS)}))
     order by so_id for update`,
    [itemIds, binIds],
  );
  return increaseOf(tx, source, orders);
}

/** The orders that wait for stock which these orders hold: picked, reserved or allocated to pick tasks. */
export async function waitingForHeldBy(tx: Tx, soIds: number[]): Promise<number[]> {
  const orders = await tx.rows<{ so_id: number }>(
    waitingFor(
      `select item_id from sales_order_lines where so_id = any($1)
        and greatest(quantity_allocated, quantity_picked) > 0`,
      "select warehouse_id from sales_orders where so_id = any($1)",
    ),
    [soIds],
  );
  return orders.map((order) => order.so_id);
}

interface LockedOrder {
  so_id: number;
  status: string;
}

/** Makes a `StockIncrease` of orders that the caller locked itself, in a statement that includes `waitingFor`. */
export function increaseOf(tx: Tx, source: Source, orders: LockedOrder[]): StockIncrease {
  const waiting = orders.filter(({ status }) => status === "WAITING_STOCK");
  if (waiting.length > 0)
    tx.atEnd(() =>
      openCoveredOrders(
        tx,
        waiting.map(({ so_id }) => so_id),
        source,
      ),
    );
  return {} as StockIncrease;
}

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
 * Opens those of some locked orders whose lines are all covered by stock that is available in bins for picking, the
 * oldest first. Nothing is reserved: the next waves decide which order gets the stock. Audit SO_STATUS_CHANGED,
 * `backorder.fulfillable`.
 */
async function openCoveredOrders(tx: Tx, soIds: number[], source: Source): Promise<void> {
  const covered = await tx.rows<Covered>(COVERED, [soIds]);
  if (covered.length === 0) return;
  await tx.run("update sales_orders set status = 'OPEN', backorder_fulfillable_at = $2 where so_id = any($1)", [
    covered.map((order) => order.so_id),
    tx.now,
  ]);
  for (const { so_id, external_id, so_number, ...order } of covered) {
    const { warehouse_id } = order;
    tx.audit({
      action: "SO_STATUS_CHANGED",
      entity: "SO",
      entityId: so_id,
      warehouseId: warehouse_id,
      details: { so_number, field: "status", source, old_value: "WAITING_STOCK", new_value: "OPEN" },
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
