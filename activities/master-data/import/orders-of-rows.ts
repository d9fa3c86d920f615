import { type Actor, mayUseWarehouse } from "../../../src/actor.js";
import type { Sql } from "../../../src/db/db.js";
import type { RowError } from "../../../src/master-data/import/shapes.js";
import { lockWarehouses } from "../../purchasing/references.js";
import type { ImportOptions } from "./importer.js";

/** A row of the file: one line of an order, with the order's number in each row. */
interface OrderRow {
  row: number;
  sku: string;
  quantity: number;
  warehouse_id?: number | undefined;
}

/** The rows of one order number. The fields of the order itself are those of the first row. */
export interface OrderOfRows<R> {
  first: R;
  rows: number[];
  warehouse_id: number;
  lines: { item_id: number; quantity_ordered: number }[];
}

/** Groups the rows by order number; a row that cannot be a line is rejected by itself. */
export async function groupIntoOrders<R extends OrderRow>(
  tx: Sql,
  rows: R[],
  numberOf: (row: R) => string,
  options: ImportOptions,
  by: Actor,
): Promise<{ orders: OrderOfRows<R>[]; refused: RowError[] }> {
  const warehouseOf = (row: R) => row.warehouse_id ?? options.warehouseId;
  const warehouses = await lockWarehouses(
    tx,
    rows.flatMap((row) => warehouseOf(row) ?? []),
  );
  const items = await lockItems(
    tx,
    rows.map((row) => row.sku),
  );
  const orders = new Map<string, OrderOfRows<R>>();
  const refused: RowError[] = [];
  for (const row of rows) {
    const number = numberOf(row);
    const warehouse_id = warehouseOf(row);
    const item_id = items.get(row.sku);
    const order = orders.get(number);
    const refuse = (error: string) => refused.push({ row: row.row, error });
    if (!warehouse_id) refuse("warehouse_id: required");
    else if (!mayUseWarehouse(by, warehouse_id)) refuse("Access denied for this warehouse");
    else if (!warehouses.has(warehouse_id)) refuse(`Warehouse ${warehouse_id} not found`);
    else if (!item_id) refuse(`Item ${row.sku} not found`);
    else if (order && order.warehouse_id !== warehouse_id) {
      refuse(`Other rows of ${number} are for warehouse ${order.warehouse_id}`);
    } else {
      const line = { item_id, quantity_ordered: row.quantity };
      if (order) {
        order.rows.push(row.row);
        order.lines.push(line);
      } else {
        orders.set(number, {
          first: row,
          rows: [row.row],
          warehouse_id,
          lines: [line],
        });
      }
    }
  }
  return { orders: [...orders.values()], refused };
}

/** The item ids of these SKUs; the items are locked against deletion until the transaction ends. */
async function lockItems(tx: Sql, skus: string[]): Promise<Map<string, number>> {
  const items = await tx.rows<{ sku: string; item_id: number }>(
    "select sku, item_id from items where sku = any($1) order by item_id for key share",
    [skus],
  );
  return new Map(items.map((item) => [item.sku, item.item_id]));
}
