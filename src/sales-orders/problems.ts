import { problem, WarehouseDenied } from "../platform/problem.js";

export const SoNotFound = problem("so_not_found", 404, "Sales order not found");
export const SoExists = problem("so_exists", 400, "Sales order {so_number} already exists");

/** An order that there is not, or not in the caller's warehouses. */
export const unknownSo = [SoNotFound, WarehouseDenied];
