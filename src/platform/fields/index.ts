/**
 * Fields that several records have with the same meaning, each with its limits, description and example: `so_id:
 * field.SoId.nullable()`. Where such a field means something else, its own `.describe` says so. Fields of requests are
 * `Given…` where their limits differ, and `…Param` in paths and queries, which are text.
 */
export * from "./integration.js";
export * from "./master-data.js";
export * from "./orders.js";
export * from "./stock.js";
export * from "./system.js";
