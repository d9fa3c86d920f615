import type { z } from "zod";
import type { Actor } from "../../src/platform/actor.js";
import { int, text } from "../../src/platform/db/columns.js";
import { SerialNotOnRecall, StockNotOnRecall } from "../../src/recalls/problems.js";
import type { Destruction } from "../../src/recalls/shapes.js";
import type { RecallState } from "../../src/recalls/workflow.js";
import { SerialsRequired } from "../../src/serials/problems.js";
import { InsufficientStock } from "../../src/stock/problems.js";
import { command, type Tx } from "../command.js";
import { leavingSerials } from "../serials/leave.js";
import { serialsIn } from "../serials/named.js";
import { PlacedUnits, recordAdjustments, takenOff } from "../stock/adjustments.js";
import { noIncrease } from "../stock/backorders.js";
import { changeRows, reservedUnits } from "../stock/stock.js";
import { lockTransfersOfRows } from "../stock/transfer-cuts.js";
import { entryOf, lockOpenRecall } from "./lock.js";
import { recallState } from "./state.js";

const Row = PlacedUnits.extend({ sku: text, lot_id: int.nullable(), lot: text.nullable() });

/**
 * Takes units of a recall that were destroyed off the books: an adjustment with reason code RECALL_DESTROYED. Units
 * that are picked for a transfer order, or held one by one, are not taken. Audit ADJUST and RECALL_DESTROY,
 * `inventoryadjusted.completed`.
 */
export function destroyRecalled(recallId: number, input: Destruction, by: Actor): Promise<RecallState> {
  return command("recalls.destroy", by, { recallId, ...input }, async (tx) => {
    const { inventory_id, reason } = input;
    await lockOpenRecall(tx, recallId);
    const row = await tx.row(
      Row,
      `select lot_id, v.lot_number as lot, sku, v.item_id, i.external_id as item_external_id, v.bin_id, bin_code,
         b.external_id as bin_external_id, v.warehouse_id
       from inventory v join items i on i.item_id = v.item_id join bins b on b.bin_id = v.bin_id
       left join (select lot_id, item_id, lot_number from recall_lots join lots using (lot_id) where recall_id = $1) l
         on l.item_id = v.item_id and l.lot_number = v.lot_number
       where v.inventory_id = $2 and (lot_id is not null or exists (
         select from recall_serials join serials s using (serial_id)
         where recall_id = $1 and s.item_id = v.item_id))`,
      [recallId, inventory_id],
    );
    if (!row) throw StockNotOnRecall({ inventory_id });
    const which = "v.inventory_id = $1";
    const [transfers, locked] = await tx.inOrder([
      lockTransfersOfRows(tx, which, [inventory_id]),
      tx.row(
        { quantity_on_hand: int, quantity_allocated: int },
        "select quantity_on_hand, quantity_allocated from inventory where inventory_id = $1 for update",
        [inventory_id],
      ),
    ]);
    const there = locked?.quantity_on_hand ?? 0;
    const reserved = (await reservedUnits(tx, transfers, [inventory_id])).get(inventory_id) ?? 0;
    const free = there - (locked?.quantity_allocated ?? 0);
    const named = row.lot_id === null ? await namedOfRecall(tx, recallId, row, input) : input.serial_numbers;
    const quantity = input.quantity ?? (row.lot_id === null ? (named?.length ?? 0) : there);
    if (quantity === 0 || quantity > free + reserved)
      throw InsufficientStock({ bin: row.bin_code, available: free + reserved, requested: quantity });
    const { item_id, lot } = row;
    const serials = await leavingSerials(tx, { item_id, quantity, lot }, named);
    const released = Math.max(0, quantity - free);
    await changeRows(tx, transfers, noIncrease(tx), [{ inventoryId: inventory_id, onHand: -quantity, released }]);
    const [made] = await recordAdjustments(tx, "RECALL_DESTROYED", [takenOff(row, quantity, reason, serials)], by);
    const { bin_code, bin_id, lot_id, warehouse_id } = row;
    if (lot_id !== null)
      await tx.run(
        "insert into recall_destructions (adjustment_id, recall_id, lot_id, quantity) values ($1, $2, $3, $4)",
        [made?.adjustment_id, recallId, lot_id, quantity],
      );
    tx.audit({
      ...entryOf(recallId, { inventory_id, bin_id, bin_code, lot_id, quantity, reason }),
      ...{ action: "RECALL_DESTROY", warehouseId: warehouse_id },
    });
    return recallState(tx, recallId);
  });
}

/** The serials that are destroyed where the recall is of serials: each unit is named, and is on it. */
async function namedOfRecall(
  tx: Tx,
  recallId: number,
  { item_id, sku }: z.infer<typeof Row>,
  { quantity, serial_numbers }: Destruction,
): Promise<string[]> {
  const serials = serialsIn(serial_numbers ?? [], sku);
  if (serials.length === 0 || (quantity ?? serials.length) !== serials.length)
    throw SerialsRequired({ sku, given: serials.length, quantity: quantity ?? 1 });
  const known = await tx.rows(
    { serial_number: text },
    `select serial_number from recall_serials join serials using (serial_id)
     where recall_id = $1 and item_id = $2 and serial_number = any($3)`,
    [recallId, item_id, serials],
  );
  const stranger = serials.find((serial) => known.every(({ serial_number }) => serial_number !== serial));
  if (stranger !== undefined) throw SerialNotOnRecall({ serial: stranger, sku });
  return serial_numbers ?? [];
}
