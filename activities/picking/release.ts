import { int } from "../../src/platform/db/columns.js";
import { DAYS_LEFT, IS_SELLABLE, isFreshFor, SELLABLE_JOINS } from "../../src/stock/sellable.js";
import type { Tx } from "../command.js";
import { expectLacking, noIncrease } from "../stock/backorders.js";
import { allocateLines, unpickLines } from "../stock/line-counters.js";
import { allocateRows } from "../stock/reserve-rows.js";
import { returnPicks } from "../stock/stock.js";
import { type LockedTransfer, lockTransfersOf } from "../stock/transfer-lock.js";
import { undoPicks } from "./undo-transfer-picks.js";

/**
 * Locks the active batches of a user in a warehouse, in id order, and returns their ids. The user's row is locked
 * first, because batches that another transaction is still creating cannot be locked: otherwise two requests at once
 * would create two batches.
 */
export async function lockActiveBatches(tx: Tx, userId: number, warehouseId: number): Promise<number[]> {
  await tx.run("select from users where user_id = $1 for no key update", [userId]);
  const rows = await tx.rows(
    { batch_id: int },
    `select batch_id from pick_batches
     where assigned_user_id = $1 and warehouse_id = $2 and status in ('OPEN', 'IN_PROGRESS')
     order by batch_id for update`,
    [userId, warehouseId],
  );
  return rows.map((row) => row.batch_id);
}

/**
 * Locks what the release of these batches changes, in the lock order: the transfer orders that they pick (and
 * `another`), the sales orders, and the stock rows of their tasks.
 */
export async function lockForRelease(tx: Tx, batchIds: number[], another?: number): Promise<LockedTransfer[]> {
  const [transfers] = await tx.inOrder([
    lockTransfersOf(tx, batchIds, another),
    tx.run(
      `select from sales_orders
       where so_id = any(array(select so_id from pick_batch_orders where batch_id = any($1)))
       order by so_id for update`,
      [batchIds],
    ),
    tx.run(
      `select from inventory where inventory_id in (select inventory_id from pick_tasks where batch_id = any($1))
       order by item_id, bin_id, lot_number for update`,
      [batchIds],
    ),
  ]);
  return transfers;
}

/**
 * Releases batches (docs/interface.md, Picking): allocations are released, picked units return to the bins that they
 * came from, tasks end, the batches are CANCELLED and their orders stay OPEN. All of these units are reserved for their
 * orders again, so no other order gets any; an order that still lacks some waits for them. Units that were picked for a
 * transfer order but not submitted stay reserved, and are to be picked again. The caller has locked batches, orders and
 * stock rows.
 */
export async function releaseBatches(tx: Tx, batchIds: number[], transfers: LockedTransfer[]): Promise<void> {
  if (batchIds.length === 0) return;
  await returnPicks(tx, noIncrease(tx), batchIds);
  await unpickLines(tx, batchIds);
  const lacking = await reserveAgain(tx, batchIds);
  await undoPicks(tx, batchIds, transfers);
  await auditRelease(tx, batchIds);
  await tx.run(
    `with tasks as (
       update pick_tasks set status = case status when 'PENDING' then 'SKIPPED' else 'RELEASED' end
       where batch_id = any($1)
         and (status = 'PENDING' or status in ('PICKED', 'SHORT') and to_line_id is null)
     ), orders as (
       update pick_batch_orders set active = false where batch_id = any($1)
     )
     update pick_batches set status = 'CANCELLED', completed_at = now() where batch_id = any($1)`,
    [batchIds],
  );
  expectLacking(tx, lacking);
}

/**
 * Reserves the allocated and the picked units of these batches for their orders, before the tasks end, where they can
 * still be sold; not units in doubt. Returns the orders that lack some.
 */
async function reserveAgain(tx: Tx, batchIds: number[]): Promise<number[]> {
  await tx.run(
    `with kept as (
       select s.so_line_id, v.inventory_id, sum(s.units) as units
       from (select w.so_line_id, t.inventory_id,
               case when t.status <> 'PENDING' then w.quantity_picked
                    when quantity_doubted = 0 then w.quantity else 0 end
             from pick_tasks t join wave_pick_breakdown w using (pick_task_id) join inventory using (inventory_id)
             where batch_id = any($1) and t.status in ('PENDING', 'PICKED', 'SHORT'))
         as s(so_line_id, inventory_id, units)
       join inventory v using (inventory_id) ${SELLABLE_JOINS}
       join sales_order_lines l using (so_line_id) join sales_orders so using (so_id)
       where s.units > 0 and ${IS_SELLABLE} and ${isFreshFor(DAYS_LEFT)} group by s.so_line_id, v.inventory_id
     ), reserved as (
       insert into stock_reservations (so_line_id, inventory_id, quantity) select * from kept
       on conflict (so_line_id, inventory_id) do update set quantity = stock_reservations.quantity + excluded.quantity
     ), of_rows as (
       ${allocateRows("kept")}
     )
     ${allocateLines("kept")}`,
    [batchIds],
  );
  const lacking = await tx.rows(
    { so_id: int },
    `select distinct so_id from pick_batch_orders join sales_order_lines using (so_id)
     where batch_id = any($1) and quantity_ordered > quantity_allocated`,
    [batchIds],
  );
  return lacking.map((order) => order.so_id);
}

/** An audit row for each order with released picks, and one for each order with released allocations. */
async function auditRelease(tx: Tx, batchIds: number[]): Promise<void> {
  const released = await tx.rows(
    { batch_id: int, so_id: int, warehouse_id: int, picked: int, allocated: int },
    `select p.batch_id, b.so_id, p.warehouse_id,
       coalesce(sum(b.quantity_picked) filter (where t.status in ('PICKED', 'SHORT')), 0) as picked,
       coalesce(sum(b.quantity) filter (where t.status = 'PENDING'), 0) as allocated
     from wave_pick_breakdown b join pick_tasks t using (pick_task_id) join pick_batches p using (batch_id)
     where p.batch_id = any($1) group by p.batch_id, b.so_id, p.warehouse_id order by p.batch_id, b.so_id`,
    [batchIds],
  );
  for (const { batch_id, so_id, warehouse_id, picked, allocated } of released) {
    const entry = { entity: "SO", entityId: so_id, warehouseId: warehouse_id };
    if (picked > 0) tx.audit({ ...entry, action: "SO_PICK_RELEASED", details: { batch_id, quantity: picked } });
    if (allocated > 0)
      tx.audit({ ...entry, action: "SO_ALLOCATION_RELEASED", details: { batch_id, quantity: allocated } });
  }
}
