import { problem } from "../platform/problem.js";

/** Refusals of returns: docs/interface.md, Returns. */

export const NotReturnable = problem(
  "not_returnable",
  400,
  "Sales order {so_number} is a {order_type} and {status}: nothing of it can come back",
);
export const OverReturn = problem(
  "over_return",
  400,
  "{sku}: {requested} cannot come back, only {remaining} remaining of {shipped} shipped and " +
    "{returned} already returned",
);
export const ItemNotOnOrder = problem("item_not_on_so", 400, "Item {item_id} is not on sales order {so_number}");
export const LineNotOfItem = problem(
  "line_not_of_item",
  400,
  "Sales order {so_number} has no line {original_so_line_id} with item {item_id}",
);

export const ReturnNotFound = problem(
  "return_not_found",
  404,
  "No return, and no order or parcel with one, has the number {scanned}",
);
export const NoReturnAnnounced = problem(
  "no_return_announced",
  400,
  "Nothing of order {so_number} was announced to come back",
);
export const NotAReturn = problem("not_a_return", 400, "Sales order {so_number} is a {order_type}, not a return");
export const ReturnNotOpen = problem(
  "return_not_open",
  400,
  "Return {so_number} is {status}: nothing can be received on it",
);
export const ReturnBinNotFound = problem("bin_not_found", 400, "Bin {bin_id} not found");
export const ReturnBinElsewhere = problem(
  "bin_elsewhere",
  400,
  "Bin {bin} does not belong to warehouse {warehouse_id}",
);
export const OverReturnReceipt = problem(
  "over_receipt",
  400,
  "Receiving {quantity} of {sku} would exceed the {remaining} remaining on {so_number}",
);
export const ReceiptKeyReused = problem(
  "idempotency_key_reused_with_different_body",
  409,
  "This idempotency_key was used for another receipt",
);

export const RestNotClosable = problem(
  "return_not_partly_received",
  409,
  "Return {so_number} is {status}: the rest of one is closed of which a part has come",
);
export const ReturnReceiptRefunded = problem(
  "receipt_refunded",
  409,
  "What came back on {so_number} was paid back: its receipts stay",
);

/** For void-return; the bodies have the `reason` and the return's `current_status`. */
export const VoidNotAReturn = problem(
  "not_a_return",
  409,
  "Sales order {so_number} is a {order_type}: only a return is voided",
);
export const VoidHasReceipts = problem("has_receipts", 409, "Goods of return {so_number} have come: it is not voided");
export const VoidNotOpen = problem("not_open", 409, "Return {so_number} is {status}: only an OPEN return is voided");
export const VoidHasRefund = problem("has_refund", 409, "Return {so_number} was refunded: it is not voided");
