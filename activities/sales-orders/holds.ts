import type { Actor } from "../../src/platform/actor.js";
import { int } from "../../src/platform/db/columns.js";
import type { HeldByHand, HoldReleased } from "../../src/sales-orders/edit-shapes.js";
import { isHoldable, OrderNotHoldable } from "../../src/sales-orders/fulfilment.js";
import { type HoldReason, OrderNotHeld, PARTS, refuseHeld } from "../../src/sales-orders/holds.js";
import { SoNotFound } from "../../src/sales-orders/problems.js";
import { command, type Tx } from "../command.js";
import { type ActionOrder, findPermitted, lockWithPicks } from "./orders-with-picks.js";

/**
 * Holds an order by hand, with what was split off or added and is under way: nothing of it is picked, packed or shipped
 * until somebody releases it, whatever its shop says. Audit SO_HELD.
 */
export function holdOrder({ so_id, reason }: { so_id: number; reason: string }, by: Actor): Promise<HeldByHand> {
  return command("sales-orders.hold", by, { so_id, reason }, async (tx) => {
    const orders = await lockWithPicks(tx, () => familyOf(tx, so_id));
    const order = findPermitted(orders, so_id, by, SoNotFound);
    refuseHeld(order);
    if (!isHoldable(order)) throw OrderNotHoldable({ so_number: order.so_number, status: order.status });
    const held = orders.filter((one) => one.hold_reason === null && isHoldable(one));
    await tx.run(
      `update sales_orders set hold_reason = 'by_hand', updated_at = clock_timestamp() where so_id = any($1)`,
      [held.map((one) => one.so_id)],
    );
    for (const one of held) auditHold(tx, "SO_HELD", one, { hold_reason: "by_hand", reason });
    return { so_id, hold_reason: "by_hand" };
  });
}

/**
 * Releases an order that is on hold, with its split-off and added orders: it continues as it is here, whatever its shop
 * wants by now. Later changes by the shop are applied as usual. Audit SO_HOLD_RELEASED.
 */
export function releaseHold({ so_id }: { so_id: number }, by: Actor): Promise<HoldReleased> {
  return command("sales-orders.releaseHold", by, { so_id }, async (tx) => {
    const orders = await lockWithPicks(tx, () => familyOf(tx, so_id));
    const { so_number, hold_reason } = findPermitted(orders, so_id, by, SoNotFound);
    if (hold_reason === null) throw OrderNotHeld({ so_number });
    const ids = orders.map((order) => order.so_id);
    await tx.run(
      `with differing as (
         select m.source_system, source_id
         from sales_orders so join cross_system_mappings m on m.canonical_id = so.external_id
         where so_id = any($1) and m.source_type = 'sales_order' and shop_difference is not null
       ), forgotten as (
         delete from connector_refusals r using differing d
         where r.error_kind = 'differs_from_shop' and r.sync_type = 'orders' and r.external_id = d.source_id
           and d.source_system = r.connector_name || '-' || r.warehouse_id
       )
       update sales_orders set hold_reason = null, shop_difference = null, updated_at = clock_timestamp()
       where so_id = any($1) and (hold_reason is not null or shop_difference is not null)`,
      [ids],
    );
    for (const one of orders.filter((one) => one.hold_reason !== null))
      auditHold(tx, "SO_HOLD_RELEASED", one, { hold_reason: one.hold_reason });
    return { so_id, hold_reason: null };
  });
}

/** Notes that an order is held, or is so no more. */
export function auditHold(
  tx: Tx,
  action: "SO_HELD" | "SO_HOLD_RELEASED",
  { so_id, so_number, warehouse_id }: Pick<ActionOrder, "so_id" | "so_number" | "warehouse_id">,
  details: { hold_reason: HoldReason | null; reason?: string; source?: "inbound" },
): void {
  tx.audit({ action, entity: "SO", entityId: so_id, warehouseId: warehouse_id, details: { so_number, ...details } });
}

/** An order, what it was split off from, and all that was split off from that or added to it. */
async function familyOf(tx: Tx, soId: number): Promise<number[]> {
  const rows = await tx.rows(
    { so_id: int },
    `with recursive above as (
       select so_id, parent_so_id, order_type from sales_orders where so_id = $1
       union
       select so.so_id, so.parent_so_id, so.order_type
       from above join sales_orders so on so.so_id = above.parent_so_id where above.order_type in ${PARTS}
     ), family as (
       select so_id from above
       union
       select so.so_id from family join sales_orders so on so.parent_so_id = family.so_id
       where so.order_type in ${PARTS}
     )
     select so_id from family order by so_id`,
    [soId],
  );
  return rows.map((row) => row.so_id);
}
