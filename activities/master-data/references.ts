import { z } from "zod";
import { ItemInactive, UnknownItem, UnknownWarehouse, WarehouseInactive } from "../../src/master-data/problems.js";
import { bool, int, text } from "../../src/platform/db/columns.js";
import type { Sql, TxSql } from "../../src/platform/db/db.js";

const Item = z.strictObject({ item_id: int, sku: text, is_active: bool });
type Item = z.infer<typeof Item>;

export const Warehouse = z.strictObject({ warehouse_id: int, warehouse_code: text, is_active: bool });
export type Warehouse = z.infer<typeof Warehouse>;

/**
 * Checks that the warehouse and the items of a new order exist, and for a sale that they are active; otherwise a 400
 * names the one at fault.
 */
export async function checkReferences(
  tx: TxSql,
  warehouseId: number,
  lines: { item_id: number }[],
  { sold }: { sold: boolean },
): Promise<void> {
  const ids = lines.map((line) => line.item_id);
  const [warehouses, items] = await tx.inOrder([
    lockWarehouses(tx, [warehouseId]),
    tx.rows(Item, "select item_id, sku, is_active from items where item_id = any($1) order by item_id for key share", [
      ids,
    ]),
  ]);
  const warehouse = warehouses.get(warehouseId);
  if (!warehouse) throw UnknownWarehouse({ warehouse_id: warehouseId });
  const known = new Set(items.map((item) => item.item_id));
  const unknown = ids.find((id) => !known.has(id));
  if (unknown) throw UnknownItem({ item_id: unknown });
  if (!sold) return;
  const refused = inactiveAmong(warehouse, items);
  if (refused) throw refused;
}

/** The refusal to sell, where the warehouse or one of these items is not active. */
export function inactiveAmong(
  { warehouse_code, is_active }: Omit<Warehouse, "warehouse_id">,
  items: Omit<Item, "item_id">[],
) {
  if (!is_active) return WarehouseInactive({ warehouse_code });
  const item = items.find((one) => !one.is_active);
  return item && ItemInactive({ sku: item.sku });
}

/** The existing ones of these warehouses, locked against deletion until the transaction ends. */
export async function lockWarehouses(tx: Sql, ids: number[]): Promise<Map<number, Warehouse>> {
  const locked = await tx.rows(
    Warehouse,
    `select warehouse_id, warehouse_code, is_active from warehouses where warehouse_id = any($1)
     order by warehouse_id for key share`,
    [ids],
  );
  return new Map(locked.map((warehouse) => [warehouse.warehouse_id, warehouse]));
}
