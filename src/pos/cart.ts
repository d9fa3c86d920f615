import { z } from "zod";
import { ItemRow } from "../master-data/items/shapes.js";
import { bool, int } from "../platform/db/columns.js";
import type { CartConflict, CartLine, CartReason } from "./shapes.js";

/** The ids of a line's codes; null for a code that does not exist, or is inactive. */
export const NamedLine = z.strictObject({
  item_id: int.nullable(),
  item_is_active: bool.nullable(),
  warehouse_id: int.nullable(),
  bin_id: int.nullable(),
  lot_picking: ItemRow.shape.lot_picking.nullable(),
  serial_policy: ItemRow.shape.serial_policy.nullable(),
});
export type NamedLine = z.infer<typeof NamedLine>;

/** Why a line cannot be sold whatever the stock: the first reason of docs/interface.md, Tills. */
export function reasonAgainst(
  line: NamedLine,
  warehouseIds: number[],
): Exclude<CartReason, "insufficient_stock"> | undefined {
  if (line.item_id === null) return "sku_not_found";
  if (!line.item_is_active) return "item_inactive";
  if (line.warehouse_id === null) return "warehouse_not_found";
  if (!warehouseIds.includes(line.warehouse_id)) return "warehouse_not_in_scope";
  if (line.bin_id === null) return "bin_not_found";
  return undefined;
}

/**
 * The lines of a cart that cannot be sold. Several lines of one bin use up what is free there in turn, so a cart is
 * valid once every line has no more than its `available_qty`.
 * @param named What the lines name, and the units that are free there.
 */
export function conflictsOf(
  lines: CartLine[],
  named: (NamedLine & { free: number })[],
  warehouseIds: number[],
): CartConflict[] {
  const left = new Map<string, number>();
  return lines.flatMap(({ quantity, ...line }, line_index) => {
    const { free, ...names } = named[line_index] as NamedLine & { free: number };
    const conflict = { line_index, ...line, requested_qty: quantity };
    const reason = reasonAgainst(names, warehouseIds);
    if (reason) return { ...conflict, reason };
    const place = `${names.item_id} ${names.bin_id}`;
    const available_qty = left.get(place) ?? free;
    left.set(place, Math.max(0, available_qty - quantity));
    return quantity > available_qty ? { ...conflict, reason: "insufficient_stock" as const, available_qty } : [];
  });
}
