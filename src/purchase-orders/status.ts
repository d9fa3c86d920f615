import {
  mayBecome,
  type PurchaseOrderStatus,
  purchaseOrderStates,
} from "../states.js";
import { PoNotArchivable, StatusFollowsLines } from "./problems.js";

interface Line {
  quantity_ordered: number;
  quantity_received: number;
}

/** How far an order is, by its lines (spec 3.2): RECEIVED when all came, OPEN when nothing did, else PARTIAL. */
export function progressOf(lines: Line[]): "OPEN" | "PARTIAL" | "RECEIVED" {
  const complete = lines.every(
    (line) => line.quantity_received >= line.quantity_ordered,
  );
  if (complete && lines.length > 0) return "RECEIVED";
  return lines.some((line) => line.quantity_received > 0) ? "PARTIAL" : "OPEN";
}

/** Whether an order is put aside: then nothing is received on it or changed but its status. */
export const isLocked = (status: PurchaseOrderStatus) =>
  status === "CLOSED" || status === "ARCHIVED";

/**
 * What an order becomes when an admin wants it to be something (reference 03 §3). CLOSED and ARCHIVED are chosen; what is
 * neither is as far as its lines say, so OPEN stands for "go on with it".
 */
export function statusAfter(
  status: PurchaseOrderStatus,
  wanted: PurchaseOrderStatus,
  lines: Line[],
): PurchaseOrderStatus {
  const next = isLocked(wanted) ? wanted : progressOf(lines);
  if (next !== wanted && wanted !== "OPEN")
    throw StatusFollowsLines({ status: next, wanted });
  if (next !== status && !mayBecome(purchaseOrderStates, status, next))
    throw PoNotArchivable({ status });
  return next;
}
