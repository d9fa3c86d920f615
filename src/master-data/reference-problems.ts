import { problem } from "../platform/problem.js";

// Problems that purchase orders and sales orders have in common.

export const UnknownItem = problem("unknown_item", 400, "Item {item_id} not found");
export const UnknownWarehouse = problem("unknown_warehouse", 400, "Warehouse {warehouse_id} not found");

/** Of sales orders: what is switched off is not sold. */
export const ItemInactive = problem("item_inactive", 400, "Item {sku} is not active: it cannot be ordered");
export const WarehouseInactive = problem(
  "warehouse_inactive",
  400,
  "Warehouse {warehouse_code} is not active: nothing can be ordered from it",
);
