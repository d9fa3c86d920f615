import { z } from "zod";
import { LockHeld } from "../../src/inbound/problems.js";
import { int, text } from "../../src/platform/db/columns.js";
import { PARTS } from "../../src/sales-orders/holds.js";
import { LineProperties } from "../../src/sales-orders/properties.js";
import type { Tx } from "../command.js";
import { type ActionOrder, lockWithPicks } from "../sales-orders/orders-with-picks.js";

/** An order of a source, or an order that was split off it or added to it since. */
export interface OrderPart extends ActionOrder {
  /** Whether the order is in an active wave. */
  in_batch: boolean;
  lines: PartLine[];
}

export const PartLine = z.strictObject({
  so_line_id: int,
  item_id: int,
  sku: text,
  line_number: int,
  quantity_ordered: int,
  quantity_allocated: int,
  quantity_picked: int,
  quantity_shipped: int,
  properties: LineProperties,
});
export type PartLine = z.infer<typeof PartLine>;

/** SQL of a recursive `family`: the order with this id, and all its parts. */
const FAMILY = `
  with recursive family as (
    select so_id from sales_orders where external_id = $1
    union
    select so.so_id from family join sales_orders so on so.parent_so_id = family.so_id
    where so.order_type in ${PARTS}
  )`;

/**
 * Locks an order of a source with all its parts, after the batches that pick them. The order itself comes first in the
 * result.
 */
export async function lockParts(tx: Tx, canonicalId: string): Promise<OrderPart[]> {
  const orders = await lockWithPicks(tx, async () => {
    const rows = await tx.rows({ so_id: int }, `${FAMILY} select so_id from family order by so_id`, [canonicalId]);
    return rows.map(({ so_id }) => so_id);
  });
  // It left since it was read; when the sender tries again it is found to be retired.
  if (orders.length === 0) throw LockHeld();
  const ids = orders.map(({ so_id }) => so_id);
  const [lines, batches] = await Promise.all([
    tx.rows(
      { ...PartLine.shape, so_id: int },
      `select so_id, so_line_id, item_id, sku, line_number, quantity_ordered, quantity_allocated, quantity_picked,
              quantity_shipped, properties
       from sales_order_lines join items using (item_id) where so_id = any($1) order by so_id, line_number, so_line_id`,
      [ids],
    ),
    tx.rows({ so_id: int }, "select so_id from pick_batch_orders where so_id = any($1) and active", [ids]),
  ]);
  return orders
    .map((order) => ({
      ...order,
      in_batch: batches.some(({ so_id }) => so_id === order.so_id),
      lines: lines.filter(({ so_id }) => so_id === order.so_id),
    }))
    .sort((a, b) => Number(b.external_id === canonicalId) - Number(a.external_id === canonicalId));
}

const ENDED = ["CANCELLED", "REFUNDED"];
/** Whether anything of an order was shipped, or is still to be shipped. */
export const isLive = ({ status }: Pick<OrderPart, "status">): boolean => !ENDED.includes(status);

/** Whether units that nobody has picked may still be added to an order, or removed from it. */
export const isOpen = ({ status, in_batch }: OrderPart): boolean =>
  !in_batch && (status === "OPEN" || status === "FRAUD_REVIEW" || status === "WAITING_STOCK");

export type Units = Map<number, number>;

/** Adds units of an item; an item that comes to zero is removed. */
export function add(units: Units, itemId: number, more: number): void {
  const sum = (units.get(itemId) ?? 0) + more;
  if (sum === 0) units.delete(itemId);
  else units.set(itemId, sum);
}

/** Units by item over the live orders among these. */
export function unitsOf(parts: OrderPart[], counted: "quantity_ordered" | "quantity_shipped"): Units {
  const units: Units = new Map();
  for (const line of parts.filter(isLive).flatMap(({ lines }) => lines)) add(units, line.item_id, line[counted]);
  return units;
}

/** How many units of each item the first has more than the second; negative where it has less. */
export function difference(some: Units, others: Units): Units {
  const units: Units = new Map(some);
  for (const [itemId, quantity] of others) add(units, itemId, -quantity);
  return units;
}

export const fromJson = (units: Record<string, number> | null | undefined): Units =>
  new Map(Object.entries(units ?? {}).map(([itemId, quantity]) => [Number(itemId), quantity]));
