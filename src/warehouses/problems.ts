import { problem } from "../problem.js";

export const WarehouseNotFound = problem(
  "warehouse_not_found",
  404,
  "Warehouse not found",
);
export const WarehouseExists = problem(
  "warehouse_exists",
  400,
  "Warehouse code {warehouse_code} already exists",
);
export const ZoneExists = problem(
  "zone_exists",
  400,
  "Zone code {zone_code} already exists in this warehouse",
);
export const UnknownZone = problem(
  "unknown_zone",
  400,
  "Zone {zone_id} not found in this warehouse",
);
export const BinExists = problem(
  "bin_exists",
  400,
  "Bin code {bin_code} already exists in this warehouse",
);
