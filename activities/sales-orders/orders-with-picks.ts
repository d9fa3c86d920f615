import { z } from "zod";
import { type Actor, checkWarehouse } from "../../src/platform/actor.js";
import { bool, int, text } from "../../src/platform/db/columns.js";
import type { Problem } from "../../src/platform/problem.js";
import { OrderStatus } from "../../src/platform/statuses.js";
import { HoldReason } from "../../src/sales-orders/holds.js";
import { OrderType } from "../../src/sales-orders/shapes.js";
import type { Tx } from "../command.js";
import { expectFewer, expectIncrease, type StockIncrease } from "../stock/backorders.js";

/** An order as pick, ship, revert, cancel and the edits need it. */
export const ActionOrder = z.strictObject({
  so_id: int,
  so_number: text,
  external_id: text,
  warehouse_id: int,
  min_days_at_shipping: int.nullable(),
  status: OrderStatus,
  order_type: OrderType,
  /** Whether it waits for stock, or did. */
  is_backorder: bool,
  cancellation_reason: text.nullable(),
  parent_so_number: text.nullable(),
  ship_method: text.nullable(),
  carrier: text.nullable(),
  tracking_number: text.nullable(),
  hold_reason: HoldReason.nullable(),
});
export type ActionOrder = z.infer<typeof ActionOrder>;

const ORDERS = `
  select so_id, so_number, external_id, warehouse_id, min_days_at_shipping, status, order_type, ship_method, carrier,
         tracking_number, cancellation_reason, hold_reason,
         order_type = 'backorder' or backorder_opened_at is not null as is_backorder,
         (select p.so_number from sales_orders p where p.so_id = so.parent_so_id) as parent_so_number
  from sales_orders so where so_id = any($1) order by so_id`;

async function lockOrders(tx: Tx, soIds: number[]): Promise<ActionOrder[]> {
  const [, orders] = await tx.inOrder([
    tx.run("select from sales_orders where so_id = any($1) order by so_id for update", [soIds]),
    tx.rows(ActionOrder, ORDERS, [soIds]),
  ]);
  return orders;
}

/** Locks an order of the caller's warehouses. */
export async function lockOrder(tx: Tx, soId: number, by: Actor, missing: Problem): Promise<ActionOrder> {
  return findPermitted(await lockOrders(tx, [soId]), soId, by, missing);
}

/** Locks an order as `lockOrder` does, and announces that units which its lines hold may become available. */
export async function lockWithWaiting(
  tx: Tx,
  { so_id, lineIds }: { so_id: number; lineIds: number[] },
  by: Actor,
  missing: Problem,
): Promise<{ order: ActionOrder; increase: StockIncrease }> {
  const [orders, increase] = await tx.inOrder([
    lockOrders(tx, [so_id]),
    expectIncrease(
      tx,
      "transfer",
      {
        items: "select item_id from sales_order_lines where so_line_id = any($2)",
        warehouses: "select warehouse_id from sales_orders where so_id = $1",
      },
      [so_id, lineIds],
    ),
  ]);
  const order = findPermitted(orders, so_id, by, missing);
  expectFewer(tx, order);
  return { order, increase };
}

/**
 * The requested one of the locked orders; throws when it is missing, or is in a warehouse that the caller may not use.
 */
export function findPermitted<Order extends { so_id: number; warehouse_id: number }>(
  orders: Order[],
  soId: number,
  by: Actor,
  missing: Problem,
): Order {
  const order = orders.find(({ so_id }) => so_id === soId);
  if (!order) throw missing();
  checkWarehouse(by, order.warehouse_id);
  return order;
}

/**
 * Locks the batches with picks of some orders and then the orders, in the lock order of stock.ts. When meanwhile
 * another batch took up one of the orders, or `ids` names further orders, the locks are released and taken again.
 */
export async function lockWithPicks(tx: Tx, ids: () => Promise<number[]>): Promise<ActionOrder[]> {
  for (;;) {
    await tx.run("savepoint before_orders");
    const soIds = await ids();
    const batches = await batchesOf(tx, soIds, "for update");
    const orders = await lockOrders(tx, soIds);
    const [idsNow, batchesNow] = await Promise.all([ids(), batchesOf(tx, soIds)]);
    if (isSubset(idsNow, soIds) && isSubset(batchesNow, batches)) return orders;
    await tx.run("rollback to savepoint before_orders");
  }
}

