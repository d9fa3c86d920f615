import { z } from "zod";
import * as field from "../platform/fields/index.js";
import { ExternalId, QueryBool, SearchText, Time, Units } from "../platform/fields.js";
import { list, withTotals } from "../platform/list.js";

export const StockLevel = z
  .strictObject({
    inventory_id: field.InventoryId,
    item_id: field.ItemId,
    item_external_id: ExternalId,
    sku: field.Sku,
    item_name: field.ItemName,
    bin_id: field.BinId,
    bin_external_id: ExternalId,
    bin_code: field.BinCode,
    zone_name: field.ZoneName,
    quantity_on_hand: field.QuantityOnHand,
    quantity_allocated: field.QuantityAllocated,
    quantity_available: field.QuantityAvailable,
    quantity_doubted: Units.describe("Units that a picker looked for in vain: promised to nobody until a count."),
    quantity_held: field.QuantityHeld,
    committed_to_orders: Units.describe("Units that open orders have reserved."),
    lot_id: field.LotId.nullable(),
    lot_number: field.Lot.nullable(),
    expiry_date: field.ExpiryDate.nullable(),
    condition: field.StockCondition,
    effective_condition: field.EffectiveCondition,
    last_counted_at: Time.nullable().describe("When the stock was last counted."),
    warehouse_id: field.WarehouseId,
    warehouse_code: field.WarehouseCode,
  })
  .meta({ id: "StockLevel", description: "The stock of an item's lot in a bin." });
export type StockLevel = z.infer<typeof StockLevel>;

export const inventoryList = withTotals(
  list(
    "v.inventory_id",
    ...["v.inventory_id", "sku", "item_name", "bin_code", "zone_name", "v.quantity_on_hand", "v.quantity_allocated"],
    ...["v.lot_number", "v.expiry_date", "v.condition", "v.last_counted_at"],
  ),
  {
    quantity_on_hand: { says: "Units on hand." },
    quantity_allocated: { says: "Units that are promised." },
    quantity_available: { says: "Units that are on hand and not promised." },
  },
);

export const StockFilters = z.object({
  ...inventoryList.parameters,
  warehouse_id: field.WarehouseIdParam.optional(),
  item_id: field.ItemIdParam.optional(),
  bin_id: field.BinIdParam.optional(),
  condition: field.StockConditionParam.optional(),
  expires_within: field.ExpiresWithinParam.optional(),
  to_put_away: QueryBool.default(false).describe("Only what lies in bins that stock is put away from."),
  q: field.SearchParam.optional(),
  search: SearchText("mug").optional().describe("The same as `q`."),
});
export type StockFilters = z.infer<typeof StockFilters>;
