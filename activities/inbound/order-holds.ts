import { z } from "zod";
import { DiffersFromShop } from "../../src/inbound/problems.js";
import { int, text } from "../../src/platform/db/columns.js";
import type { HoldReason } from "../../src/sales-orders/holds.js";
import type { Tx } from "../command.js";
import { auditHold } from "../sales-orders/holds.js";
import type { ActionOrder } from "../sales-orders/orders-with-picks.js";
import type { Incoming } from "./incoming.js";
import { fromJson, isLive, lockParts, type Units } from "./order-parts.js";

const OpenDifferenceRow = { shop_difference: z.record(z.string(), int).nullable() };

/** What a shop wants of a locked order, and could not be done so far. */
export async function openDifference(tx: Tx, { so_id }: Pick<ActionOrder, "so_id">): Promise<Units> {
  const row = await tx.row(OpenDifferenceRow, "select shop_difference from sales_orders where so_id = $1", [so_id]);
  return fromJson(row?.shop_difference);
}

/**
 * Holds an order and its parts where they differ from what the shop wants, or where the shop has put it on hold, and
 * releases them once neither is so. A hold that a person released stays released until the shop sends something
 * else, and what a person holds stays held.
 */
export async function holdParts(
  tx: Tx,
  incoming: Incoming,
  { open, heldBefore }: { open: Units; heldBefore: boolean },
): Promise<void> {
  const parts = await lockParts(tx, incoming.canonicalId);
  const [order] = parts;
  if (!order) return;
  const held = incoming.shop?.held ?? heldBefore;
  const changes = held !== heldBefore;
  for (const part of parts) {
    const { so_id, hold_reason } = part;
    const byShop = changes ? held : hold_reason === "on_hold_in_shop" || (held && hold_reason !== null);
    const ended = !isLive(part) || part.status === "SHIPPED";
    const differs = open.size > 0 && (part === order || !ended);
    const ofShop: HoldReason | null = differs ? "differs_from_shop" : byShop && !ended ? "on_hold_in_shop" : null;
    const reason = hold_reason === "by_hand" && !ended ? hold_reason : ofShop;
    const difference = part === order && open.size > 0 ? JSON.stringify(Object.fromEntries(open)) : null;
    await tx.run(
      `update sales_orders set hold_reason = $2, shop_difference = $3, updated_at = clock_timestamp()
       where so_id = $1 and (hold_reason is distinct from $2::sales_order_hold or shop_difference is distinct from $3)`,
      [so_id, reason, difference],
    );
    if (reason === hold_reason) continue;
    const action = reason === null ? "SO_HOLD_RELEASED" : "SO_HELD";
    auditHold(tx, action, part, { hold_reason: reason ?? hold_reason, source: "inbound" });
  }
  if (open.size === 0) return;
  await incoming.shop?.differs?.(tx, DiffersFromShop({ number: order.so_number, what: await inWords(tx, open) }));
}

/** Such as `2 × MUG-BLUE fewer, 1 × CUP more`. */
async function inWords(tx: Tx, units: Units): Promise<string> {
  const items = await tx.rows(
    { item_id: int, sku: text },
    "select item_id, sku from items where item_id = any($1) order by sku",
    [[...units.keys()]],
  );
  return items
    .map(({ item_id, sku }) => {
      const quantity = units.get(item_id) ?? 0;
      return `${Math.abs(quantity)} × ${sku} ${quantity < 0 ? "fewer" : "more"}`;
    })
    .join(", ");
}
