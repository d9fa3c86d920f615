import { type Actor, checkWarehouse } from "../../src/actor.js";
import { CountNotFound } from "../../src/counting/problems.js";
import type { CountStatus } from "../../src/states.js";
import type { Tx } from "../command.js";

export interface LockedCount {
  count_id: number;
  external_id: string;
  warehouse_id: number;
  bin_id: number;
  bin_code: string;
  bin_external_id: string;
  status: CountStatus;
}

/** Locks a count, and by that its lines and adjustments; 404 when it does not exist, 403 outside the caller's scope. */
export async function lockCount(tx: Tx, countId: number, by: Actor): Promise<LockedCount> {
  const count = await tx.row<LockedCount>(
    `select count_id, c.external_id, c.warehouse_id, bin_id, bin_code, b.external_id as bin_external_id, status
     from cycle_counts c join bins b using (bin_id) where count_id = $1 for update of c`,
    [countId],
  );
  if (!count) throw CountNotFound();
  checkWarehouse(by, count.warehouse_id);
  return count;
}
