import { openProblem, problem } from "../platform/problem.js";

export const PoNotOpen = openProblem("po_not_open", 400, "Purchase order is {status}");
export const BinElsewhere = problem(
  "bin_elsewhere",
  400,
  "Bin {bin} does not belong to the warehouse of the purchase order",
);
export const ItemNotOnPo = problem("item_not_on_po", 400, "Item {item_id} is not on PO {po_number}");
export const OverReceipt = problem(
  "over_receipt",
  400,
  "Receiving {quantity} of {sku} would exceed the {remaining} remaining; over-receiving is switched off",
);
export const ReceiptsElsewhere = problem("receipts_belong_to_other_po", 400, "receipts_belong_to_other_po");
export const ReceiptStockGone = problem(
  "receipt_stock_gone",
  400,
  "Receipt {receipt_id} cannot be reversed: {missing} of its units have left the warehouse",
);

export const PutAwayRuleNotFound = problem("put_away_rule_not_found", 404, "Put-away rule not found");

/** Problems of reversing one receipt; their bodies have the `kind` of docs/interface.md, Purchase orders. */
export const ReceiptNotFound = problem("receipt_not_found", 404, "Receipt not found");
export const NotAPoReceipt = problem(
  "not_a_po_receipt",
  422,
  "Receipt {receipt_id} is of a return, not of a purchase order",
);
export const ReceiptNotAvailable = problem(
  "receipt_not_available",
  409,
  "Receipt {receipt_id} has {receipt_quantity} units, of which the warehouse has {warehouse_available} that " +
    "are not reserved",
);
export const BadReason = problem("bad_reason", 422, "reason must be text of at most 500 characters");
