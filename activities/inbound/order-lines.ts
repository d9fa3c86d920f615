import { constraintViolation } from "../../src/inbound/problems.js";
import { isFulfilled } from "../../src/sales-orders/fulfilment.js";
import type { SalesOrder } from "../../src/sales-orders/shapes.js";
import type { Tx } from "../command.js";
import { inactiveAmong } from "../purchasing/references.js";
import { unitsOf } from "../sales-orders/create.js";
import { removeFromEndedTasks } from "../sales-orders/lines.js";
import { expectLacking } from "../stock/backorders.js";
import { type LineToReserve, reserveLines } from "../stock/reservations.js";
import type { OrderLine } from "./lines.js";

/** The lines of a sales order that a source sent. */

type Order = Pick<SalesOrder, "so_id" | "status" | "warehouse_id" | "order_type">;

/** Whether stock is reserved for the lines of an order. */
export const reservesStock = ({ status, order_type }: Order) =>
  isFulfilled(order_type) && (status === "OPEN" || status === "FRAUD_REVIEW");

/** Puts lines in the place of those that are there, which hold no stock. */
export async function replaceLines(tx: Tx, order: Order, lines: OrderLine[]): Promise<void> {
  const replaced = await tx.rows<{ so_line_id: number }>("select so_line_id from sales_order_lines where so_id = $1", [
    order.so_id,
  ]);
  await removeFromEndedTasks(
    tx,
    replaced.map((line) => line.so_line_id),
  );
  await tx.run("delete from sales_order_lines where so_id = $1", [order.so_id]);
  await writeLines(tx, order, lines);
}

/**
 * Inserts the lines of an order and reserves the available stock for them; 422 where it names something that is not
 * active.
 */
export async function writeLines(tx: Tx, order: Order, lines: OrderLine[]): Promise<void> {
  const sold = reservesStock(order);
  const [written] = await Promise.all([
    insertLines(tx, order, lines),
    sold &&
      refuseInactive(
        tx,
        order.warehouse_id,
        lines.map((line) => line.item_id),
      ),
  ]);
  if (!sold || lines.length === 0) return;
  const reserved = await reserveLines(tx, order.warehouse_id, written);
  if (reserved < unitsOf(written)) expectLacking(tx, [order.so_id]);
}

const insertLines = (tx: Tx, order: Order, lines: OrderLine[]) =>
  tx.rows<LineToReserve>(
    `insert into sales_order_lines (so_id, item_id, quantity_ordered, line_number)
     select $1, item_id, quantity_ordered, line_number from jsonb_populate_recordset(null::sales_order_lines, $2)
     returning so_line_id, item_id, quantity_ordered as quantity`,
    [order.so_id, JSON.stringify(lines)],
  );

/** Throws 422 where the warehouse, or one of the items, is not active. */
export async function refuseInactive(tx: Tx, warehouseId: number, itemIds: number[]): Promise<void> {
  const [warehouse, items] = await Promise.all([
    tx.row<{ warehouse_code: string; is_active: boolean }>(
      "select warehouse_code, is_active from warehouses where warehouse_id = $1",
      [warehouseId],
    ),
    tx.rows<{ sku: string; is_active: boolean }>("select sku, is_active from items where item_id = any($1)", [itemIds]),
  ]);
  const refused = warehouse && inactiveAmong(warehouse, items);
  if (refused) throw constraintViolation(refused.message);
}
