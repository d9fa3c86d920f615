import { openProblem, problem } from "../platform/problem.js";

export const RecallNotFound = problem("recall_not_found", 404, "Recall not found");
export const LotRecalled = problem(
  "lot_recalled",
  409,
  "Lot {lot_number} is on recall {recall_id}, which is open: its units are neither sold nor shipped",
);
export const RecallClosed = problem("recall_closed", 409, "Recall {recall_id} is closed");
export const RecallUnitsOpen = problem(
  "recall_units_open",
  409,
  "{open} unit(s) are open: {to_count} to count, {picked} picked for orders, {to_tell} with customers to tell",
);
export const RecallReasonMissing = problem(
  "recall_reason_missing",
  400,
  "To close a recall by force, a reason is needed",
);
export const OrderNotOnRecall = problem("order_not_on_recall", 400, "Order {so_id} has had no units of this recall");
export const StockNotOnRecall = problem(
  "stock_not_on_recall",
  400,
  "Stock row {inventory_id} has no units of this recall",
);
export const OrderHasRecalled = problem(
  "order_has_recalled",
  409,
  "Order {so_number} has {units}, which is on recall {recall_id}: take them back first",
);
export const RecalledSerialNotFound = problem("serial_not_found", 404, "Serial {serial} of {sku} not found");
export const SerialNotOnRecall = openProblem(
  "serial_not_on_recall",
  400,
  "Serial {serial} of {sku} is not on this recall",
);
