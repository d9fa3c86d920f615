import { builder, codeOf } from "../../platform/db/list.js";
import { listPage } from "../../platform/db/listing.js";
import { ListedZone, type ZoneFilters, zoneList } from "./shapes.js";

/** Zones by id. */
export function zones(filters: ZoneFilters, warehouseIds: number[] | null) {
  const query = builder("zones")
    .select("zone_id", "warehouse_id", "zone_code", "zone_name", "zone_type", "is_active")
    .select(builder.raw(codeOf("zones.warehouse_id")))
    .orderBy("zone_id");
  if (warehouseIds) query.whereIn("warehouse_id", warehouseIds);
  if (filters.warehouse_id) {
    query.where({ warehouse_id: filters.warehouse_id });
  }
  return listPage(ListedZone, "zones", query, filters, zoneList);
}
