import { problem } from "../problem.js";

// Problems that purchase orders and sales orders have in common.

export const UnknownItem = problem("unknown_item", 400, "Item {item_id} not found");
export const UnknownWarehouse = problem("unknown_warehouse", 400, "Warehouse {warehouse_id} not found");
