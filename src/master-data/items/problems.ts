import { problem } from "../../platform/problem.js";

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
