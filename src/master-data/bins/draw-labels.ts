import { drawing } from "../../platform/labels/drawing.js";
import type { LabelledBin } from "./label.js";

export const binLabels = drawing(import.meta.url, "binLabels", function* (bins: LabelledBin[], newSheet) {
  for (const bin of bins) {
    const sheet = newSheet();
    const { height } = sheet.inner;
    const place = [bin.aisle, bin.row_num, bin.level_num, bin.position_num].filter(Boolean).join(" · ");
    const code = { size: height * 0.28, lines: 2, weight: "bold", align: "center" } as const;
    sheet.write(sheet.part(0, 0.34), bin.bin_code, code);
    sheet.barcode(sheet.part(0.36, 0.86), bin.bin_barcode);
    const foot = { size: Math.min(height * 0.09, 5) };
    sheet.write(sheet.part(0.88, 1, 0, 0.6), `${bin.warehouse_code} · ${bin.zone_name}`, foot);
    sheet.write(sheet.part(0.88, 1, 0.62, 1), place, { ...foot, align: "right" });
    yield sheet;
  }
});
