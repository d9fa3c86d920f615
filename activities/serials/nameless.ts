import { z } from "zod";
import { int, text } from "../../src/platform/db/columns.js";
import type { Sql } from "../../src/platform/db/db.js";

const SerialItem = z.strictObject({ item_id: int, sku: text, serial_policy: text });
type SerialItem = z.infer<typeof SerialItem>;

/**
 * Those of the items that have serials, locked against others who name units that nobody knows, or change how many of
 * them nobody named: after orders and stock rows, before serials.
 */
export const lockSerialItems = (tx: Sql, itemIds: number[]): Promise<SerialItem[]> =>
  tx.rows(
    SerialItem,
    `select item_id, sku, serial_policy from items where item_id = any($1) and serial_policy <> 'none'
     order by item_id for no key update`,
    [itemIds],
  );

/**
 * How many units in the house, in no parcel, have no serial that is known, by item: those from before an item asked for
 * serials, say. Fewer than none where units left that nobody named.
 */
export async function namelessUnits(tx: Sql, itemIds: number[]): Promise<Map<number, number>> {
  const rows = await tx.rows(
    { item_id: int, units: int },
    `select item_id, (select coalesce(sum(quantity_on_hand), 0) from inventory v where v.item_id = i.item_id)
       + (select coalesce(sum(quantity_picked - greatest(quantity_packed, quantity_shipped)), 0)
          from sales_order_lines l
          where l.item_id = i.item_id and quantity_picked > greatest(quantity_packed, quantity_shipped))
       - (select count(*) from serials s where s.item_id = i.item_id and state = 'IN_STOCK') as units
     from unnest($1::int[]) as i(item_id)`,
    [itemIds],
  );
  return new Map(rows.map(({ item_id, units }) => [item_id, units]));
}
