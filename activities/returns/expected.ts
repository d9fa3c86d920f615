import { z } from "zod";
import { int, text } from "../../src/platform/db/columns.js";
import { type Expected, SHOWN_SKUS } from "../../src/returns/workflow.js";

/** A line of a return. */
export const ReturnedLine = z.strictObject({
  so_line_id: int,
  item_id: int,
  sku: text,
  item_external_id: text,
  serial_policy: text,
  quantity_ordered: int,
  quantity_received: int,
});
export type ReturnedLine = z.infer<typeof ReturnedLine>;

/** SQL for the lines of a return, in order. */
export const LINES = `
  select so_line_id, item_id, sku, i.external_id as item_external_id, serial_policy, quantity_ordered,
         quantity_received
  from sales_order_lines l join items i using (item_id) where so_id = $1 order by line_number, so_line_id`;

export const remainingOf = (line: Pick<ReturnedLine, "quantity_ordered" | "quantity_received">): number =>
  line.quantity_ordered - line.quantity_received;

/** The units of these lines that have not come yet. */
export function expectedOf(lines: Pick<ReturnedLine, "sku" | "quantity_ordered" | "quantity_received">[]): Expected {
  const units = new Map<string, number>();
  for (const line of lines) units.set(line.sku, (units.get(line.sku) ?? 0) + remainingOf(line));
  const open = [...units].filter(([, left]) => left > 0);
  return {
    units: open.reduce((sum, [, left]) => sum + left, 0),
    first: open.slice(0, SHOWN_SKUS).map(([sku, left]) => ({ sku, units: left })),
  };
}
