import { z } from "zod";
import type { Actor } from "../../src/platform/actor.js";
import { bool, int, text } from "../../src/platform/db/columns.js";
import { OrderStatus } from "../../src/platform/statuses.js";
import { SoNotFound } from "../../src/sales-orders/problems.js";
import { OrderType } from "../../src/sales-orders/shapes.js";
import type { Tx } from "../command.js";
import { findPermitted } from "../sales-orders/orders-with-picks.js";
import { expectIncreaseIn, noIncrease, type StockIncrease } from "../stock/backorders.js";

/** An order as receiving and voiding need it; it may turn out not to be a return. */
export const LockedReturn = z.strictObject({
  so_id: int,
  so_number: text,
  external_id: text,
  warehouse_id: int,
  order_type: OrderType,
  status: OrderStatus,
  voided: bool,
  parent_so_id: int.nullable(),
  parent_external_id: text.nullable(),
  /** Whether its original order was refunded as a whole, so that goods which came back were paid for. */
  original_refunded: bool,
  has_refund: bool,
});
export type LockedReturn = z.infer<typeof LockedReturn>;

const RETURN = `
  select so.so_id, so.so_number, so.external_id, so.warehouse_id, so.order_type, so.status,
    so.voided_at is not null as voided, so.parent_so_id, p.external_id as parent_external_id,
    coalesce(p.status = 'REFUNDED', false) as original_refunded,
    so.refund_so_id is not null or exists (
      select from sales_orders r where r.parent_so_id = so.so_id and r.order_type = 'refund') as has_refund
  from sales_orders so left join sales_orders p on p.so_id = so.parent_so_id where so.so_id = $1`;

/**
 * Locks a return of the caller's warehouses, which also serializes changes of its lines, and announces that stock may
 * increase in a bin. 404 for none, 403 in another warehouse.
 */
export async function lockReturn(
  tx: Tx,
  soId: number,
  by: Actor,
  arrival?: { item_id: number; bin_id: number },
): Promise<{ order: LockedReturn; increase: StockIncrease }> {
  const [, orders, increase] = await tx.inOrder([
    tx.run("select from sales_orders where so_id = $1 for update", [soId]),
    tx.rows(LockedReturn, RETURN, [soId]),
    arrival ? expectIncreaseIn(tx, "receipt", [arrival.item_id], [arrival.bin_id]) : noIncrease(tx),
  ]);
  return { order: findPermitted(orders, soId, by, SoNotFound), increase };
}
