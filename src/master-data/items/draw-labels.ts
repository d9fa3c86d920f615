import { drawing } from "../../platform/labels/drawing.js";
import type { LabelledItem } from "./label.js";

interface Copied {
  items: LabelledItem[];
  /** Copies of each label. */
  copies: number;
}

export const itemLabels = drawing(import.meta.url, "itemLabels", function* ({ items, copies }: Copied, newSheet) {
  for (const item of items) {
    const sheet = newSheet();
    const { height } = sheet.inner;
    sheet.write(sheet.part(0, 0.18), item.sku, { size: Math.min(height * 0.15, 12), lines: 2, weight: "bold" });
    const name = { size: Math.min(height * 0.11, 8), lines: 3, smallest: 2.2 };
    sheet.write(sheet.part(0.19, 0.46), item.item_name, name);
    // The UPC is scanned, or the SKU of an item without one.
    sheet.barcode(sheet.part(0.49, 1), item.upc || item.sku);
    for (let copy = 0; copy < copies; copy++) yield sheet;
  }
});