const isSubset = (some: number[], all: number[]) => some.every((one) => all.includes(one));

/** The batches with unreleased tasks for these orders. */
async function batchesOf(tx: Tx, soIds: number[], lock: "for update" | "" = ""): Promise<number[]> {
  const batches = await tx.rows(
    { batch_id: int },
    `select batch_id from pick_batches where batch_id in (
       select batch_id from wave_pick_breakdown w join pick_tasks t using (pick_task_id)
       where w.so_id = any($1) and t.status in ('PENDING', 'PICKED', 'SHORT')
       union select batch_id from pick_batch_orders where so_id = any($1) and active)
     order by batch_id ${lock}`,
    [soIds],
  );
  return batches.map((batch) => batch.batch_id);
}

/** The active batch that picks an order, if there is one. */
export const activeBatchOf = (tx: Tx, soId: number) =>
  tx.row(
    { batch_id: int, batch_number: text },
    `select batch_id, batch_number from pick_batch_orders join pick_batches using (batch_id)
     where so_id = $1 and active`,
    [soId],
  );

/** The portion of an order line in a pick task: a row of `wave_pick_breakdown`. */
export const Portion = z.strictObject({
  pick_task_id: int,
  so_line_id: int,
  status: z.enum(["PENDING", "PICKED", "SHORT", "SKIPPED", "RELEASED"]),
  inventory_id: int,
  item_id: int,
  bin_id: int,
  lot_number: text.nullable(),
  expiry_date: text.nullable(),
  quantity: int,
  quantity_picked: int,
});
export type Portion = z.infer<typeof Portion>;

/** The portions of an order in pick tasks, those of ended tasks too. */
export function portionsOf(tx: Tx, soId: number): Promise<Portion[]> {
  return tx.rows(
    Portion,
    `select t.pick_task_id, w.so_line_id, t.status, t.inventory_id, t.item_id, t.bin_id, v.lot_number, v.expiry_date,
            w.quantity, w.quantity_picked
     from wave_pick_breakdown w join pick_tasks t using (pick_task_id) join inventory v using (inventory_id)
     where w.so_id = $1 order by t.pick_task_id, w.so_line_id`,
    [soId],
  );
}

/**
 * Ends an order's portions in tasks: pending tasks become SKIPPED, picked ones RELEASED. A task that serves other
 * orders too continues for those alone, and the order's portion becomes an ended task of its own. The caller updates
 * stock and lines.
 */
export async function endTasks(tx: Tx, soId: number, taskIds: number[]): Promise<void> {
  await tx.run(
    `with mine as (
       select pick_task_id, sum(quantity) as quantity, sum(quantity_picked) as picked
       from wave_pick_breakdown where so_id = $1 and pick_task_id = any($2) group by pick_task_id
     ), shared as (
       select t.*, mine.quantity, mine.picked,
              case t.status when 'PENDING' then 'SKIPPED' else 'RELEASED' end as ended,
              nextval(pg_get_serial_sequence('pick_tasks', 'pick_task_id')) as own_id
       from pick_tasks t join mine using (pick_task_id)
       where exists (select from wave_pick_breakdown o where o.pick_task_id = t.pick_task_id and o.so_id <> $1)
     ), own as (
       insert into pick_tasks
         (pick_task_id, batch_id, so_id, inventory_id, item_id, bin_id, quantity_to_pick, quantity_picked,
          pick_sequence, tote_number, status, picked_by, picked_at, scan_confirmed, created_at)
       select own_id, batch_id, $1, inventory_id, item_id, bin_id, quantity, picked,
              pick_sequence, tote_number, ended, picked_by, picked_at, scan_confirmed, created_at from shared
     ), of_others as (
       update pick_tasks t
       set quantity_to_pick = t.quantity_to_pick - s.quantity, quantity_picked = t.quantity_picked - s.picked
       from shared s where t.pick_task_id = s.pick_task_id
     ), moved as (
       update wave_pick_breakdown w set pick_task_id = s.own_id
       from shared s where w.pick_task_id = s.pick_task_id and w.so_id = $1
     )
     update pick_tasks set status = case status when 'PENDING' then 'SKIPPED' else 'RELEASED' end
     where pick_task_id = any($2) and pick_task_id not in (select pick_task_id from shared)`,
    [soId, taskIds],
  );
}
