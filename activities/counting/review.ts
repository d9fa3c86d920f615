import { z } from "zod";
import { refuseCountedAgain } from "../../src/counting/counted-again.js";
import { refuseOwnCounts } from "../../src/counting/own-counts.js";
import { CountNotSubmitted } from "../../src/counting/problems.js";
import type { CountReviewed, NamedLots, NamedSerials } from "../../src/counting/workflow.js";
import type { Actor } from "../../src/platform/actor.js";
import { int, text, time } from "../../src/platform/db/columns.js";
import { NOBODY } from "../../src/platform/system-actor.js";
import { command, type Tx } from "../command.js";
import { serialsOfAdjustments } from "../serials/adjust.js";
import { applyAdjustments, type StockChange } from "../stock/adjust-stock.js";
import { auditRejection, recordApplied, saveDecisions } from "../stock/adjustments.js";
import { endDoubts } from "../stock/doubts.js";
import { type LockedCount, lockCount } from "./lock.js";

export interface Review {
  count_id: number;
  /** Adjustments of the count; the default is all PENDING ones. Others are ignored. */
  adjustment_ids?: number[];
  /** The serials of the units that were found or are gone. */
  serials?: NamedSerials;
  /** The lots of the units that were found. */
  lots?: NamedLots;
}

const PendingAdjustment = z.strictObject({
  adjustment_id: int,
  external_id: text,
  item_id: int,
  item_external_id: text,
  quantity_change: int,
  adjusted_by: text,
  expected_quantity: int,
  counted_quantity: int,
  counted_by_external_id: text,
  counted_at: time,
});
type PendingAdjustment = z.infer<typeof PendingAdjustment>;

/**
 * Approves adjustments of a count (docs/interface.md, Adjustments): stock changes by the variance, but never below
 * zero. Units that are allocated to pick tasks are not taken: then the whole approval is rejected with
 * `promised_to_picks` and the adjustments stay PENDING, so that they can be approved after those waves have ended.
 */
export function approveCount(input: Review, by: Actor): Promise<CountReviewed> {
  return command("cycleCounts.approve", by, input, async (tx) => {
    const count = await lockSubmitted(tx, input, by);
    await refuseCountedAgain(tx, input.adjustment_ids ?? []);
    const adjustments = await pendingOf(tx, input);
    await refuseOwnCounts(tx, adjustments, by);
    const serials = await serialsOfAdjustments(tx, adjustments, input.serials);
    const changes = await applyAdjustments(
      tx,
      adjustments.map(({ item_id, adjustment_id, quantity_change }) => ({
        itemId: item_id,
        serials: serials.get(adjustment_id),
        lot: quantity_change > 0 ? (input.lots?.[adjustment_id] ?? null) : null,
        binId: count.bin_id,
        binCode: count.bin_code,
        warehouseId: count.warehouse_id,
        change: quantity_change,
      })),
      "cycle_count",
    );
    const reviewed = await resolve(tx, input, "APPROVED", adjustments, changes);
    adjustments.forEach((adjustment, i) => {
      recordApproval(tx, count, adjustment, changes[i] as StockChange, by);
    });
    auditOwn(tx, count, adjustments, by);
    return reviewed;
  });
}

/** Where the setting lets people approve what they counted themselves, the audit log says that they did. */
function auditOwn(tx: Tx, { count_id, warehouse_id }: LockedCount, adjustments: PendingAdjustment[], by: Actor): void {
  const own = adjustments.filter((adjustment) => adjustment.adjusted_by === by.username);
  if (own.length === 0) return;
  tx.audit({
    ...{ action: "SELF_APPROVED_COUNT", entity: "CYCLE_COUNT", entityId: count_id, warehouseId: warehouse_id },
    details: { adjustment_ids: own.map((adjustment) => adjustment.adjustment_id) },
  });
}

/** Rejects adjustments of a count: stock does not change, and its units are no longer in doubt. */
export function rejectCount(input: Review, by: Actor): Promise<CountReviewed> {
  return command("cycleCounts.reject", by, input, async (tx) => {
    const count = await lockSubmitted(tx, input, by);
    const adjustments = await pendingOf(tx, input);
    const reviewed = await resolve(tx, input, "REJECTED", adjustments);
    const { count_id: cycle_count_id, bin_id, warehouse_id } = count;
    await endDoubts(
      tx,
      bin_id,
      adjustments.map((adjustment) => adjustment.item_id),
    );
    for (const adjustment of adjustments) auditRejection(tx, { ...adjustment, cycle_count_id, bin_id, warehouse_id });
    return reviewed;
  });
}

async function lockSubmitted(tx: Tx, input: Review, by: Actor): Promise<LockedCount> {
  const count = await lockCount(tx, input.count_id, by);
  if (count.status !== "VARIANCE" && count.status !== "COMPLETED") throw CountNotSubmitted({ status: count.status });
  return count;
}

function pendingOf(tx: Tx, input: Review): Promise<PendingAdjustment[]> {
  return tx.rows(
    PendingAdjustment,
    `select a.adjustment_id, a.external_id, item_id, i.external_id as item_external_id, a.quantity_change,
            a.adjusted_by, l.expected_quantity, l.counted_quantity, l.counted_at,
            coalesce(u.external_id, $3) as counted_by_external_id
     from inventory_adjustments a join items i using (item_id)
     join cycle_count_lines l using (item_id) left join users u on u.username = a.adjusted_by
     where a.cycle_count_id = $1 and l.count_id = $1 and a.status = 'PENDING'
       and ($2::int[] is null or a.adjustment_id = any($2))
     order by a.adjustment_id`,
    [input.count_id, input.adjustment_ids ?? null, NOBODY],
  );
}

async function resolve(
  tx: Tx,
  { count_id }: Review,
  status: "APPROVED" | "REJECTED",
  adjustments: PendingAdjustment[],
  changes?: StockChange[],
): Promise<CountReviewed> {
  await saveDecisions(tx, status, adjustments, changes);
  const left = await tx.row(
    { pending: int, approved: int },
    `select count(*) filter (where status = 'PENDING') as pending,
            count(*) filter (where status = 'APPROVED') as approved
     from inventory_adjustments where cycle_count_id = $1`,
    [count_id],
  );
  return { resolved: adjustments.length, pending: 0, approved: 0, ...left };
}

/**
 * Records an approval. `cycle_count.adjusted` has the variance that was counted, `inventoryadjusted.completed` and the
 * audit row have the change that was made to stock.
 */
function recordApproval(
  tx: Tx,
  count: LockedCount,
  adjustment: PendingAdjustment,
  change: StockChange,
  by: Actor,
): void {
  tx.emit({
    type: "cycle_count.adjusted",
    aggregateId: count.external_id,
    entity: "inventory_adjustment",
    entityId: adjustment.adjustment_id,
    warehouseId: count.warehouse_id,
    data: {
      cycle_count_external_id: count.external_id,
      item_external_id: adjustment.item_external_id,
      bin_external_id: count.bin_external_id,
      counted_quantity: adjustment.counted_quantity,
      system_quantity: adjustment.expected_quantity,
      quantity_delta: adjustment.quantity_change,
      counted_by_user_external_id: adjustment.counted_by_external_id,
      counted_at: new Date(adjustment.counted_at).toISOString(),
    },
  });
  recordApplied(
    tx,
    {
      ...change,
      adjustment_id: adjustment.adjustment_id,
      external_id: adjustment.external_id,
      itemExternalId: adjustment.item_external_id,
      binExternalId: count.bin_external_id,
      reasonCode: "CYCLE_COUNT",
      cycleCountId: count.count_id,
    },
    by,
  );
}
