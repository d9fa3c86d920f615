import { db } from "../db.js";
import type { Floor } from "../shift.js";

/** What the rows of a warehouse say was done, by the route that does it. */
async function effects(warehouseId: number): Promise<Record<string, number>> {
  return (await db.row<Record<string, number>>(
    `with batches as (select * from pick_batches where warehouse_id = $1),
       tasks as (select t.* from pick_tasks t join batches using (batch_id)),
       orders as (select * from sales_orders where warehouse_id = $1),
       counts as (select * from cycle_counts where warehouse_id = $1)
     select (select count(*) from item_receipts where warehouse_id = $1) as "/api/receiving/receive",
       (select count(*) from bin_transfers where warehouse_id = $1) as "/api/putaway/confirm",
       (select count(*) from orders) as "/api/admin/sales-orders",
       (select count(*) from batches) as "/api/picking/wave-create",
       (select count(*) from tasks where status = 'PICKED') as "/api/picking/confirm",
       (select count(*) from tasks where status = 'SHORT') as "/api/picking/short",
       (select count(*) from batches where status = 'COMPLETED') as "/api/picking/complete-batch",
       (select count(*) from counts) as "/api/inventory/cycle-count/create",
       (select count(*) from counts where completed_at is not null) as "/api/inventory/cycle-count/submit",
       (select count(*) from sales_order_lines join orders using (so_id) where quantity_packed > 0)
         as "/api/packing/verify",
       (select count(*) from orders where packed_at is not null) as "/api/packing/complete",
       (select count(*) from item_fulfillments where warehouse_id = $1) as "/api/shipping/fulfill"`,
    [warehouseId],
  )) as Record<string, number>;
}

export interface Ledger {
  accepted: number;
  /** Accepted, and not in the rows. */
  lost: number;
  /** In the rows, and not accepted or not that often. */
  doubled: number;
}

/** Holds what was accepted against what the rows say was done. */
export async function ledgerOf({ warehouse_id, accepted, scanners }: Floor): Promise<Ledger> {
  const ledger = { accepted: 0, lost: 0, doubled: 0 };
  for (const { accepted } of scanners) ledger.accepted += accepted.length;
  let effective = 0;
  for (const [path, rows] of Object.entries(await effects(warehouse_id))) {
    const requests = accepted(path);
    effective += requests.length;
    // A delivery makes a receipt of each of its items.
    const promised = requests.reduce((sum, { answer }) => sum + (answer.receipt_ids?.length ?? 1), 0);
    ledger.lost += Math.max(0, promised - rows);
    ledger.doubled += Math.max(0, rows - promised);
  }
  if (effective < ledger.accepted) throw new Error("a route is not in the ledger");
  return ledger;
}
