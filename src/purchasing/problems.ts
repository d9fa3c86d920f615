import { problem, WarehouseDenied } from "../platform/problem.js";

export const PoExists = problem("po_exists", 400, "Purchase order {po_number} already exists");
export const PoLocked = problem("po_locked", 400, "Purchase order is {status}: reopen it before you change it");
/** OPEN, PARTIAL and RECEIVED cannot be chosen: they follow from what was received. */
export const StatusFollowsLines = problem(
  "po_status_follows_lines",
  400,
  "By its lines the purchase order is {status}, not {wanted}",
);
export const PoNotArchivable = problem(
  "po_not_archivable",
  400,
  "Purchase order is {status}: only a closed one can be archived",
);
export const PoAlreadyClosed = problem("po_already_closed", 409, "Purchase order is already {status}");
export const PoNotClosed = problem("po_not_closed", 409, "Purchase order is {status}, not CLOSED");
export const PoLineNotFound = problem("po_line_not_found", 404, "Purchase order line not found");
export const ItemOnPo = problem("item_on_po", 400, "{sku} is already on the purchase order");
export const BelowReceived = problem(
  "below_received",
  400,
  "{received} of {sku} were received already: no fewer can be ordered",
);
export const PoLineReceived = problem(
  "po_line_received",
  400,
  "{received} of {sku} were received already: the line cannot be removed",
);
export const PoNotFound = problem("po_not_found", 404, "Purchase order not found");

/** A purchase order that does not exist, or not in the caller's warehouses. */
export const unknownPo = [PoNotFound, WarehouseDenied];
