import type { Actor } from "../../src/actor.js";
import { SoNotFound } from "../../src/sales-orders/problems.js";
import type { OrderType } from "../../src/sales-orders/shapes.js";
import type { SalesOrderStatus } from "../../src/states.js";
import type { Tx } from "../command.js";
import { findPermitted } from "../sales-orders/orders-with-picks.js";
import { increaseOf, type StockIncrease, waitingFor } from "../stock/backorders.js";

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
  where so_id = $1 or so_id = any(array(${waitingFor(
    "select $2::int",
    "select warehouse_id from bins where bin_id = $3",
  )}))
  order by so_id for update of so`;

/**
 * Locks a return of the caller's warehouses, which also serializes changes of its lines, and in the same statement (the
 * lock order of stock.ts) the orders that wait for what arrives in a bin. Unknown 404, out of scope 403.
 */
export async function lockReturn(
  tx: Tx,
  soId: number,
  by: Actor,
  arrival?: { item_id: number; bin_id: number },
): Promise<{ order: LockedReturn; increase: StockIncrease }> {
  const orders = await tx.rows<LockedReturn>(LOCK, [soId, arrival?.item_id ?? null, arrival?.bin_id ?? null]);
  const order = findPermitted(orders, soId, by, SoNotFound);
  return { order, increase: increaseOf(tx, "receipt", orders) };
}
