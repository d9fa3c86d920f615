import { z } from "zod";
import { Edit, Id, Name, Text, Time, TimeZone } from "../../platform/fields.js";
import { list } from "../../platform/list.js";

const Clock = TimeZone.nullable().describe("By whose clock its days and hours are; null for the company's.");

export const Warehouse = z
  .strictObject({
    warehouse_id: Id,
    warehouse_code: z.string(),
    warehouse_name: z.string(),
    address: z.string().nullable(),
    is_active: z.boolean(),
    created_at: Time,
    timezone: Clock,
  })
  .meta({ id: "Warehouse", description: "A warehouse." });
export type Warehouse = z.infer<typeof Warehouse>;

export const warehouseList = list(
  "warehouse_id",
  ...["warehouse_id", "warehouse_code", "warehouse_name", "created_at"],
);

const fields = {
  warehouse_code: Name(32, "MAIN"),
  warehouse_name: Name(256, "Main warehouse"),
  address: Text(512, "1 Dock Road").nullish(),
  timezone: Clock.optional(),
};

export const NewWarehouse = z.strictObject(fields);
export type NewWarehouse = z.infer<typeof NewWarehouse>;

export const WarehouseChanges = Edit({ ...fields, is_active: z.boolean() });
export type WarehouseChanges = z.infer<typeof WarehouseChanges>;
