import { z } from "zod";
import { int } from "../../src/platform/db/columns.js";
import type { Tx } from "../command.js";
import { auditRejection } from "../stock/adjustments.js";
import type { LockedCount } from "./lock.js";

const Superseded = z.strictObject({ adjustment_id: int, item_id: int, quantity_change: int, cycle_count_id: int });

/**
 * Supersedes the adjustments that earlier counts of the bin proposed for items of this count: only this count's
 * differences are to be decided. Adjustments of other items still wait. The counts are locked.
 */
export async function supersede(tx: Tx, count: LockedCount, itemIds: number[]): Promise<void> {
  const { count_id, bin_id, warehouse_id } = count;
  const superseded = await tx.rows(
    Superseded,
    `update inventory_adjustments set status = 'REJECTED', superseded_by_count_id = $1
     where bin_id = $2 and item_id = any($3) and status = 'PENDING' and cycle_count_id <> $1
     returning adjustment_id, item_id, quantity_change, cycle_count_id`,
    [count_id, bin_id, itemIds],
  );
  for (const adjustment of superseded)
    auditRejection(tx, { ...adjustment, bin_id, warehouse_id, superseded_by_count_id: count_id });
}
