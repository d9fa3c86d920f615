import { CarriesMoreThanTask } from "../../../src/picking/replenishment/problems.js";
import type { Carried, CarriedDone, ReplenishmentShort } from "../../../src/picking/replenishment/shapes.js";
import type { Actor } from "../../../src/platform/actor.js";
import { checkScans } from "../../../src/platform/barcodes/match.js";
import { int } from "../../../src/platform/db/columns.js";
import { command, type Tx } from "../../command.js";
import { countBin } from "../../counting/insert.js";
import { lockBinOfCounts } from "../../counting/lock.js";
import { lockItems } from "../../stock/stock.js";
import { moveLot } from "../../stock/transfers.js";
import { doubt } from "../doubt.js";
import { changed, lockTakenTask, shown } from "./take.js";

/**
 * Records that units of a task are in the pick face: a move with its event, on which units that orders have reserved go
 * first. With the last of them the task is done. A reserve bin that is empty then is put on the count list.
 *
 * Refusals: those of a move, 404 `replenishment_not_found`, 400 `carries_more_than_task`, 409
 * `replenishment_not_taken`, `replenishment_ended`.
 */
export function confirmReplenishment(input: Carried, by: Actor): Promise<CarriedDone> {
  return command("replenishment.confirm", by, input, async (tx) => {
    const { replenishment_id, quantity, scanned_barcode } = input;
    const task = await lockTakenTask(tx, replenishment_id, by);
    const { item_id, from_bin_id, to_bin_id, lot_number, warehouse_id } = task;
    const left = task.quantity - task.quantity_done;
    if (quantity > left) throw CarriesMoreThanTask({ left, quantity });
    await lockBinOfCounts(tx, from_bin_id);
    // Units without a lot may have labels that name one.
    if (lot_number === null) await checkScans(tx, [{ item_id, scanned_barcode }]);
    const scanned = lot_number === null ? undefined : scanned_barcode;
    const move = { item_id, from_bin_id, to_bin_id, quantity, lot_number, scanned_barcode: scanned };
    const { item, transfer, to } = await moveLot(tx, move, by, "REPLENISH");
    const status = quantity === left ? "DONE" : "TAKEN";
    await tx.run(
      `update replenishments set quantity_done = quantity_done + $2, status = $3, updated_at = now()
       where replenishment_id = $1`,
      [replenishment_id, quantity, status],
    );
    const { transfer_id } = transfer;
    tx.audit(changed(task, { quantity, movement_id: transfer_id, status: { old: task.status, new: status } }));
    const because = { reason: "emptied reserve", replenishment_id };
    const count = (await isEmpty(tx, from_bin_id))
      ? await countBin(tx, { warehouse_id, bin_id: from_bin_id }, because)
      : null;
    return {
      message: `Carried ${quantity} of ${item.sku} to ${to.bin_code}`,
      ...{ task: await shown(tx, replenishment_id), transfer_id, count_id: count?.count_id ?? null },
    };
  });
}

async function isEmpty(tx: Tx, binId: number): Promise<boolean> {
  const stock = await tx.row(
    { units: int },
    "select coalesce(sum(quantity_on_hand), 0) as units from inventory where bin_id = $1",
    [binId],
  );
  return stock?.units === 0;
}

/**
 * Records that the reserve bin has no more units: what the books still have in the stock row is in doubt, as after a
 * short pick, and the bin is put on the count list. The task ends; the next look takes others from elsewhere.
 *
 * Refusals: 404 `replenishment_not_found`, 409 `replenishment_not_taken`, `replenishment_ended`.
 */
export function reportShortReplenishment(replenishment_id: number, by: Actor): Promise<ReplenishmentShort> {
  return command("replenishment.short", by, { replenishment_id }, async (tx) => {
    const task = await lockTakenTask(tx, replenishment_id, by);
    await lockBinOfCounts(tx, task.from_bin_id);
    const rows = await lockItems(tx, task.warehouse_id, [task.item_id]);
    await tx.run("update replenishments set status = 'SHORT', updated_at = now() where replenishment_id = $1", [
      replenishment_id,
    ]);
    const missing = task.quantity - task.quantity_done;
    tx.audit(changed(task, { missing, status: { old: task.status, new: "SHORT" } }));
    const { warehouse_id, from_bin_id: bin_id, lot_number } = task;
    const row = rows.find((one) => one.bin_id === bin_id && one.lot_number === lot_number);
    const because = { reason: "short replenishment", replenishment_id };
    const place = row && { warehouse_id, bin_id, inventory_id: row.inventory_id };
    const count_id = place ? await doubt(tx, place, because) : null;
    return { message: "Shortage recorded", task: await shown(tx, replenishment_id), count_id };
  });
}
