import { z } from "zod";
import * as field from "../../platform/fields/index.js";
import { AnyText, ExternalId, Id, Name, QueryBool, Time, Units } from "../../platform/fields.js";
import { list, withTotals } from "../../platform/list.js";

/** Holds of a part of what lies in a bin: docs/lots.md. */

export type HeldCondition = z.infer<typeof field.HeldCondition>;

export const StockHold = z
  .strictObject({
    hold_id: field.HoldId,
    external_id: ExternalId,
    inventory_id: field.InventoryId,
    item_id: field.ItemId,
    item_external_id: ExternalId,
    sku: field.Sku,
    item_name: field.ItemName,
    warehouse_id: field.WarehouseId,
    warehouse_code: field.WarehouseCode,
    bin_id: field.BinId,
    bin_external_id: ExternalId,
    bin_code: field.BinCode,
    lot_number: field.Lot.nullable(),
    expiry_date: field.ExpiryDate.nullable(),
    condition: field.HeldCondition,
    reason: AnyText("carton is wet").describe("Why the units are not sold."),
    quantity: Units.describe("Units when it began, or was split off by a move."),
    quantity_held: field.QuantityHeld,
    held_by: AnyText("rita").describe("Who held them."),
    held_at: Time.describe("Since when."),
    ended_at: Time.nullable().describe("When none of the units was on hold any more."),
    inspection_id: Id.nullable().describe("Id of the inspection that decides about the units; null without one."),
  })
  .meta({ id: "StockHold", description: "Units of an item in a bin that are sold to nobody." });
export type StockHold = z.infer<typeof StockHold>;

export const holdList = withTotals(
  list("hold_id", ...["hold_id", "sku", "bin_code", "h.condition", "quantity_held", "held_at", "ended_at"]),
  { quantity_held: { says: "Units that are still held." } },
);

export const HoldFilters = z.object({
  ...holdList.parameters,
  warehouse_id: field.WarehouseIdParam.optional(),
  item_id: field.ItemIdParam.optional(),
  inventory_id: field.InventoryIdParam.optional(),
  condition: field.HeldCondition.optional().describe("Only holds with this reason."),
  open: QueryBool.default(true).describe("Only holds that have not ended; false for all."),
  q: field.SearchParam.optional(),
});
export type HoldFilters = z.infer<typeof HoldFilters>;

const Quantity = z.int().positive().max(2_147_483_647);

export const NewStockHold = z.strictObject({
  quantity: Quantity.nullish().describe("How many units; by default all that lie there and are not on hold."),
  condition: field.HeldCondition.default("HOLD").describe("What the units are put in."),
  reason: Name(500, "carton is wet").describe("Why the units are not sold."),
});
export type NewStockHold = z.infer<typeof NewStockHold>;

export const HoldRelease = z.strictObject({
  quantity: Quantity.nullish().describe("How many units; by default all of the hold."),
  reason: Name(500, "inspected").describe("Why the units are sold again."),
});
export type HoldRelease = z.infer<typeof HoldRelease>;
