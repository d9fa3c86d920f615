import type { Sql } from "../platform/db/db.js";
import { mayBecome, type SalesOrderStatus, salesOrderStates } from "../platform/states.js";
import { refuseReturn } from "../sales-orders/fulfilment.js";
import { type HoldReason, refuseHeld } from "../sales-orders/holds.js";
import type { OrderType } from "../sales-orders/shapes.js";
import { requiresPacking } from "../system/settings/queries.js";
import { SoNotPacked, SoNotShippable } from "./problems.js";

/** The statuses that an order ships from: packing may be skipped where it is not required. */
export const shippableFrom = (packingRequired: boolean): SalesOrderStatus[] =>
  (Object.keys(salesOrderStates) as SalesOrderStatus[]).filter(
    (status) => mayBecome(salesOrderStates, status, "SHIPPED") && !(packingRequired && status === "PICKED"),
  );

/**
 * Throws 400 unless an order may ship: not a return, and PACKED, or PICKED where packing is not required; 409 where it
 * is on hold. A part of it, packed in parcels, may leave before the rest is packed.
 */
export async function refuseUnshippable(
  sql: Sql,
  order: { so_number: string; order_type: OrderType; status: SalesOrderStatus; hold_reason: HoldReason | null },
  isPart = false,
): Promise<void> {
  const { so_number, status } = order;
  refuseReturn(order);
  if (!mayBecome(salesOrderStates, status, "SHIPPED")) throw SoNotShippable({ so_number, status });
  refuseHeld(order);
  if (status === "PICKED" && !isPart && (await requiresPacking(sql))) throw SoNotPacked({ so_number, status });
}
