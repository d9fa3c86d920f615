import type { z } from "zod";
import { type Actor, binFor } from "../../src/platform/actor.js";
import { int, text } from "../../src/platform/db/columns.js";
import {
  LineNotOnOrder,
  NotEligible,
  OverPick,
  PickBinElsewhere,
  PickBinNotFound,
  PickEmpty,
  PickInBatch,
  PickNotOpen,
  PickOrderNotFound,
} from "../../src/sales-orders/action-problems.js";
import type { AdminPick, AdminPicked } from "../../src/sales-orders/action-shapes.js";
import { isFulfilled } from "../../src/sales-orders/fulfilment.js";
import { refuseHeld } from "../../src/sales-orders/holds.js";
import { command, type Tx } from "../command.js";
import { emitPickConfirmed } from "../picking/confirm-picked.js";
import { expectLacking } from "../stock/backorders.js";
import { releaseReservations, reserveLines } from "../stock/reservations.js";
import { lockItems } from "../stock/stock.js";
import { type BinPick, recordPicks } from "./admin-pick-batch.js";
import { unitsOf as unitsOfLines } from "./create.js";
import { LockedLine } from "./lock-line.js";
import { type ActionOrder, activeBatchOf, lockWithWaiting } from "./orders-with-picks.js";

/**
 * Picks an OPEN order without a wave, all the given picks or none (docs/interface.md, Sales orders). Units that are
 * reserved for the order are available to it: its reservations are released, and made again for the units that are
 * still to be picked.
 */
export function adminPick(input: AdminPick & { so_id: number }, by: Actor): Promise<AdminPicked> {
  return command("sales-orders.adminPick", by, input, async (tx) => {
    const { so_id } = input;
    const lineIds = input.lines.map((line) => line.so_line_id);
    const { order, increase } = await lockWithWaiting(tx, { so_id, lineIds }, by, PickOrderNotFound);
    await refuseUnpickable(tx, order);
    if (input.lines.length === 0) throw PickEmpty();
    const lines = await linesOf(tx, order.so_id);
    const picks = await checkPicks(tx, order, lines, input.lines, by);

    const itemIds = [...new Set(picks.map((pick) => pick.item_id))];
    await lockItems(tx, order.warehouse_id, itemIds);
    const touched = lines.filter((line) => itemIds.includes(line.item_id));
    await releaseReservations(
      tx,
      increase,
      touched.map((line) => line.so_line_id),
    );
    const batch = await recordPicks(tx, order, picks, by);
    const kept = stillReserved(touched, picks);
    if ((await reserveLines(tx, order, kept)) < unitsOfLines(kept)) expectLacking(tx, [so_id]);

    const promoted_to_picked = lines.every(
      (line) => line.quantity_picked + unitsOf(picks, line) >= line.quantity_ordered,
    );
    if (promoted_to_picked) {
      await tx.run(
        "update sales_orders set status = 'PICKED', picked_at = now(), updated_at = clock_timestamp() where so_id = $1",
        [order.so_id],
      );
      await emitPickConfirmed(tx, [order], by);
    }
    return {
      message: promoted_to_picked
        ? `${order.so_number} is picked`
        : `${order.so_number}: ${picks.length} pick(s) applied`,
      ...batch,
      picks_applied: picks.length,
      promoted_to_picked,
    };
  });
}

async function refuseUnpickable(tx: Tx, order: ActionOrder): Promise<void> {
  const { so_id, so_number, status, order_type } = order;
  if (!isFulfilled(order_type)) throw NotEligible({ so_number, order_type });
  refuseHeld(order);
  if (status !== "OPEN") throw PickNotOpen({ so_number, status }, { current_status: status });
  const batch = await activeBatchOf(tx, so_id);
  if (batch) throw PickInBatch({ so_number, batch_number: batch.batch_number }, { batch_id: batch.batch_id });
}

const Line = LockedLine.omit({ done: true, promised: true });
type Line = z.infer<typeof Line>;

const linesOf = (tx: Tx, soId: number) =>
  tx.rows(
    Line,
    `select so_line_id, item_id, sku, quantity_ordered, quantity_allocated, quantity_picked
     from sales_order_lines join items using (item_id) where so_id = $1 order by line_number, so_line_id`,
    [soId],
  );

const unitsOf = (picks: { so_line_id: number; quantity: number }[], { so_line_id }: Line) =>
  picks.filter((pick) => pick.so_line_id === so_line_id).reduce((sum, pick) => sum + pick.quantity, 0);

/**
 * The given picks, each with its item and bin. Throws when a line is not on the order, when more is picked than
 * remains, or when a bin is not in the order's warehouse.
 */
async function checkPicks(
  tx: Tx,
  { so_number, warehouse_id }: ActionOrder,
  lines: Line[],
  sent: AdminPick["lines"],
  by: Actor,
): Promise<BinPick[]> {
  const lineOf = new Map(lines.map((line) => [line.so_line_id, line]));
  const missing = sent.map((pick) => pick.so_line_id).filter((id) => !lineOf.has(id));
  if (missing.length > 0)
    throw LineNotOnOrder({ so_number, missing: missing.join(", ") }, { missing_line_ids: [...new Set(missing)] });
  for (const line of lines) {
    const { so_line_id, sku } = line;
    const requested = unitsOf(sent, line);
    const remaining = line.quantity_ordered - line.quantity_picked;
    if (requested > remaining) throw OverPick({ sku, remaining, requested }, { so_line_id, requested, remaining });
  }
  const bins = await tx.rows(
    { bin_id: int, bin_code: text, warehouse_id: int },
    "select bin_id, bin_code, warehouse_id from bins where bin_id = any($1)",
    [sent.map((pick) => pick.bin_id)],
  );
  return sent.map((pick) => {
    const { bin_id } = pick;
    const bin = bins.find((one) => one.bin_id === bin_id);
    if (!bin) throw PickBinNotFound({ bin_id }, { bin_id });
    if (bin.warehouse_id !== warehouse_id) throw PickBinElsewhere({ bin: binFor(by, bin, bin_id) }, { bin_id });
    const { item_id, sku } = lineOf.get(pick.so_line_id) as Line;
    return { ...pick, item_id, sku, bin_code: bin.bin_code };
  });
}

/** The units that the lines had reserved beyond those that are picked now. */
const stillReserved = (lines: Line[], picks: BinPick[]) =>
  lines.map((line) => ({
    so_line_id: line.so_line_id,
    item_id: line.item_id,
    quantity: Math.max(0, line.quantity_allocated - line.quantity_picked - unitsOf(picks, line)),
  }));
