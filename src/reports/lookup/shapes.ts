import { z } from "zod";
import { ItemRow } from "../../master-data/items/shapes.js";
import { Scanned } from "../../platform/barcodes/shapes.js";
import * as field from "../../platform/fields/index.js";
import { AnyText, ExternalId, TimeZone, Units } from "../../platform/fields.js";
import { OrderStatus } from "../../platform/statuses.js";

export const ItemAtScanner = z.strictObject({
  item_id: field.ItemId,
  external_id: ExternalId,
  sku: field.Sku,
  item_name: field.ItemName,
  upc: field.Upc.nullable(),
  category: field.Category.nullable(),
  weight_lbs: field.WeightLbs.nullable(),
  lot_policy: ItemRow.shape.lot_policy,
  serial_policy: ItemRow.shape.serial_policy,
});
export type ItemAtScanner = z.infer<typeof ItemAtScanner>;

export const FoundItem = ItemAtScanner.extend({
  quantity_free: Units.optional().describe("Units that can still be sold in the `warehouse_id` that was asked for."),
}).meta({ id: "FoundItem", description: "An item, as the scanner shows it." });

export const FoundBin = z
  .strictObject({
    bin_id: field.BinId,
    external_id: ExternalId,
    bin_code: field.BinCode,
    bin_barcode: field.BinBarcode,
    bin_type: field.BinType,
    warehouse_id: field.WarehouseId,
    zone_name: field.ZoneName,
    aisle: field.Aisle.nullable(),
    row_num: field.RowNum.nullable(),
    level_num: field.LevelNum.nullable(),
  })
  .meta({ id: "FoundBin", description: "A bin, as the scanner shows it." });
export type FoundBin = z.infer<typeof FoundBin>;

const quantities = {
  quantity_on_hand: field.QuantityOnHand,
  quantity_allocated: field.QuantityAllocated,
  quantity_available: field.QuantityAvailable,
  lot_number: field.Lot.nullable(),
  expiry_date: field.ExpiryDate.nullable(),
};

const Location = z
  .strictObject({
    bin_id: field.BinId,
    bin_code: field.BinCode,
    bin_type: field.BinType,
    zone_name: field.ZoneName,
    ...quantities,
  })
  .meta({ id: "ItemLocation", description: "The stock of an item's lot in a bin." });

export const ItemWithLocations = z.strictObject({
  item: ItemAtScanner.extend({ mpn: field.Mpn.nullable() }).describe("The item that was asked for or written."),
  locations: z.array(Location).describe("The bins that hold the item, with their stock."),
  scan: Scanned,
});
export type ItemWithLocations = z.infer<typeof ItemWithLocations>;

const BinItem = z
  .strictObject({
    item_id: field.ItemId,
    sku: field.Sku,
    item_name: field.ItemName,
    upc: field.Upc.nullable(),
    ...quantities,
  })
  .meta({ id: "BinItem", description: "The stock of an item's lot in the bin that was looked up." });

export const BinWithItems = z.strictObject({
  bin: FoundBin,
  items: z.array(BinItem).describe("The items, one entry for each."),
});
export type BinWithItems = z.infer<typeof BinWithItems>;

export const FoundOrder = z
  .strictObject({
    so_id: field.SoId,
    external_id: ExternalId,
    so_number: field.SoNumber,
    so_barcode: field.SoBarcode.nullable(),
    customer_name: field.CustomerName.nullable(),
    customer_phone: field.CustomerPhone.nullable(),
    customer_address: field.CustomerAddress.nullable(),
    ship_address: field.ShipAddress.nullable(),
    status: OrderStatus,
    warehouse_id: field.WarehouseId,
    memo: field.Memo.nullable(),
    lines: z
      .array(
        z.strictObject({
          sku: field.Sku,
          item_name: field.ItemName,
          quantity_ordered: field.QuantityOrdered,
          quantity_picked: field.QuantityPicked,
          quantity_packed: field.QuantityPacked,
          quantity_shipped: field.QuantityShipped,
        }),
      )
      .describe("The lines, each for one item."),
  })
  .meta({ id: "FoundSalesOrder", description: "A sales order with its lines, as the scanner shows it." });
export type FoundOrder = z.infer<typeof FoundOrder>;

export const WarehouseChoice = z
  .strictObject({
    id: field.AnyId,
    name: AnyText("Columbus").describe("Name of the warehouse."),
    code: AnyText("WH1").describe("Short code of the warehouse."),
    is_sellable: z.boolean().describe("Whether it has bins that orders are picked from."),
    timezone: TimeZone.describe("By whose clock its days and hours are: its own, or the company's."),
  })
  .meta({ id: "WarehouseChoice", description: "An active warehouse, for a list to choose from." });
export type WarehouseChoice = z.infer<typeof WarehouseChoice>;
