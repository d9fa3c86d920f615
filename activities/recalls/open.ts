import { ItemNotFound } from "../../src/master-data/problems.js";
import type { Actor } from "../../src/platform/actor.js";
import { checkScans } from "../../src/platform/barcodes/match.js";
import { int, text } from "../../src/platform/db/columns.js";
import { LotRecalled, RecalledSerialNotFound } from "../../src/recalls/problems.js";
import { openRecallOfLot } from "../../src/recalls/queries.js";
import { unitsOfOpening } from "../../src/recalls/units.js";
import type { RecallRequest, RecallState } from "../../src/recalls/workflow.js";
import { SerialRecalled } from "../../src/serials/problems.js";
import { recalledSerial } from "../../src/serials/queries.js";
import { command, type Tx } from "../command.js";
import { holdLocked, lockLot } from "../lots/lots.js";
import { labelsOf, serialIn } from "../serials/named.js";
import { recalledByWarehouse } from "./by-warehouse.js";
import { entryOf, lockRecall } from "./lock.js";
import { recallState } from "./state.js";

/**
 * Opens a recall of lots, which are held one by one (`holdRecalledLot`), and of serials (docs/recall.md). From here on,
 * no lot of it is released, none of its serials is packed, and no order with units of it is shipped. 404 for a lot or
 * serial that is not there, 409 for one that is on an open recall. Audit RECALL_OPEN, `recall.opened`.
 * @param recallId The id that the recall gets.
 */
export function openRecall(recallId: number, request: RecallRequest, by: Actor): Promise<RecallState> {
  return command("recalls.open", by, { recallId, ...request }, async (tx) => {
    const { lot_ids, reason } = request;
    const lotIds = [...new Set(lot_ids)].sort((a, b) => a - b);
    const lots = [];
    for (const lotId of lotIds) lots.push(await lockLot(tx, lotId));
    for (const lotId of lotIds) {
      const other = await openRecallOfLot(tx, lotId);
      if (other) throw LotRecalled(other);
    }
    const serials = await recalledSerials(tx, request);
    const made = await tx.row(
      { external_id: text },
      `with made as (
         insert into recalls (recall_id, reason, opened_by) values (:recallId, :reason, :username)
         returning recall_id, external_id
       ), its_lots as (
         insert into recall_lots (recall_id, lot_id) select recall_id, unnest(:lotIds::int[]) from made
       ), its_serials as (
         insert into recall_serials (recall_id, serial_id)
         select recall_id, serial_id from made cross join serials s
         where serial_id = any(:serialIds::int[]) and not exists (
           select from lots l
           where l.lot_id = any(:lotIds::int[]) and l.item_id = s.item_id and l.lot_number = s.lot_number)
       )
       select external_id from made`,
      { recallId, reason, username: by.username, lotIds, serialIds: serials.map(({ serial_id }) => serial_id) },
    );
    const numbers = lots.map(({ lot_id, lot_number, sku }) => ({ lot_id, lot_number, sku }));
    const named = serials.length > 0 ? { serials } : undefined;
    tx.audit({ ...entryOf(recallId, { reason, lots: numbers, ...named }), action: "RECALL_OPEN" });
    const recall = { recall_id: recallId, external_id: made?.external_id as string, reason };
    const opened = { opened_by_user_external_id: by.externalId, opened_at: tx.now };
    for (const { event, data } of await recalledByWarehouse(tx, recall))
      tx.emit({ type: "recall.opened", ...event, data: { ...data, ...opened } });
    return recallState(tx, recallId);
  });
}

/** The serials that a request names, locked. One of a lot that is called back with it is among that lot's units. */
async function recalledSerials(tx: Tx, { item_id, serial_numbers }: RecallRequest) {
  if (!item_id || !serial_numbers) return [];
  const item = await tx.row({ sku: text }, "select sku from items where item_id = $1", [item_id]);
  if (!item) throw ItemNotFound();
  await checkScans(tx, labelsOf({ item_id, quantity: serial_numbers.length, serial_numbers }));
  const numbers = [...new Set(serial_numbers.map(serialIn))];
  const [found, recalled] = await tx.inOrder([
    tx.rows(
      { serial_id: int, serial_number: text },
      `select serial_id, serial_number from serials where item_id = $1 and serial_number = any($2)
       order by item_id, serial_number for update`,
      [item_id, numbers],
    ),
    recalledSerial(tx, item_id, numbers),
  ]);
  const unknown = numbers.find((serial) => found.every(({ serial_number }) => serial_number !== serial));
  if (unknown !== undefined) throw RecalledSerialNotFound({ serial: unknown, ...item });
  if (recalled) throw SerialRecalled(recalled);
  return found.map((serial) => ({ ...serial, ...item }));
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
