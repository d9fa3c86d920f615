import { problem } from "../platform/problem.js";

// Problems that purchase orders and sales orders have in common.

export const UnknownItem = problem("unknown_item", 400, "Item {item_id} not found");
export const UnknownWarehouse = problem("unknown_warehouse", 400, "Warehouse {warehouse_id} not found");

/** For sales orders: inactive warehouses and items are not sold. */
export const ItemInactive = problem("item_inactive", 400, "Item {sku} is not active: it cannot be ordered");
export const WarehouseInactive = problem(
  "warehouse_inactive",
  400,
  "Warehouse {warehouse_code} is not active: nothing can be ordered from it",
);

export const WarehouseNotFound = problem("warehouse_not_found", 404, "Warehouse not found");
export const WarehouseExists = problem(
  "warehouse_exists",
  400,
  "Duplicate warehouse code: {warehouse_code} already exists",
);
export const UnknownTimeZone = problem(
  "unknown_time_zone",
  400,
  "{timezone} is not a time zone of the IANA list, such as Europe/Berlin",
);
export const ZoneExists = problem(
  "zone_exists",
  400,
  "Duplicate zone code: {zone_code} already exists in this warehouse",
);
export const UnknownZone = problem("unknown_zone", 400, "Zone {zone_id} not found in this warehouse");
export const BinExists = problem("bin_exists", 400, "Duplicate bin code: {bin_code} already exists in this warehouse");
export const WarehouseHasStock = problem(
  "warehouse_has_stock",
  400,
  "Warehouse {warehouse_code} cannot be deleted: it has existing inventory",
);
export const WarehouseHasBins = problem(
  "warehouse_has_bins",
  400,
  "Warehouse {warehouse_code} cannot be deleted: it has bins",
);
export const WarehouseHasZones = problem(
  "warehouse_has_zones",
  400,
  "Warehouse {warehouse_code} cannot be deleted: it has zones",
);
export const WarehouseNamed = problem(
  "warehouse_named",
  409,
  "Warehouse {warehouse_code} cannot be deleted: orders name it; deactivate it instead",
);
export const LayoutNotFound = problem("layout_not_found", 404, "The warehouse has no layout");
export const LayoutAislesUnknown = problem(
  "layout_aisles_unknown",
  400,
  "No bin of the warehouse is in these aisles: {aisles}",
);
export const ZoneNotFound = problem("zone_not_found", 404, "Zone not found");
export const ZoneHasBins = problem(
  "zone_has_bins",
  409,
  "Zone {zone_code} cannot be deleted: bin(s) are assigned to it",
);
export const BinHasStock = problem("bin_has_stock", 409, "Bin {bin_code} cannot be deleted: it has existing inventory");
export const BinIsPreferred = problem(
  "bin_is_preferred",
  409,
  "Bin {bin_code} cannot be deleted: a preferred-bin mapping names it",
);
export const BinReceives = problem(
  "bin_receives",
  409,
  "Bin {bin_code} cannot be deleted: it is the default receiving bin; choose another in the settings first",
);
export const BinNamed = problem(
  "bin_named",
  409,
  "Bin {bin_code} cannot be deleted: receipts, moves, counts or picks name it; deactivate it instead",
);

export const LabelsOfNothing = problem("labels_of_nothing", 400, "Name either bin_ids or a zone_id");

export const ItemNotFound = problem("item_not_found", 404, "Item not found");
export const SkuExists = problem("sku_exists", 400, "Duplicate SKU: {sku} already exists");
export const UpcExists = problem("upc_exists", 400, "Duplicate UPC: {upc} already exists");
export const UnknownBin = problem("unknown_bin", 400, "Bin {bin_id} not found");
export const ItemHasStock = problem("item_has_stock", 400, "Item {sku} cannot be deleted: it has quantity on hand");
export const ItemSold = problem(
  "item_sold",
  400,
  "Item {sku} cannot be deleted: sales orders name it; archive it instead",
);
export const ItemPurchased = problem(
  "item_purchased",
  400,
  "Item {sku} cannot be deleted: purchase orders name it; archive it instead",
);
export const ItemAwaitsReview = problem(
  "item_awaits_review",
  400,
  "Item {sku} cannot be deleted: adjustments of its stock wait for review",
);
export const ItemNamed = problem(
  "item_named",
  409,
  "Item {sku} cannot be deleted: moves of its stock name it; archive it instead",
);

export const PreferredBinNotFound = problem("preferred_bin_not_found", 404, "Preferred bin not found");

export const VendorNotFound = problem("vendor_not_found", 404, "Vendor not found");
export const VendorNamed = problem(
  "vendor_named",
  400,
  "Vendor {vendor_name} cannot be deleted: purchase orders name it; deactivate it instead",
);
