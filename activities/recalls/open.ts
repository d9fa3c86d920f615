import type { Actor } from "../../src/platform/actor.js";
import { text } from "../../src/platform/db/columns.js";
import { LotRecalled } from "../../src/recalls/problems.js";
import { openRecallOfLot } from "../../src/recalls/queries.js";
import { unitsOfOpening } from "../../src/recalls/units.js";
import type { RecallRequest, RecallState } from "../../src/recalls/workflow.js";
import { command } from "../command.js";
import { holdLocked, lockLot } from "../lots/lots.js";
import { recalledByWarehouse } from "./by-warehouse.js";
import { entryOf, lockRecall } from "./lock.js";
import { recallState } from "./state.js";

/**
 * Opens a recall of lots (docs/recall.md), which are held one by one (`holdRecalledLot`). From here on, none of them is
 * released, and no order with units of them is shipped. 404 for a lot that is not there, 409 for one that is on an open
 * recall. Audit RECALL_OPEN, `recall.opened`.
 * @param recallId The id that the recall gets.
 */
export function openRecall(recallId: number, { lot_ids, reason }: RecallRequest, by: Actor): Promise<RecallState> {
  return command("recalls.open", by, { recallId, lot_ids, reason }, async (tx) => {
    const lotIds = [...new Set(lot_ids)].sort((a, b) => a - b);
    const lots = [];
    for (const lotId of lotIds) lots.push(await lockLot(tx, lotId));
    for (const lotId of lotIds) {
      const other = await openRecallOfLot(tx, lotId);
      if (other) throw LotRecalled(other);
    }
    const made = await tx.row(
      { external_id: text },
      `with made as (
         insert into recalls (recall_id, reason, opened_by) values ($1, $2, $3) returning recall_id, external_id
       ), its_lots as (
         insert into recall_lots (recall_id, lot_id) select recall_id, unnest($4::int[]) from made
       )
       select external_id from made`,
      [recallId, reason, by.username, lotIds],
    );
    const numbers = lots.map(({ lot_id, lot_number, sku }) => ({ lot_id, lot_number, sku }));
    tx.audit({ ...entryOf(recallId, { reason, lots: numbers }), action: "RECALL_OPEN" });
    const recall = { recall_id: recallId, external_id: made?.external_id as string, reason };
    const opened = { opened_by_user_external_id: by.externalId, opened_at: tx.now };
    for (const { event, data } of await recalledByWarehouse(tx, recall))
      tx.emit({ type: "recall.opened", ...event, data: { ...data, ...opened } });
    return recallState(tx, recallId);
  });
}

/**
 * Holds a lot of an open recall, as `holdLot` does, unless it is held already or the recall was closed meanwhile, and
 * notes how many units of it were known at the opening.
 */
export function holdRecalledLot(recallId: number, lotId: number, by: Actor): Promise<RecallState> {
  return command("recalls.holdLot", by, { recallId, lotId }, async (tx) => {
    const lot = await lockLot(tx, lotId);
    const { reason, closed_by } = await lockRecall(tx, recallId);
    if (closed_by === null && lot.condition === "AVAILABLE")
      await holdLocked(tx, lot, { condition: "HOLD", reason: `recall ${recallId}: ${reason}`.slice(0, 500) }, by);
    const known = await unitsOfOpening(tx, recallId, lotId);
    await tx.run(
      `update recall_lots set known_quantity = $3
       where recall_id = $1 and lot_id = $2 and known_quantity is null`,
      [recallId, lotId, known],
    );
    return recallState(tx, recallId);
  });
}
