import { z } from "zod";
import * as field from "../../platform/fields/index.js";
import { AnyText, Edit, Name } from "../../platform/fields.js";
import { list } from "../../platform/list.js";

export const Zone = z
  .strictObject({
    zone_id: field.ZoneId,
    warehouse_id: field.WarehouseId,
    zone_code: AnyText("A").describe("Short code of the zone."),
    zone_name: field.ZoneName,
    // Migrated data also has PICKING (docs/interface.md, What stays as it was).
    zone_type: AnyText("STORAGE").describe("What the zone is for."),
    is_active: field.IsActive,
  })
  .meta({ id: "Zone", description: "A part of a warehouse, with bins." });
export type Zone = z.infer<typeof Zone>;

export const ListedZone = Zone.extend({ warehouse_code: field.WarehouseCode }).meta({
  id: "ListedZone",
  description: "A zone in the list of zones.",
});
export type ListedZone = z.infer<typeof ListedZone>;

export const zoneList = list("zone_id", "zone_id", "warehouse_id", "zone_code", "zone_name", "zone_type");

export const ZoneFilters = z.object({ ...zoneList.parameters, warehouse_id: field.WarehouseIdParam.optional() });
export type ZoneFilters = z.infer<typeof ZoneFilters>;

const fields = {
  zone_code: Name(32, "A").describe("Short code of the zone."),
  zone_name: Name(128, "Aisle A").describe("Name of the zone, for people."),
  zone_type: z
    .enum(["STORAGE", "RECEIVING", "STAGING", "SHIPPING", "QUALITY", "DAMAGE"])
    .describe("What the zone is for."),
};

export const NewZone = z.strictObject({ warehouse_id: field.WarehouseId, ...fields });
export type NewZone = z.infer<typeof NewZone>;

export const ZoneChanges = Edit({ ...fields, is_active: field.IsActive });
export type ZoneChanges = z.infer<typeof ZoneChanges>;
