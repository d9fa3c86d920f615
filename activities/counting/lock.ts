import { z } from "zod";
import { CountNotFound } from "../../src/counting/problems.js";
import { type Actor, checkWarehouse } from "../../src/platform/actor.js";
import { int, text } from "../../src/platform/db/columns.js";
import type { Effects } from "../../src/platform/db/db.js";
import { CountStatus } from "../../src/platform/statuses.js";
import type { Tx } from "../command.js";

export const LockedCount = z.strictObject({
  count_id: int,
  external_id: text,
  warehouse_id: int,
  bin_id: int,
  bin_code: text,
  bin_external_id: text,
  status: CountStatus,
});
export type LockedCount = z.infer<typeof LockedCount>;

/** Locks a count, and by that its lines and adjustments; 404 for none, 403 in another warehouse. */
export async function lockCount(tx: Tx, countId: number, by: Actor): Promise<LockedCount> {
  const [, count] = await tx.inOrder([
    tx.run("select from cycle_counts where count_id = $1 for update", [countId]),
    tx.row(
      LockedCount,
      `select count_id, c.external_id, c.warehouse_id, bin_id, bin_code, b.external_id as bin_external_id, status
       from cycle_counts c join bins b using (bin_id) where count_id = $1`,
      [countId],
    ),
  ]);
  if (!count) throw CountNotFound();
  checkWarehouse(by, count.warehouse_id);
  return count;
}

/**
 * Locks the row of a bin. This comes before its counts are locked: two of them are submitted one after the other, and a
 * short pick does not rely on a count that is being ended.
 */
export const lockBinOfCounts = (tx: Effects, binId: number): Promise<unknown> =>
  tx.run("select from bins where bin_id = $1 for no key update", [binId]);

async function binOf(tx: Tx, countId: number): Promise<number> {
  const place = await tx.row({ bin_id: int }, "select bin_id from cycle_counts where count_id = $1", [countId]);
  if (!place) throw CountNotFound();
  return place.bin_id;
}

/** Locks the bin of a count, and then the count, which is to be ended. */
export async function lockEnd(tx: Tx, countId: number, by: Actor): Promise<LockedCount> {
  lockBinOfCounts(tx.later, await binOf(tx, countId));
  return lockCount(tx, countId, by);
}

/** Locks a count that is being submitted, and the other counts of its bin whose adjustments wait for a decision. */
export async function lockSubmission(tx: Tx, countId: number, by: Actor): Promise<LockedCount> {
  const binId = await binOf(tx, countId);
  const [, waiting] = await tx.inOrder([
    lockBinOfCounts(tx, binId),
    tx.rows(
      { count_id: int },
      `select distinct cycle_count_id as count_id from inventory_adjustments
       where bin_id = $1 and status = 'PENDING' and cycle_count_id is not null`,
      [binId],
    ),
  ]);
  await tx.run("select from cycle_counts where count_id = any($1) order by count_id for update", [
    [...waiting.map(({ count_id }) => count_id), countId],
  ]);
  return lockCount(tx, countId, by);
}
