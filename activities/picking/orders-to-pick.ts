import { z } from "zod";
import { LineToPick } from "../../src/picking/plan.js";
import { int, text } from "../../src/platform/db/columns.js";
import { HoldReason } from "../../src/sales-orders/holds.js";
import { OrderType } from "../../src/sales-orders/shapes.js";
import type { Tx } from "../command.js";

/** What a batch is made of: the orders, and what of them is to be picked. */

const Order = z.strictObject({
  so_id: int,
  so_number: text,
  warehouse_id: int,
  status: text,
  order_type: OrderType,
  hold_reason: HoldReason.nullable(),
});
export type Order = z.infer<typeof Order>;

/** Locks, in id order, the requested orders and those of the earlier batches. */
export function lockOrders(tx: Tx, soIds: number[], earlier: number[]): Promise<Order[]> {
  return tx.rows(
    Order,
    `select so_id, so_number, warehouse_id, status, order_type, hold_reason from sales_orders
     where so_id = any(array(select unnest($1::int[])
       union select so_id from pick_batch_orders where batch_id = any($2))) order by so_id for update`,
    [soIds, earlier],
  );
}

const BatchLink = z.strictObject({ so_id: int, batch_id: int });
export type BatchLink = z.infer<typeof BatchLink>;

/** The active batches that the orders are in, except those that will be released. */
export const otherBatches = (tx: Tx, soIds: number[], earlier: number[]) =>
  tx.rows(
    BatchLink,
    "select so_id, batch_id from pick_batch_orders where so_id = any($1) and active and batch_id <> all($2)",
    [soIds, earlier],
  );

/** The items of the orders and of the batches that will be released. All their stock is locked in one statement. */
export async function itemsOf(tx: Tx, soIds: number[], earlier: number[]): Promise<number[]> {
  const rows = await tx.rows(
    { item_id: int },
    `select item_id from sales_order_lines where so_id = any($1)
     union select item_id from pick_tasks where batch_id = any($2)`,
    [soIds, earlier],
  );
  return rows.map((row) => row.item_id);
}

export function linesToPick(tx: Tx, soIds: number[]): Promise<LineToPick[]> {
  return tx.rows(
    LineToPick,
    `select so_id, so_number, so_line_id, item_id, sku, item_name, quantity_ordered - quantity_picked as needed,
            sales_orders.min_days_at_shipping
     from sales_order_lines join sales_orders using (so_id) join items using (item_id)
     where so_id = any($1) and quantity_ordered > quantity_picked order by so_id, so_line_id`,
    [soIds],
  );
}
