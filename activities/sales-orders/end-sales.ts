import { randomUUID } from "node:crypto";
import { int, text } from "../../src/platform/db/columns.js";
import { db } from "../../src/platform/db/db.js";
import { systemActor } from "../../src/platform/system-actor.js";
import { DAYS_LEFT, isFreshFor } from "../../src/stock/sellable.js";
import { command } from "../command.js";
import { withdrawTask } from "../picking/scan.js";
import { lockItems } from "../stock/stock.js";
import { lockWithPicks } from "./orders-with-picks.js";
import { releaseTooOld } from "./too-old.js";

/**
 * Ends the promises of units to orders that ask for more days than these have left (docs/lots.md): reservations are
 * released and pick tasks end short. The orders get other units, as far as there are any. Gives how many orders there
 * were; with `only`, of those that hold units of that stock row.
 */
export async function endSalesToOrders(only: number | null = null): Promise<number> {
  const orders = await db.rows(
    { so_id: int },
    `select so_id from sales_orders so
     where min_days_at_shipping is not null and status in ('OPEN', 'FRAUD_REVIEW') and exists (
       select from (
         select inventory_id from stock_reservations r join sales_order_lines l using (so_line_id)
         where l.so_id = so.so_id
         union all
         select inventory_id from wave_pick_breakdown b join pick_tasks t using (pick_task_id)
         where b.so_id = so.so_id and t.status = 'PENDING') held
       join inventory v using (inventory_id) join warehouses w on w.warehouse_id = v.warehouse_id
       where ($1::int is null or inventory_id = $1) and not ${isFreshFor(DAYS_LEFT)})
     order by so_id`,
    [only],
  );
  for (const { so_id } of orders) await endSalesTo(so_id);
  return orders.length;
}

function endSalesTo(so_id: number): Promise<void> {
  const by = systemActor(randomUUID());
  return command("sales-orders.endSale", by, { so_id }, async (tx) => {
    const [order] = await lockWithPicks(tx, async () => [so_id]);
    if (!order) return;
    const tasks = await tx.rows(
      { pick_task_id: int, item_id: int, expiry_date: text },
      `select distinct pick_task_id, t.item_id, v.expiry_date
       from sales_orders so join wave_pick_breakdown b on b.so_id = so.so_id join pick_tasks t using (pick_task_id)
         join inventory v using (inventory_id) join warehouses w on w.warehouse_id = v.warehouse_id
       where so.so_id = $1 and t.status = 'PENDING' and not ${isFreshFor(DAYS_LEFT)} order by pick_task_id desc`,
      [so_id],
    );
    const items = [...new Set(tasks.map((task) => task.item_id))];
    const stock = items.length > 0 ? await lockItems(tx, order.warehouse_id, items) : [];
    for (const { pick_task_id, item_id, expiry_date } of tasks) {
      const reason = `expires on ${expiry_date}, less than ${order.min_days_at_shipping} days from now`;
      const others = stock.filter((row) => row.item_id === item_id);
      await withdrawTask(tx, pick_task_id, others, reason, by);
    }
    await releaseTooOld(tx, [so_id]);
  });
}
