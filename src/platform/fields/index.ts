/**
 * Fields that several records have with the same meaning, each with its limits, description and example:
 * `so_id: field.SoId.nullable()`. What a field of that name means otherwise stands at the field (`.describe`). Those
 * of requests are `Given…` where they are limited otherwise, and `…Param` in paths and queries, which are text.
 */
export * from "./integration.js";
export * from "./master-data.js";
export * from "./orders.js";
export * from "./stock.js";
export * from "./system.js";
