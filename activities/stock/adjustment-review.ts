import type { z } from "zod";
import { type Actor, visibleWarehouses } from "../../src/platform/actor.js";
import { int, text } from "../../src/platform/db/columns.js";
import type { Decision, ReviewResult } from "../../src/stock/adjustments/shapes.js";
import { command, type Tx } from "../command.js";
import { serialsOfAdjustments } from "../serials/adjust.js";
import { applyAdjustments } from "./adjust-stock.js";
import { auditRejection, PlacedUnits, recordApplied, saveDecisions } from "./adjustments.js";

const PendingAdjustment = PlacedUnits.extend({
  adjustment_id: int,
  external_id: text,
  quantity_change: int,
  reason_code: text,
  reason_detail: text.nullable(),
});
type PendingAdjustment = z.infer<typeof PendingAdjustment>;

/**
 * Approves or rejects adjustments that no cycle count made (docs/interface.md, Adjustments), all or none; those that
 * are not PENDING are skipped. Returns the result of the whole review; `ofCounts` is the result of the workflows of
 * counts, which ran before.
 */
export function reviewAdjustments(decisions: Decision[], ofCounts: ReviewResult, by: Actor): Promise<ReviewResult> {
  return command("adjustments.review", by, decisions, async (tx) => {
    const pending = await lockPending(tx, decisions, by);
    if (pending.length === 0) return ofCounts;
    const decidedAs = (action: Decision["action"]) => {
      const ids = new Set(decisions.filter((d) => d.action === action).map((d) => d.adjustment_id));
      return pending.filter(({ adjustment_id }) => ids.has(adjustment_id));
    };
    const [approved, rejected] = [decidedAs("approve"), decidedAs("reject")];
    const serials = Object.fromEntries(
      decisions.map(({ adjustment_id, serial_numbers }) => [adjustment_id, serial_numbers ?? []]),
    );
    const lots = new Map(decisions.map(({ adjustment_id, lot_number }) => [adjustment_id, lot_number ?? null]));
    await approve(tx, approved, serials, lots, by);
    await saveDecisions(tx, "REJECTED", rejected);
    for (const adjustment of rejected) auditRejection(tx, adjustment);
    return { approved: ofCounts.approved + approved.length, rejected: ofCounts.rejected + rejected.length };
  });
}

async function lockPending(tx: Tx, decisions: Decision[], by: Actor): Promise<PendingAdjustment[]> {
  const ids = decisions.map((decision) => decision.adjustment_id);
  const locked = await tx.rows(
    { adjustment_id: int },
    `select adjustment_id from inventory_adjustments
     where adjustment_id = any($1) and status = 'PENDING' and cycle_count_id is null
       and ($2::int[] is null or warehouse_id = any($2)) order by adjustment_id for update`,
    [ids, visibleWarehouses(by)],
  );
  return tx.rows(
    PendingAdjustment,
    `select adjustment_id, a.external_id, a.item_id, i.external_id as item_external_id, a.bin_id, bin_code,
            b.external_id as bin_external_id, a.warehouse_id, quantity_change, reason_code, reason_detail
     from inventory_adjustments a join items i on i.item_id = a.item_id join bins b on b.bin_id = a.bin_id
     where adjustment_id = any($1) order by adjustment_id`,
    [locked.map((adjustment) => adjustment.adjustment_id)],
  );
}

async function approve(
  tx: Tx,
  adjustments: PendingAdjustment[],
  named: Record<number, string[]>,
  lots: Map<number, string | null>,
  by: Actor,
) {
  const serials = await serialsOfAdjustments(tx, adjustments, named);
  const changes = await applyAdjustments(
    tx,
    adjustments.map((adjustment) => ({
      itemId: adjustment.item_id,
      binId: adjustment.bin_id,
      binCode: adjustment.bin_code,
      warehouseId: adjustment.warehouse_id,
      change: adjustment.quantity_change,
      serials: serials.get(adjustment.adjustment_id),
      lot: adjustment.quantity_change > 0 ? (lots.get(adjustment.adjustment_id) ?? null) : null,
    })),
    "adjustment",
  );
  await saveDecisions(tx, "APPROVED", adjustments, changes);
  changes.forEach((change, i) => {
    const adjustment = adjustments[i] as PendingAdjustment;
    recordApplied(
      tx,
      {
        ...change,
        adjustment_id: adjustment.adjustment_id,
        external_id: adjustment.external_id,
        itemExternalId: adjustment.item_external_id,
        binExternalId: adjustment.bin_external_id,
        reasonCode: adjustment.reason_code,
        detail: adjustment.reason_detail,
      },
      by,
    );
  });
}
