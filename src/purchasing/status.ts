import { mayBecome, type PurchaseOrderStatus, purchaseOrderStates } from "../platform/states.js";
import { PoNotArchivable, StatusFollowsLines } from "./problems.js";

interface Line {
  quantity_ordered: number;
  quantity_received: number;
}

/**
 * An order's status by its lines (docs/interface.md, Purchase orders): RECEIVED when all units were received, OPEN when
 * none, else PARTIAL.
 */
export function statusByLines(lines: Line[]): "OPEN" | "PARTIAL" | "RECEIVED" {
  const complete = lines.every((line) => line.quantity_received >= line.quantity_ordered);
  if (complete && lines.length > 0) return "RECEIVED";
  return lines.some((line) => line.quantity_received > 0) ? "PARTIAL" : "OPEN";
}

/** Whether an order is closed or archived: nothing can be received on it, and only its status can be changed. */
export const isLocked = (status: PurchaseOrderStatus) => status === "CLOSED" || status === "ARCHIVED";

/**
 * The status that an order gets when an admin asks for one (docs/interface.md, Purchase orders). CLOSED and ARCHIVED
 * are set as asked; any other status follows from the lines, so asking for OPEN means "reopen".
 */
export function statusAfter(
  status: PurchaseOrderStatus,
  wanted: PurchaseOrderStatus,
  lines: Line[],
): PurchaseOrderStatus {
  const next = isLocked(wanted) ? wanted : statusByLines(lines);
  if (next !== wanted && wanted !== "OPEN") throw StatusFollowsLines({ status: next, wanted });
  if (next !== status && !mayBecome(purchaseOrderStates, status, next)) throw PoNotArchivable({ status });
  return next;
}
