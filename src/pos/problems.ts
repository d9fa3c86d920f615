import { dispatchProblem } from "../platform/dispatch-problem.js";

/** Refusals of tills: docs/interface.md, Tills. Each has its fields in `details`. */

export const BarcodeOrSku = dispatchProblem("invalid_query_param", 422, "Expected either barcode or sku");
export const ItemNotFound = dispatchProblem("item_not_found", 404, "No such item for this till");
export const InvalidSoNumber = dispatchProblem("invalid_so_number", 422, "An order number has at most 64 characters");
export const OrderNotFound = dispatchProblem("order_not_found", 404, "No such order for this till");

export const NoWarehouseScope = dispatchProblem("no_warehouse_scope", 403, "This token has no warehouse");
export const ReferenceConflict = dispatchProblem(
  "reference_ingest_conflict",
  409,
  "The number belongs to an order of another warehouse",
);

export const LockContention = dispatchProblem(
  "lock_contention",
  503,
  "Others hold the same stock or order: ask again with the same idempotency_key",
);
/** The payments do not add up to the total, or a refund uses another kind of payment than its sale. */
export const TenderMismatch = dispatchProblem("tender_mismatch", 422, "The tenders do not fit: {reason}");
export const WarehouseNotInScope = dispatchProblem(
  "warehouse_not_in_scope",
  403,
  "Line {line_index}: warehouse {warehouse_id} is not one of this token's",
);
export const FulfillmentFailed = dispatchProblem(
  "fulfillment_failed",
  422,
  "Line {failed_line_index}: {sku} cannot be taken from bin {bin_id} of warehouse {warehouse_id}",
);
/** `details.reason` is the refusal's name in docs/serials.md. */
export const SerialsRefused = dispatchProblem("serials_refused", 422, "{reason}");
export const BackorderWarehouseUnavailable = dispatchProblem(
  "backorder_warehouse_unavailable",
  422,
  "No warehouse of this token is set to take backorders",
);

export const ParentSoRequired = dispatchProblem(
  "parent_so_required",
  422,
  "A replacement or an exchange names its order in parent_so_number",
);
export const ParentSoNotFound = dispatchProblem("parent_so_not_found", 404, "No such parent order for this till");
export const ReturnedItemUnknownSku = dispatchProblem("returned_item_unknown_sku", 422, "No item has the SKU {sku}");
export const ReturnedItemNotOnParent = dispatchProblem(
  "returned_item_not_on_parent",
  422,
  "{sku} is not on order {parent_so_number}",
);
export const ReturnedQuantityExceedsRemaining = dispatchProblem(
  "returned_quantity_exceeds_remaining",
  422,
  "{requested} of {sku} cannot come back, only {remaining} are left of {shipped} shipped",
);
