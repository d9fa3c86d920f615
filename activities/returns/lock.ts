import type { Actor } from "../../src/actor.js";
import { SoNotFound } from "../../src/sales-orders/problems.js";
import type { OrderType } from "../../src/sales-orders/shapes.js";
import type { SalesOrderStatus } from "../../src/states.js";
import type { Tx } from "../command.js";
import { findPermitted } from "../sales-orders/orders-with-picks.js";
import { expectIncreaseIn, noIncrease, type StockIncrease } from "../stock/backorders.js";

/** An order as receiving and voiding need it; it may turn out not to be a return. */
export interface LockedReturn {
  so_id: number;
  so_number: string;
  external_id: string;
  warehouse_id: number;
  order_type: OrderType;
  status: SalesOrderStatus;
  voided: boolean;
  parent_external_id: string | null;
  has_refund: boolean;
}

const LOCK = `
  select so_id, so_number, external_id, warehouse_id, order_type, status, voided_at is not null as voided,
    (select p.external_id from sales_orders p where p.so_id = so.parent_so_id) as parent_external_id,
    refund_so_id is not null or exists (
      select from sales_orders r where r.parent_so_id = so.so_id and r.order_type = 'refund') as has_refund
  from sales_orders so
  where so_id = $1 for update of so`;

/**
 * Locks a return of the caller's warehouses, which also serializes changes of its lines; what arrives in a bin will be
 * available there. Unknown 404, out of scope 403.
 */
export async function lockReturn(
  tx: Tx,
  soId: number,
  by: Actor,
  arrival?: { item_id: number; bin_id: number },
): Promise<{ order: LockedReturn; increase: StockIncrease }> {
  const [orders, increase] = await Promise.all([
    tx.rows<LockedReturn>(LOCK, [soId]),
    arrival ? expectIncreaseIn(tx, "receipt", [arrival.item_id], [arrival.bin_id]) : noIncrease(tx),
  ]);
  return { order: findPermitted(orders, soId, by, SoNotFound), increase };
}
