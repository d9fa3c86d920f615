import { problem } from "../../platform/problem.js";

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
