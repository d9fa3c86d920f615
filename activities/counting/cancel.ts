import { z } from "zod";
import { int } from "../../src/platform/db/columns.js";
import { systemActor } from "../../src/platform/system-actor.js";
import { command, type Tx } from "../command.js";
import { auditRejection, saveDecisions } from "../stock/adjustments.js";
import { endDoubts } from "../stock/doubts.js";
import { type LockedCount, lockEnd } from "./lock.js";

/** How the count ended: by this cancellation, or before it. */
export interface CancelledCount {
  ended: "cancelled" | "approved" | "rejected" | "no variance";
}

const Adjustment = z.strictObject({
  adjustment_id: int,
  item_id: int,
  quantity_change: int,
  status: z.enum(["PENDING", "APPROVED", "REJECTED"]),
});
type Adjustment = z.infer<typeof Adjustment>;

/**
 * Ends an open count as the system user, because somebody requested the cancellation of its workflow in the Temporal
 * UI. Stock does not change, and its units are no longer in doubt. A count that was not submitted becomes COMPLETED
 * without counted quantities; of one that waits for an admin the pending adjustments become REJECTED. Counts have no
 * status of their own for this (docs/interface.md, Counting).
 */
export function cancelCount(countId: number, commandId: string): Promise<CancelledCount> {
  const by = systemActor(commandId);
  return command("cycleCounts.cancel", by, { countId }, async (tx) => {
    const count = await lockEnd(tx, countId, by);
    const submitted = count.status === "VARIANCE" || count.status === "COMPLETED";
    const adjustments = await adjustmentsOf(tx, countId);
    const pending = adjustments.filter(({ status }) => status === "PENDING");
    if (submitted && pending.length === 0) {
      if (adjustments.length === 0) return { ended: "no variance" };
      return { ended: adjustments.some(({ status }) => status === "APPROVED") ? "approved" : "rejected" };
    }
    if (submitted) await rejectAll(tx, count, pending);
    else
      await tx.run("update cycle_counts set status = 'COMPLETED', completed_at = now() where count_id = $1", [countId]);
    const { bin_id } = count;
    await endDoubts(tx, bin_id, submitted ? pending.map(({ item_id }) => item_id) : await doubtedIn(tx, bin_id));
    tx.audit({
      action: "CANCEL",
      entity: "CYCLE_COUNT",
      entityId: countId,
      warehouseId: count.warehouse_id,
      details: { bin_id, status: count.status, reason: "cancelled in the Temporal UI" },
    });
    return { ended: "cancelled" };
  });
}

/** The items of the bin whose units are in doubt, on its count or not. */
async function doubtedIn(tx: Tx, binId: number): Promise<number[]> {
  const items = await tx.rows(
    { item_id: int },
    "select distinct item_id from inventory where bin_id = $1 and quantity_doubted > 0",
    [binId],
  );
  return items.map((item) => item.item_id);
}

const adjustmentsOf = (tx: Tx, countId: number) =>
  tx.rows(
    Adjustment,
    `select adjustment_id, item_id, quantity_change, status from inventory_adjustments
     where cycle_count_id = $1 order by adjustment_id`,
    [countId],
  );

async function rejectAll(tx: Tx, { count_id, bin_id, warehouse_id }: LockedCount, pending: Adjustment[]) {
  await saveDecisions(tx, "REJECTED", pending);
  for (const adjustment of pending)
    auditRejection(tx, { ...adjustment, cycle_count_id: count_id, bin_id, warehouse_id });
}
