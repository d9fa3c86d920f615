import { z } from "zod";
import * as field from "../../platform/fields/index.js";
import { AnyText, Day, DayText, Edit, Name, Text, TimeZone } from "../../platform/fields.js";
import { list } from "../../platform/list.js";

const Clock = TimeZone.nullable().describe("By whose clock its days and hours are; null for the company's.");

const CLOSED = {
  description:
    "Days on which nobody works there: carriers fetch nothing (docs/collections.md), and parcels get no later by them.",
  examples: [["2026-12-25", "2026-12-26"]],
};
/** As `warehouses_closed_days_few` has it: those of several years. */
const MOST_CLOSED_DAYS = 366;

export const Warehouse = z
  .strictObject({
    warehouse_id: field.WarehouseId,
    warehouse_code: field.WarehouseCode,
    warehouse_name: field.WarehouseName,
    address: AnyText("1 Dock Road, Columbus, OH 43004").nullable().describe("Postal address."),
    is_active: field.IsActive,
    created_at: field.CreatedAt,
    timezone: Clock,
    closed_days: z.array(Day).meta(CLOSED),
    is_sandbox: z.boolean().describe("Whether a partner tries things in it: nothing in it is real (docs/sandbox.md)."),
  })
  .meta({ id: "Warehouse", description: "A warehouse." });
export type Warehouse = z.infer<typeof Warehouse>;

export const warehouseList = list("warehouse_id", "warehouse_id", "warehouse_code", "warehouse_name", "created_at");

const fields = {
  warehouse_code: Name(32, "MAIN").describe("Short code of the warehouse."),
  warehouse_name: Name(256, "Main warehouse").describe("Name of the warehouse, for people."),
  address: Text(512, "1 Dock Road").nullish().describe("Postal address."),
  timezone: Clock.optional(),
  closed_days: z
    .array(DayText)
    .max(MOST_CLOSED_DAYS)
    .transform((days) => [...new Set(days)].sort())
    .meta(CLOSED)
    .optional(),
};

export const NewWarehouse = z.strictObject(fields);
export type NewWarehouse = z.infer<typeof NewWarehouse>;

export const WarehouseChanges = Edit({ ...fields, is_active: field.IsActive });
export type WarehouseChanges = z.infer<typeof WarehouseChanges>;
