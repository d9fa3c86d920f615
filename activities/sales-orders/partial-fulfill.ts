import type { Actor } from "../../src/platform/actor.js";
import {
  DividedInBatch,
  NotDivisible,
  NotDivisibleNow,
  ShortOrderNotFound,
} from "../../src/sales-orders/backorder-problems.js";
import type { PartialFulfilment, PartiallyFulfilled, ShrinkLine } from "../../src/sales-orders/backorder-shapes.js";
import { isFulfilled } from "../../src/sales-orders/fulfilment.js";
import { mayEditFully } from "../../src/sales-orders/full-edit.js";
import { EditForbidden } from "../../src/sales-orders/problems.js";
import { command, type Tx } from "../command.js";
import { emitPickConfirmed } from "../picking/confirm-picked.js";
import { expectLacking, type StockIncrease } from "../stock/backorders.js";
import { lockItems } from "../stock/stock.js";
import { cutsOf, itemsOf, linesOf, type OrderLine, shrinkLines } from "./cuts.js";
import { openBackorder } from "./open-backorder.js";
import { type ActionOrder, activeBatchOf, lockWithWaiting } from "./orders-with-picks.js";
import { takeShortStock } from "./short-stock.js";

/**
 * Splits an order that cannot be filled whole (docs/interface.md, Backorders): its lines are reduced by the short
 * units, which become a backorder that waits for stock. Units that a picker did not find are taken off the books; other
 * units only where the caller says so of their line. If enough is free after all, the backorder is opened at once. When
 * all that remains of an OPEN order is picked, it becomes PICKED, with `pick.confirmed`. Audit SO_PARTIALLY_FULFILLED.
 */
export function partialFulfill(input: PartialFulfilment & { so_id: number }, by: Actor): Promise<PartiallyFulfilled> {
  return command("sales-orders.partialFulfill", by, input, async (tx) => {
    const { so_id } = input;
    const lineIds = input.lines.map((line) => line.so_line_id);
    const { order, increase } = await lockWithWaiting(tx, { so_id, lineIds }, by, ShortOrderNotFound);
    return divide(tx, order, increase, input, by);
  });
}

/** The same for an order that is locked with the stock that its lines hold. */
export async function divide(
  tx: Tx,
  order: ActionOrder,
  increase: StockIncrease,
  { lines: sent, reason_detail }: PartialFulfilment,
  by: Actor,
): Promise<PartiallyFulfilled> {
  const { so_id } = order;
  await refuseUndivided(tx, order, by);
  const lineIds = sent.map((line) => line.so_line_id);
  await lockItems(tx, order.warehouse_id, await itemsOf(tx, so_id, lineIds));
  const lines = await linesOf(tx, so_id);
  const cuts = cutsOf(order, lines, sent);

  const removed = await takeShortStock(
    tx,
    increase,
    order.warehouse_id,
    cuts.map(({ line, ...cut }) => ({
      ...cut,
      excess: Math.max(0, line.quantity_allocated - cut.ordered_after),
      write_off: sent.some((one) => one.so_line_id === cut.so_line_id && one.write_off),
    })),
    reason_detail || null,
    by,
  );
  const shrink_summary = cuts.map(({ line: _line, ...cut }) => ({
    ...cut,
    adjustment_qty: removed.get(cut.so_line_id) ?? 0,
  }));
  await shrinkLines(tx, shrink_summary);
  const backorder_so = await openBackorder(
    tx,
    order,
    cuts.map(({ line: { properties }, ...cut }) => ({ ...cut, properties })),
    by,
  );
  expectLacking(tx, [backorder_so.so_id]);
  const status = await promote(tx, order, lines, shrink_summary, by);
  const { so_number } = order;
  tx.audit({
    action: "SO_PARTIALLY_FULFILLED",
    entity: "SO",
    entityId: so_id,
    warehouseId: order.warehouse_id,
    details: {
      so_number,
      backorder_so_id: backorder_so.so_id,
      backorder_so_number: backorder_so.so_number,
      reason: reason_detail || null,
      lines: shrink_summary.map(({ so_line_id, sku, ordered_before, short_qty, ordered_after, adjustment_qty }) => ({
        ...{ so_line_id, sku, ordered_before, short_qty, ordered_after, adjustment_qty },
      })),
    },
  });
  return { original_so: { so_id, so_number, status }, backorder_so, shrink_summary };
}

/** A PICKED order may be split by users who may edit orders that are no longer OPEN. */
async function refuseUndivided(tx: Tx, order: ActionOrder, by: Actor): Promise<void> {
  const { so_id, so_number, status, order_type } = order;
  if (!isFulfilled(order_type) || order_type === "backorder") throw NotDivisible({ so_number, order_type });
  if (status !== "OPEN" && status !== "PICKED")
    throw NotDivisibleNow({ so_number, status }, { current_status: status });
  if (status === "PICKED" && !(await mayEditFully(tx, by)))
    throw EditForbidden({ so_number, status }, { current_status: status });
  const batch = await activeBatchOf(tx, so_id);
  if (batch) throw DividedInBatch({ so_number, batch_number: batch.batch_number }, { batch_id: batch.batch_id });
}

/** Makes an OPEN order PICKED when everything that remains of it is picked; returns its status. */
async function promote(
  tx: Tx,
  order: ActionOrder,
  lines: OrderLine[],
  cuts: ShrinkLine[],
  by: Actor,
): Promise<ActionOrder["status"]> {
  const cut = new Map(cuts.map((one) => [one.so_line_id, one.short_qty]));
  const isPicked = ({ so_line_id, quantity_ordered, quantity_picked }: OrderLine) =>
    quantity_picked >= quantity_ordered - (cut.get(so_line_id) ?? 0);
  if (order.status !== "OPEN" || !lines.every(isPicked)) return order.status;
  await tx.run(
    "update sales_orders set status = 'PICKED', picked_at = now(), updated_at = clock_timestamp() where so_id = $1",
    [order.so_id],
  );
  await emitPickConfirmed(tx, [order], by);
  return "PICKED";
}
