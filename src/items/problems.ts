import { problem } from "../problem.js";

export const ItemNotFound = problem("item_not_found", 404, "Item not found");
export const SkuExists = problem("sku_exists", 400, "SKU {sku} already exists");
export const UpcExists = problem("upc_exists", 400, "UPC {upc} already exists");
export const UnknownBin = problem("unknown_bin", 400, "Bin {bin_id} not found");
