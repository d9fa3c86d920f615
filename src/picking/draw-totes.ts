import { drawing } from "../platform/labels/drawing.js";
import type { BatchToLabel } from "./tote-label.js";

export const toteLabels = drawing(import.meta.url, "toteLabels", function* (batch: BatchToLabel, newSheet) {
  const { batch_number, warehouse_code, totes } = batch;
  for (const [i, { tote_number, order_number, barcode }] of totes.entries()) {
    const sheet = newSheet();
    const { height } = sheet.inner;
    const head = { size: Math.min(height * 0.17, 14), weight: "bold" } as const;
    sheet.write(sheet.part(0, 0.2, 0, 0.6), tote_number ?? "TOTE", head);
    sheet.write(sheet.part(0, 0.2, 0.62), `${i + 1} of ${totes.length}`, { ...head, align: "right" });
    const order = { size: Math.min(height * 0.14, 10), lines: 2 };
    sheet.write(sheet.part(0.21, 0.39), order_number, order);
    sheet.barcode(sheet.part(0.41, 0.88), barcode);
    const foot = { size: Math.min(height * 0.08, 5), align: "center" } as const;
    sheet.write(sheet.part(0.9, 1), `${warehouse_code} · ${batch_number}`, foot);
    yield sheet;
  }
});
