import { z } from "zod";
import { Edit, Id, Name, QueryInt } from "../../platform/fields.js";
import { list } from "../../platform/list.js";

export const Zone = z
  .strictObject({
    zone_id: Id,
    warehouse_id: Id,
    zone_code: z.string(),
    zone_name: z.string(),
    // Migrated data also has PICKING (docs/interface.md, What stays as it was).
    zone_type: z.string(),
    is_active: z.boolean(),
  })
  .meta({ id: "Zone", description: "A part of a warehouse, with bins." });
export type Zone = z.infer<typeof Zone>;

export const ListedZone = Zone.extend({ warehouse_code: z.string() }).meta({
  id: "ListedZone",
  description: "A zone in the list of zones.",
});
export type ListedZone = z.infer<typeof ListedZone>;

export const zoneList = list("zone_id", "zone_id", "warehouse_id", "zone_code", "zone_name", "zone_type");

export const ZoneFilters = z.object({ ...zoneList.parameters, warehouse_id: QueryInt.optional() });
export type ZoneFilters = z.infer<typeof ZoneFilters>;

const fields = {
  zone_code: Name(32, "A"),
  zone_name: Name(128, "Aisle A"),
  zone_type: z.enum(["STORAGE", "RECEIVING", "STAGING", "SHIPPING", "QUALITY", "DAMAGE"]),
};

export const NewZone = z.strictObject({ warehouse_id: Id, ...fields });
export type NewZone = z.infer<typeof NewZone>;

export const ZoneChanges = Edit({ ...fields, is_active: z.boolean() });
export type ZoneChanges = z.infer<typeof ZoneChanges>;
