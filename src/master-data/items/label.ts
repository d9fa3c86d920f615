import type { z } from "zod";
import { db } from "../../platform/db/db.js";
import { ItemNotFound } from "../problems.js";
import { Item } from "./shapes.js";

/** Labels of items, for goods that came without a barcode. */

export const LabelledItem = Item.pick({ sku: true, item_name: true, item_id: true, upc: true });
export type LabelledItem = z.infer<typeof LabelledItem>;

/** The items in the order of the given ids; 404 `item_not_found`. */
export async function itemsToLabel(itemIds: number[]): Promise<LabelledItem[]> {
  const items = await db.rows(
    LabelledItem,
    `select item_id, sku, item_name, upc from unnest($1::int[]) with ordinality as named(item_id, place)
     join items using (item_id) order by place`,
    [itemIds],
  );
  if (items.length < itemIds.length) throw ItemNotFound();
  return items;
}
