import { z } from "zod";
import { int } from "../../src/platform/db/columns.js";
import type { Tx } from "../command.js";
import type { OrderLine } from "./lines.js";

/** Units of an item in an order and its live backorders. */
const Units = z.strictObject({ item_id: int, ordered: int, unshipped: int });
type Units = z.infer<typeof Units>;

/** What a locked order was for before it was split; empty where it was not split. */
export const unitsOfSplit = (tx: Tx, soId: number): Promise<Units[]> =>
  tx.rows(
    Units,
    `with recursive family as (
       select so_id from sales_orders where so_id = $1
       union
       select so.so_id from family join sales_orders so on so.parent_so_id = family.so_id
       where so.order_type = 'backorder' and so.status not in ('CANCELLED', 'REFUNDED')
     )
     select item_id, sum(quantity_ordered) as ordered, sum(quantity_ordered - quantity_shipped) as unshipped
     from family join sales_order_lines using (so_id)
     where (select count(*) from family) > 1 group by item_id`,
    [soId],
  );

/**
 * Whether the lines that a source sent equal, item by item, either what was ordered in all parts of a split order, or
 * what of it is not shipped yet: sources send the one or the other.
 */
export function saysTheSame(sent: OrderLine[], units: Units[]): boolean {
  const said = new Map<number, number>();
  for (const { item_id, quantity_ordered } of sent) said.set(item_id, (said.get(item_id) ?? 0) + quantity_ordered);
  return (["ordered", "unshipped"] as const).some((counted) => {
    const known = units.filter((one) => one[counted] > 0);
    return known.length === said.size && known.every((one) => said.get(one.item_id) === one[counted]);
  });
}
