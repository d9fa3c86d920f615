import type { Sql } from "../../src/db/db.js";
import { UnknownItem, UnknownWarehouse } from "../../src/purchasing/reference-problems.js";

/** Checks that the warehouse and the items of a new order exist; an unknown one is a 400 that names it. */
export async function checkReferences(tx: Sql, warehouseId: number, lines: { item_id: number }[]): Promise<void> {
  const [warehouses, items] = await Promise.all([
    lockWarehouses(tx, [warehouseId]),
    tx.rows<{ item_id: number }>("select item_id from items where item_id = any($1) order by item_id for key share", [
      lines.map((line) => line.item_id),
    ]),
  ]);
  if (!warehouses.has(warehouseId)) throw UnknownWarehouse({ warehouse_id: warehouseId });
  const known = new Set(items.map((item) => item.item_id));
  const unknown = lines.find((line) => !known.has(line.item_id));
  if (unknown) throw UnknownItem({ item_id: unknown.item_id });
}

/** Those of these warehouses that exist, locked against deletion until the transaction ends. */
export async function lockWarehouses(tx: Sql, ids: number[]): Promise<Set<number>> {
  const locked = await tx.rows<{ warehouse_id: number }>(
    "select warehouse_id from warehouses where warehouse_id = any($1) order by warehouse_id for key share",
    [ids],
  );
  return new Set(locked.map((warehouse) => warehouse.warehouse_id));
}
