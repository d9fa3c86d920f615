import { z } from "zod";
import { int, text } from "../platform/db/columns.js";
import { ItemNotOnOrder, LineNotOfItem, OverReturn } from "./problems.js";
import type { NewReturn } from "./shapes.js";

/** A line of the original order, and its units that are on returns which are not voided. */
export const ShippedLine = z.strictObject({ so_line_id: int, item_id: int, sku: text, shipped: int, returned: int });
export type ShippedLine = z.infer<typeof ShippedLine>;

/**
 * Units of an item of an order that can neither be returned nor refunded any more. An open return holds its units: they
 * come back once, either on it or, after it was voided, over the counter.
 */
export const TakenBack = z.strictObject({
  item_id: int,
  units: int,
  /** Those that have come back. */
  back: int,
  /** Those that have come back on returns. */
  returned: int,
});
export type TakenBack = z.infer<typeof TakenBack>;

export interface ReturnLine {
  item_id: number;
  sku: string;
  quantity: number;
  original_so_line_id: number | null;
}

/**
 * The lines of a return of an order, each with its original line where that is named, or is the only one of its item.
 * Throws 400 for an item that is not on the order, and for more than was shipped less what is taken back already: of
 * the item in any case, and of the line where one is named.
 * @param takenBack Units by item: see `TakenBack`.
 */
export function returnLines(
  so_number: string,
  sent: NewReturn["lines"],
  lines: ShippedLine[],
  takenBack: ReadonlyMap<number, number>,
): ReturnLine[] {
  const ofItem = new Map(takenBack);
  const ofLine = new Map(lines.map(({ so_line_id, returned }) => [so_line_id, returned]));
  return sent.map(({ item_id, quantity, original_so_line_id }) => {
    const candidates = lines.filter((line) => line.item_id === item_id);
    const [first, second] = candidates;
    if (!first) throw ItemNotOnOrder({ item_id, so_number });
    const { sku } = first;
    const original = original_so_line_id
      ? candidates.find((line) => line.so_line_id === original_so_line_id)
      : second
        ? null
        : first;
    if (original === undefined)
      throw LineNotOfItem({ item_id, so_number, original_so_line_id: original_so_line_id as number });
    const shipped = candidates.reduce((sum, line) => sum + line.shipped, 0);
    take(ofItem, item_id, { sku, shipped, quantity });
    if (original) take(ofLine, original.so_line_id, { sku, shipped: original.shipped, quantity });
    return { item_id, sku, quantity, original_so_line_id: original?.so_line_id ?? null };
  });
}

function take(
  returned: Map<number, number>,
  id: number,
  { sku, shipped, quantity }: { sku: string; shipped: number; quantity: number },
): void {
  const before = returned.get(id) ?? 0;
  const remaining = Math.max(0, shipped - before);
  if (quantity > remaining) throw OverReturn({ sku, requested: quantity, remaining, shipped, returned: before });
  returned.set(id, before + quantity);
}
