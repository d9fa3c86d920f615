import { db } from "../../db/db.js";
import type { NewSheet } from "../../labels/print.js";
import type { Sheet } from "../../labels/sheet.js";
import type { Item } from "./shapes.js";

/** Labels of items, for goods that came without a barcode. */

type LabelledItem = Pick<Item, "item_id" | "sku" | "item_name" | "upc">;

/** The items in the order of their ids here; those that do not exist are left out. */
export function itemsToLabel(itemIds: number[]): Promise<LabelledItem[]> {
  return db.rows<LabelledItem>(
    `select item_id, sku, item_name, upc from unnest($1::int[]) with ordinality as named(item_id, place)
     join items using (item_id) order by place`,
    [itemIds],
  );
}

export function* drawItems(items: LabelledItem[], newSheet: NewSheet, copies = 1): Generator<Sheet> {
  for (const item of items) {
    const sheet = newSheet();
    const { height } = sheet.inner;
    sheet.write(sheet.part(0, 0.18), item.sku, { size: Math.min(height * 0.15, 12), lines: 2, weight: "bold" });
    const name = { size: Math.min(height * 0.11, 8), lines: 3, smallest: 2.2 };
    sheet.write(sheet.part(0.19, 0.46), item.item_name, name);
    // What the floor scans is the UPC, or the SKU of an item without one.
    sheet.barcode(sheet.part(0.49, 1), item.upc || item.sku);
    for (let copy = 0; copy < copies; copy++) yield sheet;
  }
}
