import { LotConditionsDiffer, LotInQuarantine, LotOfAnotherItem } from "../../src/lots/problems.js";
import { lotOf } from "../../src/lots/queries.js";
import type { Lot, LotMerge } from "../../src/lots/shapes.js";
import { type Actor, visibleWarehouses } from "../../src/platform/actor.js";
import type { Effects } from "../../src/platform/db/db.js";
import { LotRecalled } from "../../src/recalls/problems.js";
import { openRecallOfLot } from "../../src/recalls/queries.js";
import { ExpiresBeforeProduction } from "../../src/stock/problems.js";
import { command, type Tx } from "../command.js";
import { expectSellable } from "../stock/backorders.js";
import { lockToMerge, type MergedLots, mergeRows } from "../stock/merge-rows.js";
import { lockLot } from "./lots.js";
import { renameUnits } from "./number.js";
import { tellWarehouses } from "./tell.js";

/**
 * Two records of one lot become one, as the number of the first was misspelt (docs/lots.md): its units, all that claims
 * them, and what is known of where they came from and went to are of the other lot from now on. Audit LOT_MERGE,
 * `lot.merged`.
 */
export function mergeLots(lot_id: number, { into_lot_id, reason }: LotMerge, by: Actor): Promise<Lot> {
  return command("lots.merge", by, { lot_id, into_lot_id, reason }, async (tx) => {
    const [first, second] = [lot_id, into_lot_id].sort((a, b) => a - b) as [number, number];
    const locked = [await lockLot(tx, first), await lockLot(tx, second)];
    const from = locked.find((lot) => lot.lot_id === lot_id) as Lot;
    const into = locked.find((lot) => lot.lot_id === into_lot_id) as Lot;
    await refuseMerge(tx, from, into);
    const { item_id: itemId, lot_number } = into;
    const lots: MergedLots = { itemId, from: from.lot_number, into: lot_number };
    await lockToMerge(tx, lots);
    const increase = await expectSellable(
      ...([tx, "v.item_id = $1 and v.lot_number in ($2, $3)", itemId, lots.from, lots.into] as const),
    );
    const days = daysOf(from, into);
    await tx.run("update lots set production_date = $2, expiry_date = $3, updated_at = now() where lot_id = $1", [
      ...[into_lot_id, days.production_date, days.expiry_date],
    ]);
    await mergeRows(tx, increase, lots, { ...days, condition: into.condition });
    renameUnits(tx.later, lots);
    moveRecords(tx.later, lot_id, into_lot_id);
    await tx.run("delete from lots where lot_id = $1", [lot_id]);
    const { sku, item_id, supplier_lot, notes, attributes, external_id, production_date, expiry_date } = from;
    tx.audit({
      action: "LOT_MERGE",
      entity: "LOT",
      entityId: into_lot_id,
      details: {
        ...{ lot_number, sku, item_id, reason },
        merged: {
          ...{ lot_id, external_id, lot_number: from.lot_number, quantity_on_hand: from.quantity_on_hand },
          ...{ production_date, expiry_date, supplier_lot, notes, attributes },
        },
      },
    });
    const merged = (await lotOf(tx, into_lot_id, visibleWarehouses(by))) as Lot;
    await tellWarehouses(tx, merged, (of, told) => ({
      type: "lot.merged",
      ...of,
      data: {
        ...told,
        production_date: merged.production_date,
        merged_lot_external_id: external_id,
        merged_lot_number: from.lot_number,
        reason,
        merged_by_user_external_id: by.externalId,
        merged_at: tx.now,
      },
    }));
    return merged;
  });
}

async function refuseMerge(tx: Tx, from: Lot, into: Lot): Promise<void> {
  const [lot_number, other] = [from.lot_number, into.lot_number];
  if (from.item_id !== into.item_id || from.lot_id === into.lot_id) throw LotOfAnotherItem({ lot_number, other });
  if (from.condition !== into.condition)
    throw LotConditionsDiffer({ lot_number, other, condition: from.condition, of_other: into.condition });
  if (from.condition === "QUARANTINE") throw LotInQuarantine({ lot_number, other });
  for (const { lot_id } of [from, into]) {
    const recalled = await openRecallOfLot(tx, lot_id);
    if (recalled) throw LotRecalled(recalled);
  }
}

/** The earlier last day: units are never sold for longer by a merge. */
function daysOf(from: Lot, into: Lot) {
  const production_date = into.production_date ?? from.production_date;
  const [expiry_date = null] = [from.expiry_date, into.expiry_date].filter((day) => day !== null).sort();
  if (production_date && expiry_date && expiry_date < production_date)
    throw ExpiresBeforeProduction({ units: `Lot ${into.lot_number}`, expiry_date, production_date });
  return { production_date, expiry_date };
}

/** The closed recalls and inspections of a lot are those of the other. */
function moveRecords(tx: Effects, from: number, into: number): void {
  tx.run(
    `insert into recall_lots (recall_id, lot_id, known_quantity)
     select recall_id, $2, known_quantity from recall_lots where lot_id = $1
     on conflict (recall_id, lot_id) do update
       set known_quantity = coalesce(recall_lots.known_quantity, 0) + coalesce(excluded.known_quantity, 0)`,
    [from, into],
  );
  for (const table of ["recall_destructions", "inspections"])
    tx.run(`update ${table} set lot_id = $2 where lot_id = $1`, [from, into]);
}
