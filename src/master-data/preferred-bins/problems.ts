import { problem } from "../../platform/problem.js";

export const PreferredBinNotFound = problem("preferred_bin_not_found", 404, "Preferred bin not found");
