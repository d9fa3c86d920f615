import { LotExists } from "../../src/lots/problems.js";
import type { Lot } from "../../src/lots/shapes.js";
import type { Effects } from "../../src/platform/db/db.js";
import { LotRecalled } from "../../src/recalls/problems.js";
import { openRecallOfLot } from "../../src/recalls/queries.js";
import type { Tx } from "../command.js";
import { refusingDuplicate } from "../edit.js";
import { lockToMerge, type MergedLots, renameRows } from "../stock/merge-rows.js";

/** What tells of units by the number of their lot, besides stock rows. */
const BY_NUMBER = [
  "item_receipts",
  "bin_transfers",
  "parcel_lines",
  "item_fulfillment_lines",
  "counter_sale_units",
  "serials",
];

/** The units have the other number, wherever something tells of them. */
export function renameUnits(tx: Effects, { itemId, from, into }: MergedLots): void {
  for (const table of BY_NUMBER)
    tx.run(`update ${table} set lot_number = $3 where item_id = $1 and lot_number = $2`, [itemId, from, into]);
}

/**
 * Corrects the number of a locked lot, and of all that tells of its units. 409 `lot_exists` where the item has a lot of
 * that number, `lot_recalled` while people look for the number of an open recall.
 */
export async function renumber(tx: Tx, lot: Lot, lot_number: string): Promise<void> {
  const recalled = await openRecallOfLot(tx, lot.lot_id);
  if (recalled) throw LotRecalled(recalled);
  await refusingDuplicate(
    tx.run("update lots set lot_number = $2 where lot_id = $1", [lot.lot_id, lot_number]),
    LotExists({ lot_number }),
  );
  const lots: MergedLots = { itemId: lot.item_id, from: lot.lot_number, into: lot_number };
  await lockToMerge(tx, lots);
  await renameRows(tx, lots);
  renameUnits(tx.later, lots);
}
