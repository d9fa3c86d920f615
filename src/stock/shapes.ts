import { z } from "zod";
import { Day, ExternalId, Id, QueryBool, QueryInt, SearchText, Time, Units } from "../platform/fields.js";
import { list } from "../platform/list.js";

export const StockLevel = z
  .strictObject({
    inventory_id: Id,
    item_id: Id,
    item_external_id: ExternalId,
    sku: z.string(),
    item_name: z.string(),
    bin_id: Id,
    bin_external_id: ExternalId,
    bin_code: z.string(),
    zone_name: z.string(),
    quantity_on_hand: Units,
    quantity_allocated: Units,
    quantity_available: Units,
    quantity_doubted: Units.describe("Units that a picker looked for in vain: promised to nobody until a count."),
    committed_to_orders: Units,
    lot_number: z.string().nullable(),
    expiry_date: Day.nullable(),
    last_counted_at: Time.nullable(),
    warehouse_id: Id,
    warehouse_code: z.string(),
  })
  .meta({ id: "StockLevel", description: "The stock of an item's lot in a bin." });
export type StockLevel = z.infer<typeof StockLevel>;

export const inventoryList = list(
  "inventory_id",
  ...["inventory_id", "sku", "item_name", "bin_code", "zone_name", "quantity_on_hand", "quantity_allocated"],
  ...["lot_number", "expiry_date", "last_counted_at"],
);

export const StockFilters = z.object({
  ...inventoryList.parameters,
  warehouse_id: QueryInt.optional(),
  item_id: QueryInt.optional(),
  bin_id: QueryInt.optional(),
  to_put_away: QueryBool.default(false).describe("Only what lies in bins that stock is put away from."),
  q: SearchText("mug").optional(),
  search: SearchText("mug").optional().describe("The same as `q`."),
});
export type StockFilters = z.infer<typeof StockFilters>;
