import { problem } from "../problem.js";

export const ItemNotFound = problem("item_not_found", 404, "Item not found");
export const BinNotFound = problem("bin_not_found", 404, "Bin not found");
