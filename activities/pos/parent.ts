import { z } from "zod";
import type { Actor } from "../../src/platform/actor.js";
import { int, text } from "../../src/platform/db/columns.js";
import { ParentSoNotFound, ParentSoRequired } from "../../src/pos/problems.js";
import type { Sale } from "../../src/pos/shapes.js";
import { isFulfilled } from "../../src/sales-orders/fulfilment.js";
import { OrderType } from "../../src/sales-orders/shapes.js";
import type { Tx } from "../command.js";

/** The order that a replacement or an exchange belongs to. */
export const Parent = z.strictObject({
  so_id: int,
  so_number: text,
  external_id: text,
  warehouse_id: int,
  order_type: OrderType,
});
export type Parent = z.infer<typeof Parent>;

/**
 * Locks that order; a plain sale has none. Throws when no order is named, or when it does not exist in these
 * warehouses.
 */
export async function lockParent(
  tx: Tx,
  { order_type, parent_so_number }: Pick<Sale, "order_type" | "parent_so_number">,
  { warehouseIds }: Actor,
): Promise<Parent | undefined> {
  if (order_type === "sale") return undefined;
  if (!parent_so_number) throw ParentSoRequired({}, { field: "parent_so_number" });
  const parent = await tx.row(
    Parent,
    `select so_id, so_number, external_id, warehouse_id, order_type
     from sales_orders where so_number = $1 and warehouse_id = any($2) for update`,
    [parent_so_number, warehouseIds],
  );
  if (!parent || !isFulfilled(parent.order_type)) throw ParentSoNotFound();
  return parent;
}
