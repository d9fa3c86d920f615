import type { Actor } from "../../src/actor.js";
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
import { isFulfilled } from "../../src/sales-orders/reversion.js";
import { command, type Tx } from "../command.js";
import { confirmPicked } from "../picking/confirm-picked.js";
import { releaseReservations, reserveLines } from "../reservations.js";
import { lockItems } from "../stock.js";
import { type DeskPick, takeAtDesk } from "./desk-batch.js";
import { type ActionOrder, lockOrder } from "./orders-with-picks.js";

export interface AdminPicks {
  so_id: number;
  lines: { so_line_id: number; bin_id: number; quantity: number }[];
}

export interface AdminPicked {
  message: string;
  batch_id: number;
  batch_number: string;
  pick_task_ids: number[];
  picks_applied: number;
  promoted_to_picked: boolean;
}

/**
 * Picks an OPEN order from the desk, all of what is sent or nothing (spec 3.1, reference 03 §4, 07 §5). What the order has
 * reserved counts as available to it: its reservations give way, and come again for what is still to be picked.
 */
export function adminPick(input: AdminPicks, by: Actor): Promise<AdminPicked> {
  return command("sales-orders.adminPick", by, input, async (tx) => {
    const order = await lockOrder(tx, input.so_id, by, PickOrderNotFound);
    await refuseUnpickable(tx, order);
    if (input.lines.length === 0) throw PickEmpty();
    const lines = await linesOf(tx, order.so_id);
    const picks = await checkPicks(tx, order, lines, input.lines);

    const itemIds = [...new Set(picks.map((pick) => pick.item_id))];
    await lockItems(tx, order.warehouse_id, itemIds);
    const touched = lines.filter((line) => itemIds.includes(line.item_id));
    await releaseReservations(
      tx,
      touched.map((line) => line.so_line_id),
    );
    const batch = await takeAtDesk(tx, order, picks, by);
    await reserveLines(tx, order.warehouse_id, stillReserved(touched, picks));

    const promoted_to_picked = lines.every(
      (line) =>
        line.quantity_picked + unitsOf(picks, line) >= line.quantity_ordered,
    );
    if (promoted_to_picked) {
      await tx.run(
        "update sales_orders set status = 'PICKED', picked_at = now() where so_id = $1",
        [order.so_id],
      );
      await confirmPicked(tx, [order], by);
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
  if (status !== "OPEN")
    throw PickNotOpen({ so_number, status }, { current_status: status });
  const batch = await tx.row<{ batch_id: number; batch_number: string }>(
    "select batch_id, batch_number from pick_batch_orders join pick_batches using (batch_id) where so_id = $1 and active",
    [so_id],
  );
  if (batch)
    throw PickInBatch(
      { so_number, batch_number: batch.batch_number },
      { batch_id: batch.batch_id },
    );
}

interface Line {
  so_line_id: number;
  item_id: number;
  sku: string;
  quantity_ordered: number;
  quantity_allocated: number;
  quantity_picked: number;
}

const linesOf = (tx: Tx, soId: number) =>
  tx.rows<Line>(
    `select so_line_id, item_id, sku, quantity_ordered, quantity_allocated, quantity_picked
     from sales_order_lines join items using (item_id) where so_id = $1 order by line_number, so_line_id`,
    [soId],
  );

const unitsOf = (
  picks: { so_line_id: number; quantity: number }[],
  { so_line_id }: Line,
) =>
  picks
    .filter((pick) => pick.so_line_id === so_line_id)
    .reduce((sum, pick) => sum + pick.quantity, 0);

/** What is sent, each pick with its item and its bin; refused when it is not of this order, too much, or not from this warehouse. */
async function checkPicks(
  tx: Tx,
  { so_number, warehouse_id }: ActionOrder,
  lines: Line[],
  sent: AdminPicks["lines"],
): Promise<DeskPick[]> {
  const lineOf = new Map(lines.map((line) => [line.so_line_id, line]));
  const missing = sent
    .map((pick) => pick.so_line_id)
    .filter((id) => !lineOf.has(id));
  if (missing.length > 0)
    throw LineNotOnOrder(
      { so_number, missing: missing.join(", ") },
      { missing_line_ids: [...new Set(missing)] },
    );
  for (const line of lines) {
    const { so_line_id, sku } = line;
    const requested = unitsOf(sent, line);
    const remaining = line.quantity_ordered - line.quantity_picked;
    if (requested > remaining)
      throw OverPick(
        { sku, remaining, requested },
        { so_line_id, requested, remaining },
      );
  }
  const bins = await tx.rows<{
    bin_id: number;
    bin_code: string;
    warehouse_id: number;
  }>("select bin_id, bin_code, warehouse_id from bins where bin_id = any($1)", [
    sent.map((pick) => pick.bin_id),
  ]);
  return sent.map((pick) => {
    const { bin_id } = pick;
    const bin = bins.find((one) => one.bin_id === bin_id);
    if (!bin) throw PickBinNotFound({ bin_id }, { bin_id });
    if (bin.warehouse_id !== warehouse_id)
      throw PickBinElsewhere({ bin: bin.bin_code }, { bin_id });
    const { item_id, sku } = lineOf.get(pick.so_line_id) as Line;
    return { ...pick, item_id, sku, bin_code: bin.bin_code };
  });
}

/** What the lines had reserved beyond what is picked now. */
const stillReserved = (lines: Line[], picks: DeskPick[]) =>
  lines.map((line) => ({
    so_line_id: line.so_line_id,
    item_id: line.item_id,
    quantity: Math.max(
      0,
      line.quantity_allocated - line.quantity_picked - unitsOf(picks, line),
    ),
  }));
