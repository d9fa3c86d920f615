import { type Actor, visibleWarehouses } from "../../platform/actor.js";
import { arrayOf, bool } from "../../platform/db/columns.js";
import { db, type Sql } from "../../platform/db/db.js";
import { builder, type Page } from "../../platform/db/list.js";
import { listPage } from "../../platform/db/listing.js";
import { Zone } from "../zones/shapes.js";
import { Warehouse, warehouseList } from "./shapes.js";

/** Warehouses by id. */
export function warehouses(paging: Page, warehouseIds: number[] | null) {
  const query = builder("warehouses")
    .select(
      "warehouse_id",
      "warehouse_code",
      "warehouse_name",
      "address",
      "is_active",
      "created_at",
      "timezone",
      "closed_days",
      "is_sandbox",
    )
    .orderBy("warehouse_id");
  if (warehouseIds) query.whereIn("warehouse_id", warehouseIds);
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
         'timezone', timezone, 'closed_days', closed_days, 'is_sandbox', is_sandbox) as warehouse,
       (select coalesce(json_agg(json_build_object(
           'zone_id', zone_id, 'warehouse_id', warehouse_id, 'zone_code', zone_code, 'zone_name', zone_name,
           'zone_type', zone_type, 'is_active', is_active) order by zone_id), '[]')
        from zones z where z.warehouse_id = w.warehouse_id) as zones
     from warehouses w where warehouse_id = $1`,
    [warehouseId],
  );
}

/**
 * The warehouses to filter by where rows may belong to no warehouse: null, which is no restriction, for an ADMIN and
 * for a USER who has every warehouse, inactive ones too. Any other USER sees only rows of own warehouses, and no rows
 * without a warehouse.
 */
export async function warehousesUnlessAll(
  by: Pick<Actor, "role" | "warehouseIds">,
  sql: Sql = db,
): Promise<number[] | null> {
  const own = visibleWarehouses(by);
  if (own === null || own.length === 0) return own;
  const others = await sql.row(
    { exist: bool },
    "select exists (select from warehouses where warehouse_id <> all($1) and not is_sandbox) as exist",
    [own],
  );
  return others?.exist ? own : null;
}
