import { arrayOf } from "../../platform/db/columns.js";
import { db } from "../../platform/db/db.js";
import { builder, type Page } from "../../platform/db/list.js";
import { listPage } from "../../platform/db/listing.js";
import { Zone } from "../zones/shapes.js";
import { Warehouse, warehouseList } from "./shapes.js";

/** Warehouses by id, those of `scope` only. */
export function warehouses(paging: Page, scope: number[] | null) {
  const query = builder("warehouses")
    .select("warehouse_id", "warehouse_code", "warehouse_name", "address", "is_active", "created_at", "timezone")
    .orderBy("warehouse_id");
  if (scope) query.whereIn("warehouse_id", scope);
  return listPage(Warehouse, "warehouses", query, paging, warehouseList);
}

const WarehouseRow = { warehouse: Warehouse, zones: arrayOf(Zone) };

/** A warehouse with its zones. */
export function warehouse(warehouseId: number): Promise<{ warehouse: Warehouse; zones: Zone[] } | undefined> {
  return db.row(
    WarehouseRow,
    `select
       json_build_object(
         'warehouse_id', warehouse_id, 'warehouse_code', warehouse_code, 'warehouse_name', warehouse_name,
         'address', address, 'is_active', is_active, 'created_at', created_at,
         'timezone', timezone) as warehouse,
       (select coalesce(json_agg(json_build_object(
           'zone_id', zone_id, 'warehouse_id', warehouse_id, 'zone_code', zone_code, 'zone_name', zone_name,
           'zone_type', zone_type, 'is_active', is_active) order by zone_id), '[]')
        from zones z where z.warehouse_id = w.warehouse_id) as zones
     from warehouses w where warehouse_id = $1`,
    [warehouseId],
  );
}
