import type { z } from "zod";
import { db } from "../../platform/db/db.js";
import { Item } from "./shapes.js";

/** Labels of items, for goods that came without a barcode. */

export const LabelledItem = Item.pick({ sku: true, item_name: true, item_id: true, upc: true });
export type LabelledItem = z.infer<typeof LabelledItem>;

/** The items in the order of the given ids; unknown ones are left out. */
export function itemsToLabel(itemIds: number[]): Promise<LabelledItem[]> {
  return db.rows(
    LabelledItem,
    `select item_id, sku, item_name, upc from unnest($1::int[]) with ordinality as named(item_id, place)
     join items using (item_id) order by place`,
    [itemIds],
  );
}
