import { ItemInactive, UnknownItem } from "../../src/master-data/problems.js";
import type { Actor } from "../../src/platform/actor.js";
import { bool, text } from "../../src/platform/db/columns.js";
import {
  AddedLine,
  type ChangedLine,
  type DeletedLine,
  type LineEdit,
  type NewSalesOrderLine,
} from "../../src/sales-orders/edit-shapes.js";
import { isFulfilled } from "../../src/sales-orders/fulfilment.js";
import { checkEditable, refuseFixedLines } from "../../src/sales-orders/full-edit.js";
import {
  BelowProgress,
  ItemOnOrder,
  LineHasProgress,
  OrderClosed,
  SoNotFound,
} from "../../src/sales-orders/problems.js";
import { command, type Tx } from "../command.js";
import { expectLacking } from "../stock/backorders.js";
import { releaseUnits } from "../stock/reservations.js";
import { auditChange } from "./changes.js";
import { type LineKey, lockLine, refuseWhileInBatch } from "./lock-line.js";
import { type ActionOrder, lockOrder } from "./orders-with-picks.js";

const closedStatuses = ["SHIPPED", "CANCELLED", "REFUNDED"];

/** Whether stock is reserved for an order: it is to be picked. */
const holdsStock = ({ status, order_type }: ActionOrder) =>
  isFulfilled(order_type) && (status === "OPEN" || status === "FRAUD_REVIEW");

const AddLineRow = AddedLine.omit({ sku: true });

/**
 * Adds an item to an order as its last line (docs/interface.md, Sales orders). In the answer nothing is reserved for it
 * yet.
 */
export function addLine(input: NewSalesOrderLine & { so_id: number }, by: Actor): Promise<AddedLine> {
  return command("sales-orders.addLine", by, input, async (tx) => {
    const { item_id, quantity_ordered } = input;
    const order = await lockOrder(tx, input.so_id, by, SoNotFound);
    await checkEditable(tx, order, by);
    refuseFixedLines(order);
    const { so_id, so_number, status } = order;
    if (closedStatuses.includes(status)) throw OrderClosed({ so_number, status });
    await refuseWhileInBatch(tx, order);
    const [item, listed] = await tx.inOrder([
      tx.row({ sku: text, is_active: bool }, "select sku, is_active from items where item_id = $1 for key share", [
        item_id,
      ]),
      tx.row({}, "select from sales_order_lines where so_id = $1 and item_id = $2 limit 1", [so_id, item_id]),
    ]);
    if (!item) throw UnknownItem({ item_id });
    const { sku } = item;
    if (listed) throw ItemOnOrder({ sku });
    if (!item.is_active) throw ItemInactive({ sku });
    const line = (await tx.row(
      AddLineRow,
      `insert into sales_order_lines (so_id, item_id, quantity_ordered, line_number)
       select $1, $2, $3, coalesce(max(line_number), 0) + 1 from sales_order_lines where so_id = $1
       returning so_line_id, so_id, item_id, quantity_ordered, quantity_allocated, quantity_picked, quantity_packed,
                 quantity_shipped, line_number`,
      [so_id, item_id, quantity_ordered],
    )) as Omit<AddedLine, "sku">;
    if (holdsStock(order)) expectLacking(tx, [so_id]);
    auditChange(tx, order, "UPDATE", {
      field: `line[${sku}]`,
      old_value: null,
      new_value: String(quantity_ordered),
      so_line_id: line.so_line_id,
      item_id,
    });
    return { ...line, sku };
  });
}

/**
 * Changes the ordered quantity of a line, not below what was picked, packed or shipped; nor, while the order is in a
 * batch, below what the batch will pick. Reserved units beyond the new quantity are released, and for an increase free
 * units are reserved.
 */
export function changeLine(input: LineKey & LineEdit, by: Actor): Promise<ChangedLine> {
  return command("sales-orders.changeLine", by, input, async (tx) => {
    const { quantity_ordered } = input;
    const { order, line, increase } = await lockLine(tx, input, by);
    refuseFixedLines(order);
    const { so_line_id, item_id, sku, done } = line;
    if (quantity_ordered < done) throw BelowProgress({ sku, done });
    const kept = line.quantity_picked + line.promised;
    if (quantity_ordered > line.quantity_ordered || quantity_ordered < kept) await refuseWhileInBatch(tx, order);
    const released_allocation = await releaseUnits(
      tx,
      increase,
      so_line_id,
      Math.max(0, line.quantity_allocated - quantity_ordered),
    );
    await tx.run("update sales_order_lines set quantity_ordered = $2 where so_line_id = $1", [
      so_line_id,
      quantity_ordered,
    ]);
    if (quantity_ordered > line.quantity_ordered && holdsStock(order)) expectLacking(tx, [order.so_id]);
    if (quantity_ordered !== line.quantity_ordered)
      auditChange(tx, order, "UPDATE", {
        field: `line[${sku}].quantity_ordered`,
        old_value: String(line.quantity_ordered),
        new_value: String(quantity_ordered),
        so_line_id,
        item_id,
      });
    return { so_line_id, quantity_ordered, released_allocation };
  });
}

/** Deletes a line of an order and its reservations; 400 when any of it was picked, packed or shipped. */
export function deleteLine(input: LineKey, by: Actor): Promise<DeletedLine> {
  return command("sales-orders.deleteLine", by, input, async (tx) => {
    const { order, line, increase } = await lockLine(tx, input, by);
    refuseFixedLines(order);
    const { so_line_id, item_id, sku } = line;
    if (line.done > 0) throw LineHasProgress({ sku });
    await refuseWhileInBatch(tx, order);
    const released_allocation = await releaseUnits(tx, increase, so_line_id, line.quantity_allocated);
    await removeFromEndedTasks(tx, [so_line_id]);
    await tx.run("delete from sales_order_lines where so_line_id = $1", [so_line_id]);
    auditChange(tx, order, "UPDATE", {
      field: `line[${sku}]`,
      old_value: String(line.quantity_ordered),
      new_value: null,
      so_line_id,
      item_id,
    });
    return { so_line_id, deleted: true, released_allocation };
  });
}

/** Removes the portions of lines from tasks of ended batches; the audit log keeps what was done. */
export async function removeFromEndedTasks(tx: Tx, soLineIds: number[]): Promise<void> {
  await tx.run(
    `with portions as (
       delete from wave_pick_breakdown where so_line_id = any($1) returning pick_task_id, quantity, quantity_picked
     ), removed as (
       select pick_task_id, sum(quantity) as quantity, sum(quantity_picked) as quantity_picked
       from portions group by pick_task_id
     ), reduced as (
       update pick_tasks t
       set quantity_to_pick = t.quantity_to_pick - r.quantity, quantity_picked = t.quantity_picked - r.quantity_picked
       from removed r where t.pick_task_id = r.pick_task_id and t.quantity_to_pick > r.quantity
     )
     delete from pick_tasks t using removed r
     where t.pick_task_id = r.pick_task_id and t.quantity_to_pick = r.quantity`,
    [soLineIds],
  );
}
