import { z } from "zod";
import { Scanned } from "../../platform/barcodes/shapes.js";
import { Day, ExternalId, Id, TimeZone, Units, Weight } from "../../platform/fields.js";
import { OrderStatus } from "../../platform/statuses.js";

export const FoundItem = z
  .strictObject({
    item_id: Id,
    external_id: ExternalId,
    sku: z.string(),
    item_name: z.string(),
    upc: z.string().nullable(),
    category: z.string().nullable(),
    weight_lbs: Weight.nullable(),
  })
  .meta({ id: "FoundItem", description: "An item, as the scanner shows it." });
export type FoundItem = z.infer<typeof FoundItem>;

export const FoundBin = z
  .strictObject({
    bin_id: Id,
    external_id: ExternalId,
    bin_code: z.string(),
    bin_barcode: z.string(),
    bin_type: z.string(),
    warehouse_id: Id,
    zone_name: z.string(),
    aisle: z.string().nullable(),
    row_num: z.string().nullable(),
    level_num: z.string().nullable(),
  })
  .meta({ id: "FoundBin", description: "A bin, as the scanner shows it." });
export type FoundBin = z.infer<typeof FoundBin>;

const quantities = {
  quantity_on_hand: Units,
  quantity_allocated: Units,
  quantity_available: Units,
  lot_number: z.string().nullable(),
  expiry_date: Day.nullable(),
};

const Location = z
  .strictObject({
    bin_id: Id,
    bin_code: z.string(),
    bin_type: z.string(),
    zone_name: z.string(),
    ...quantities,
  })
  .meta({ id: "ItemLocation", description: "The stock of an item's lot in a bin." });

export const ItemWithLocations = z.strictObject({
  item: FoundItem.extend({ mpn: z.string().nullable() }),
  locations: z.array(Location),
  scan: Scanned,
});
export type ItemWithLocations = z.infer<typeof ItemWithLocations>;

const BinItem = z
  .strictObject({
    item_id: Id,
    sku: z.string(),
    item_name: z.string(),
    upc: z.string().nullable(),
    ...quantities,
  })
  .meta({ id: "BinItem", description: "The stock of an item's lot in the bin that was looked up." });

export const BinWithItems = z.strictObject({ bin: FoundBin, items: z.array(BinItem) });
export type BinWithItems = z.infer<typeof BinWithItems>;

export const FoundOrder = z
  .strictObject({
    so_id: Id,
    external_id: ExternalId,
    so_number: z.string(),
    so_barcode: z.string().nullable(),
    customer_name: z.string().nullable(),
    customer_phone: z.string().nullable(),
    customer_address: z.string().nullable(),
    ship_address: z.string().nullable(),
    status: OrderStatus,
    warehouse_id: Id,
    memo: z.string().nullable(),
    lines: z.array(
      z.strictObject({
        sku: z.string(),
        item_name: z.string(),
        quantity_ordered: Units,
        quantity_picked: Units,
        quantity_packed: Units,
        quantity_shipped: Units,
      }),
    ),
  })
  .meta({ id: "FoundSalesOrder", description: "A sales order with its lines, as the scanner shows it." });
export type FoundOrder = z.infer<typeof FoundOrder>;

export const WarehouseChoice = z
  .strictObject({
    id: Id,
    name: z.string(),
    code: z.string(),
    is_sellable: z.boolean().describe("Whether it has bins that orders are picked from."),
    timezone: TimeZone.describe("By whose clock its days and hours are: its own, or the company's."),
  })
  .meta({ id: "WarehouseChoice", description: "An active warehouse, for a list to choose from." });
export type WarehouseChoice = z.infer<typeof WarehouseChoice>;
