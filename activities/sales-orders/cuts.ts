import { z } from "zod";
import { int, text } from "../../src/platform/db/columns.js";
import { NothingLeft, OverShort, ShortLineNotOnOrder } from "../../src/sales-orders/backorder-problems.js";
import type { PartialFulfilment, ShrinkLine } from "../../src/sales-orders/backorder-shapes.js";
import { LineProperties } from "../../src/sales-orders/properties.js";
import type { Tx } from "../command.js";
import { removeFromEndedTasks } from "./lines.js";
import type { ActionOrder } from "./orders-with-picks.js";

/** Reducing the lines of a locked order by the units that are short. */

export async function itemsOf(tx: Tx, soId: number, lineIds: number[]): Promise<number[]> {
  const items = await tx.rows(
    { item_id: int },
    "select distinct item_id from sales_order_lines where so_id = $1 and so_line_id = any($2)",
    [soId, lineIds],
  );
  return items.map((item) => item.item_id);
}

export const OrderLine = z.strictObject({
  so_line_id: int,
  item_id: int,
  item_external_id: text,
  sku: text,
  item_name: text,
  line_number: int,
  quantity_ordered: int,
  quantity_allocated: int,
  quantity_picked: int,
  properties: LineProperties,
});
export type OrderLine = z.infer<typeof OrderLine>;

export const linesOf = (tx: Tx, soId: number) =>
  tx.rows(
    OrderLine,
    `select so_line_id, item_id, i.external_id as item_external_id, sku, item_name, line_number, quantity_ordered,
            quantity_allocated, quantity_picked, properties
     from sales_order_lines join items i using (item_id) where so_id = $1 order by line_number, so_line_id`,
    [soId],
  );

/** How much a line is reduced. */
export type Cut = Omit<ShrinkLine, "adjustment_qty"> & { line: OrderLine };

/** How much each named line is reduced. Throws when a line is not on the order, or too much of it is short. */
export function cutsOf({ so_number }: ActionOrder, lines: OrderLine[], sent: PartialFulfilment["lines"]): Cut[] {
  const known = new Set(lines.map((line) => line.so_line_id));
  const missing = [...new Set(sent.map((cut) => cut.so_line_id).filter((id) => !known.has(id)))];
  if (missing.length > 0)
    throw ShortLineNotOnOrder({ so_number, missing: missing.join(", ") }, { missing_line_ids: missing });
  const cuts = lines.flatMap((line) => {
    const { so_line_id, item_id, item_external_id, sku, item_name, line_number } = line;
    const short_qty = unitsOf(sent, so_line_id);
    if (short_qty === 0) return [];
    const remaining = line.quantity_ordered - line.quantity_picked;
    if (short_qty > remaining)
      throw OverShort({ sku, remaining, requested: short_qty }, { so_line_id, requested: short_qty, remaining });
    const ordered_after = line.quantity_ordered - short_qty;
    return [
      {
        ...{ so_line_id, item_id, sku, item_name, item_external_id, line_number },
        ...{ ordered_before: line.quantity_ordered, short_qty, ordered_after, line_deleted: ordered_after === 0 },
        line,
      },
    ];
  });
  const ordered = lines.reduce((sum, line) => sum + line.quantity_ordered, 0);
  if (ordered === cuts.reduce((sum, cut) => sum + cut.short_qty, 0)) throw NothingLeft({ so_number });
  return cuts;
}

const unitsOf = (sent: PartialFulfilment["lines"], soLineId: number) =>
  sent.filter((cut) => cut.so_line_id === soLineId).reduce((sum, cut) => sum + cut.short_qty, 0);

/** Reduces the ordered quantities; lines of which nothing is left are deleted. */
export async function shrinkLines(tx: Tx, cuts: Omit<ShrinkLine, "adjustment_qty">[]): Promise<void> {
  const gone = cuts.filter((cut) => cut.line_deleted).map((cut) => cut.so_line_id);
  if (gone.length > 0) await removeFromEndedTasks(tx, gone);
  await tx.run("delete from sales_order_lines where so_line_id = any($1)", [gone]);
  await tx.run(
    `update sales_order_lines l
     set quantity_ordered = c.units,
         status = case when l.status = 'PENDING' and quantity_picked >= c.units then 'PICKED' else l.status end
     from unnest($1::int[], $2::int[]) as c(so_line_id, units) where l.so_line_id = c.so_line_id`,
    [cuts.map((cut) => cut.so_line_id), cuts.map((cut) => cut.ordered_after)],
  );
}
