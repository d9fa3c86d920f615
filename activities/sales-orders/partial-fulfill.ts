import type { Actor } from "../../src/actor.js";
import {
  DividedInBatch,
  NotDivisible,
  NotDivisibleNow,
  NothingLeft,
  OverShort,
  ShortLineNotOnOrder,
  ShortOrderNotFound,
} from "../../src/sales-orders/backorder-problems.js";
import type { PartialFulfilment, PartiallyFulfilled, ShrinkLine } from "../../src/sales-orders/backorder-shapes.js";
import { EditForbidden } from "../../src/sales-orders/edit-problems.js";
import { isFulfilled } from "../../src/sales-orders/fulfilment.js";
import { mayEditFully } from "../../src/sales-orders/full-edit.js";
import type { LineProperties } from "../../src/sales-orders/properties.js";
import { command, type Tx } from "../command.js";
import { emitPickConfirmed } from "../picking/confirm-picked.js";
import { expectLacking } from "../stock/backorders.js";
import { lockItems } from "../stock/stock.js";
import { removeFromEndedTasks } from "./lines.js";
import { openBackorder } from "./open-backorder.js";
import { type ActionOrder, activeBatchOf, lockWithWaiting } from "./orders-with-picks.js";
import { takeShortStock } from "./short-stock.js";

/**
 * Divides an order that cannot be filled whole (reference 07 §6, decisions 11 and 12): its lines are cut by what is
 * short, which becomes a backorder that waits for stock; units that the books still have are adjusted away. If
 * enough is free all the same, it is opened at once. When all that is left of an OPEN order is picked, it is PICKED,
 * with `pick.confirmed`. Audit SO_PARTIALLY_FULFILLED.
 */
export function partialFulfill(input: PartialFulfilment & { so_id: number }, by: Actor): Promise<PartiallyFulfilled> {
  return command("sales-orders.partialFulfill", by, input, async (tx) => {
    const { so_id, reason_detail } = input;
    const lineIds = input.lines.map((line) => line.so_line_id);
    const { order, increase } = await lockWithWaiting(tx, { so_id, lineIds }, by, ShortOrderNotFound);
    await refuseUndivided(tx, order, by);
    await lockItems(tx, order.warehouse_id, await itemsOf(tx, so_id, lineIds));
    const lines = await linesOf(tx, so_id);
    const cuts = cutsOf(order, lines, input.lines);

    const removed = await takeShortStock(
      tx,
      increase,
      order.warehouse_id,
      cuts.map(({ line, ...cut }) => ({ ...cut, excess: Math.max(0, line.quantity_allocated - cut.ordered_after) })),
      reason_detail || null,
      by,
    );
    const shrink_summary = cuts.map(({ line: _, ...cut }) => ({
      ...cut,
      adjustment_qty: removed.get(cut.so_line_id) ?? 0,
    }));
    await shrinkLines(tx, shrink_summary);
    const backorder_so = await openBackorder(
      tx,
      order,
      shrink_summary.map((cut, i) => ({ ...cut, properties: (cuts[i] as Cut).line.properties })),
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
  });
}

/** A PICKED order is divided by who may edit orders that are no longer OPEN. */
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

async function itemsOf(tx: Tx, soId: number, lineIds: number[]): Promise<number[]> {
  const items = await tx.rows<{ item_id: number }>(
    "select distinct item_id from sales_order_lines where so_id = $1 and so_line_id = any($2)",
    [soId, lineIds],
  );
  return items.map((item) => item.item_id);
}

interface Line {
  so_line_id: number;
  item_id: number;
  item_external_id: string;
  sku: string;
  item_name: string;
  line_number: number;
  quantity_ordered: number;
  quantity_allocated: number;
  quantity_picked: number;
  properties: LineProperties;
}

const linesOf = (tx: Tx, soId: number) =>
  tx.rows<Line>(
    `select so_line_id, item_id, i.external_id as item_external_id, sku, item_name, line_number, quantity_ordered,
            quantity_allocated, quantity_picked, properties
     from sales_order_lines join items i using (item_id) where so_id = $1 order by line_number, so_line_id`,
    [soId],
  );

type Cut = Omit<ShrinkLine, "adjustment_qty"> & { line: Line };

/** What is cut of each named line. Throws when a line is not on the order, or too much of it is short. */
function cutsOf({ so_number }: ActionOrder, lines: Line[], sent: PartialFulfilment["lines"]): Cut[] {
  const known = new Set(lines.map((line) => line.so_line_id));
  const missing = [...new Set(sent.map((cut) => cut.so_line_id).filter((id) => !known.has(id)))];
  if (missing.length > 0)
    throw ShortLineNotOnOrder({ so_number, missing: missing.join(", ") }, { missing_line_ids: missing });
  const cuts = lines.flatMap((line) => {
    const { so_line_id, item_id, item_external_id, sku, item_name, line_number } = line;
    const short_qty = unitsOf(sent, so_line_id);
    if (short_qty === 0) return [];
    const remaining = line.quantity_ordered - line.quantity_picked;
    if (short_qty > remaining)
      throw OverShort({ sku, remaining, requested: short_qty }, { so_line_id, requested: short_qty, remaining });
    const ordered_after = line.quantity_ordered - short_qty;
    return [
      {
        ...{ so_line_id, item_id, sku, item_name, item_external_id, line_number },
        ...{ ordered_before: line.quantity_ordered, short_qty, ordered_after, line_deleted: ordered_after === 0 },
        line,
      },
    ];
  });
  const ordered = lines.reduce((sum, line) => sum + line.quantity_ordered, 0);
  if (ordered === cuts.reduce((sum, cut) => sum + cut.short_qty, 0)) throw NothingLeft({ so_number });
  return cuts;
}

const unitsOf = (sent: PartialFulfilment["lines"], soLineId: number) =>
  sent.filter((cut) => cut.so_line_id === soLineId).reduce((sum, cut) => sum + cut.short_qty, 0);

/** Lowers what the lines ask for; those of which nothing is left are deleted. */
async function shrinkLines(tx: Tx, cuts: ShrinkLine[]): Promise<void> {
  const gone = cuts.filter((cut) => cut.line_deleted).map((cut) => cut.so_line_id);
  if (gone.length > 0) await removeFromEndedTasks(tx, gone);
  await tx.run("delete from sales_order_lines where so_line_id = any($1)", [gone]);
  await tx.run(
    `update sales_order_lines l
     set quantity_ordered = c.units,
         status = case when l.status = 'PENDING' and quantity_picked >= c.units then 'PICKED' else l.status end
     from unnest($1::int[], $2::int[]) as c(so_line_id, units) where l.so_line_id = c.so_line_id`,
    [cuts.map((cut) => cut.so_line_id), cuts.map((cut) => cut.ordered_after)],
  );
}

/** Makes an OPEN order PICKED when all that is left of it is picked; returns its status. */
async function promote(
  tx: Tx,
  order: ActionOrder,
  lines: Line[],
  cuts: ShrinkLine[],
  by: Actor,
): Promise<ActionOrder["status"]> {
  const cut = new Map(cuts.map((one) => [one.so_line_id, one.short_qty]));
  const isPicked = ({ so_line_id, quantity_ordered, quantity_picked }: Line) =>
    quantity_picked >= quantity_ordered - (cut.get(so_line_id) ?? 0);
  if (order.status !== "OPEN" || !lines.every(isPicked)) return order.status;
  await tx.run(
    "update sales_orders set status = 'PICKED', picked_at = now(), updated_at = clock_timestamp() where so_id = $1",
    [order.so_id],
  );
  await emitPickConfirmed(tx, [order], by);
  return "PICKED";
}
