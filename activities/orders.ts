import type { Sql } from "../src/db.js";
import { UnknownItem, UnknownWarehouse } from "../src/orders/problems.js";

/** Makes sure that what a new order names is there; an unknown warehouse or item is a 400 that names it. */
export async function checkReferences(
  tx: Sql,
  warehouseId: number,
  lines: { item_id: number }[],
): Promise<void> {
  const [warehouses, items] = await Promise.all([
    holdWarehouses(tx, [warehouseId]),
    tx.rows<{ item_id: number }>(
      "select item_id from items where item_id = any($1) order by item_id for key share",
      [lines.map((line) => line.item_id)],
    ),
  ]);
  if (!warehouses.has(warehouseId))
    throw UnknownWarehouse({ warehouse_id: warehouseId });
  const known = new Set(items.map((item) => item.item_id));
  const unknown = lines.find((line) => !known.has(line.item_id));
  if (unknown) throw UnknownItem({ item_id: unknown.item_id });
}

/** Which of these warehouses there are; they stay until the transaction ends. */
export async function holdWarehouses(
  tx: Sql,
  ids: number[],
): Promise<Set<number>> {
  const held = await tx.rows<{ warehouse_id: number }>(
    "select warehouse_id from warehouses where warehouse_id = any($1) order by warehouse_id for key share",
    [ids],
  );
  return new Set(held.map((warehouse) => warehouse.warehouse_id));
}
