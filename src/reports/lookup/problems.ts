import { problem } from "../../platform/problem.js";

export const BinNotFound = problem("bin_not_found", 404, "Bin not found");
