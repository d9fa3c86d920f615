import { z } from "zod";
import { int, text } from "../platform/db/columns.js";
import type { Sql } from "../platform/db/db.js";
import { SilentShortfall } from "./problems.js";

/** An order line that got less than was ordered, without a reported short pick. */
export const Shortfall = z.strictObject({ so_number: text, sku: text, quantity_ordered: int, quantity_picked: int });
export type Shortfall = z.infer<typeof Shortfall>;

/**
 * The lines of these orders that were picked short without a reported short pick: their orders must not be completed,
 * packed or shipped (docs/interface.md, Picking). A short pick is reported for a line by a SHORT task of its own, or by
 * a portion in a SHORT task with a `short_quantity`.
 */
export function silentShortfalls(sql: Sql, soIds: number[]): Promise<Shortfall[]> {
  return sql.rows(
    Shortfall,
    `select so_number, sku, quantity_ordered, quantity_picked
     from sales_order_lines l join sales_orders using (so_id) join items using (item_id)
     where l.so_id = any($1) and quantity_picked < quantity_ordered and not exists (
       select from wave_pick_breakdown w join pick_tasks t using (pick_task_id)
       where w.so_line_id = l.so_line_id and t.status = 'SHORT'
         and (w.short_quantity > 0 or t.so_line_id = l.so_line_id))
     order by l.so_id, line_number, l.so_line_id`,
    [soIds],
  );
}

/** Throws 400 `silent_shortfall` when there are any. */
export function refuseShortfalls(lines: Shortfall[]): void {
  if (lines.length === 0) return;
  throw SilentShortfall({ skus: [...new Set(lines.map((line) => line.sku))].join(", ") }, { lines });
}

/** The same for one order whose lines were read already: the database is queried only when one was picked short. */
export async function refuseSilentShortfall(
  sql: Sql,
  order: { so_id: number; lines: { quantity_ordered: number; quantity_picked: number }[] },
): Promise<void> {
  if (order.lines.some((l) => l.quantity_picked < l.quantity_ordered))
    refuseShortfalls(await silentShortfalls(sql, [order.so_id]));
}
