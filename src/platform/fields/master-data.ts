import { z } from "zod";
import { AnyText, Barcode, Id, QueryInt, Text, Weight, WholeNumber } from "../fields.js";

/** Fields of warehouses, bins, items and vendors. */

export const WarehouseId = Id.describe("Id of the warehouse that the record belongs to.");
export const WarehouseIdInEvent = z.int().describe("Id of the warehouse that the record belongs to.");
export const WarehouseIdParam = QueryInt.describe("Id of the warehouse that the record belongs to.");
export const WarehouseIds = z
  .array(Id)
  .describe("Ids of the warehouses that the user, token or filter is confined to.");
export const WarehouseCode = AnyText("WH1").describe("Short code of the warehouse.");
export const WarehouseName = AnyText("Columbus").describe("Name of the warehouse, for people.");
export const ZoneId = Id.describe("Id of the zone, a part of the warehouse.");
export const ZoneIdParam = QueryInt.describe("Id of the zone, a part of the warehouse.");
export const ZoneName = AnyText("Aisle zone A").describe("Name of the zone, for people.");
export const BinId = Id.describe("Id of the bin, a place for stock.");
export const BinIdParam = QueryInt.describe("Id of the bin, a place for stock.");
export const BinCode = AnyText("A-01-02").describe("Code of the bin, unique in its warehouse.");
export const BinBarcode = AnyText("A-01-02").describe("What the scanner reads at the bin.");
export const BinType = AnyText("Pickable").describe(
  "What the bin is for; it decides whether stock in it can be picked.",
);
export const Aisle = AnyText("A").describe("The bin's aisle.");
export const RowNum = AnyText("01").describe("The bin's row in the aisle.");
export const LevelNum = AnyText("02").describe("The bin's level in the row.");
export const GivenPickSequence = WholeNumber.describe("Where the bin comes on a picker's way; lower first.");
export const PickSequence = z.int().describe("Where the bin comes on a picker's way; lower first.");
export const PutawaySequence = WholeNumber.describe("Where the bin comes on the way of putting away; lower first.");
export const DefaultBinId = Id.describe("Id of the bin that the item is put into when nothing else is said.");
export const DefaultBinCode = AnyText("A-01-02").describe("Code of the item's default bin.");
export const ItemId = Id.describe("Id of the item, as its record has it.");
export const ItemIdParam = QueryInt.describe("Id of the item, as its record has it.");
export const ItemName = AnyText("Blue mug").describe("Name of the item, as people read it on screens and tickets.");
export const Sku = AnyText("MUG-01").describe("Stock keeping unit: the item's own code, unique.");
export const Upc = AnyText("0400000000015").describe("The barcode on the item.");
export const Mpn = AnyText("BM-350").describe("The manufacturer's part number.");
export const Scanned = Barcode.describe("What the scanner read.");
export const Category = AnyText("Kitchen").describe("The item's category.");
export const GivenCategory = Text(128, "Kitchen").describe("The item's category.");
export const WeightLbs = Weight.describe("Weight of one unit, in pounds.");
export const IsActive = z.boolean().describe("Whether the record is in use; what is not is hidden from daily work.");
export const PreferredBinId = Id.describe("Id of the preference of a bin for an item.");
export const CanonicalId = z.uuid().describe("UUID of the record, the same in all systems.");
export const GivenCanonicalId = z.uuid().toLowerCase().describe("UUID of the record, the same in all systems.");
export const VendorName = AnyText("Mug Makers Ltd").describe("Name of the vendor that delivers.");
export const Phone = AnyText("+1 555 0123").describe("Telephone number, as people write it.");
