import { problem } from "../problem.js";

/** Why something is refused about transfer orders (reference 07 §3). */

export const TransferNotFound = problem("transfer_order_not_found", 404, "Transfer order not found");
export const UnknownWarehouse = problem("unknown_warehouse", 404, "unknown_warehouse");
export const SameWarehouse = problem("source_and_destination_must_differ", 422, "source_and_destination_must_differ");
export const RowErrors = problem("row_errors", 422, "row_errors");
