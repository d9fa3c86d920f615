import type { RowError } from "../../src/imports/shapes.js";
import { type Actor, mayUseWarehouse } from "../../src/platform/actor.js";
import { bool, int, text } from "../../src/platform/db/columns.js";
import type { Sql } from "../../src/platform/db/db.js";
import type { LineProperties } from "../../src/sales-orders/properties.js";
import { inactiveAmong, lockWarehouses } from "../master-data/references.js";
import type { ImportOptions } from "./importer.js";

/** A row of the file: one line of an order, with the order's number in each row. */
interface OrderRow {
  row: number;
  sku: string;
  quantity: number;
  warehouse_id?: number | undefined;
  properties?: LineProperties | undefined;
}

/** The rows of one order number. The fields of the order itself are those of the first row. */
export interface OrderOfRows<R> {
  first: R;
  rows: number[];
  warehouse_id: number;
  lines: { item_id: number; quantity_ordered: number; properties?: LineProperties }[];
}

/**
 * Groups the rows by order number. A row that cannot be a line is rejected by itself; for orders of items that are
 * sold, so is one whose item is not active.
 */
export async function groupIntoOrders<R extends OrderRow>(
  tx: Sql,
  rows: R[],
  numberOf: (row: R) => string,
  options: ImportOptions & { sold: boolean },
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
    const warehouse = warehouse_id === undefined ? undefined : warehouses.get(warehouse_id);
    const item = items.get(row.sku);
    const order = orders.get(number);
    const inactive = options.sold && warehouse && item && inactiveAmong(warehouse, [item]);
    const refuse = (error: string) => refused.push({ row: row.row, error });
    if (!warehouse_id) refuse("warehouse_id: required");
    else if (!mayUseWarehouse(by, warehouse_id)) refuse("Access denied for this warehouse");
    else if (!warehouse) refuse(`Warehouse ${warehouse_id} not found`);
    else if (!item) refuse(`Item ${row.sku} not found`);
    else if (inactive) refuse(inactive.message);
    else if (order && order.warehouse_id !== warehouse_id) {
      refuse(`Other rows of ${number} are for warehouse ${order.warehouse_id}`);
    } else {
      const { quantity: quantity_ordered, properties } = row;
      const line = { item_id: item.item_id, quantity_ordered, ...(properties && { properties }) };
      if (order) {
        order.rows.push(row.row);
        order.lines.push(line);
      } else {
        orders.set(number, { first: row, rows: [row.row], warehouse_id, lines: [line] });
      }
    }
  }
  return { orders: [...orders.values()], refused };
}

/** The items with these SKUs, locked against deletion until the transaction ends. */
async function lockItems(tx: Sql, skus: string[]) {
  const items = await tx.rows(
    { sku: text, item_id: int, is_active: bool },
    "select sku, item_id, is_active from items where sku = any($1) order by item_id for key share",
    [skus],
  );
  return new Map(items.map((item) => [item.sku, item]));
}
