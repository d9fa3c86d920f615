import { drawing } from "../../platform/labels/drawing.js";
import type { ParcelToLabel } from "./label.js";

export const parcelLabels = drawing(import.meta.url, "parcelLabels", function* (parcels: ParcelToLabel[], newSheet) {
  for (const { so_number, parcel, barcode, customer_name, ship_to, box_code, weight_lbs, warehouse_code } of parcels) {
    const sheet = newSheet();
    const { height } = sheet.inner;
    const head = { size: Math.min(height * 0.15, 12), weight: "bold" } as const;
    sheet.write(sheet.part(0, 0.18, 0, 0.66), so_number, head);
    sheet.write(sheet.part(0, 0.18, 0.68), `${parcel.place} of ${parcel.of}`, { ...head, align: "right" });
    const text = { size: Math.min(height * 0.1, 7), lines: 2 };
    sheet.write(sheet.part(0.19, 0.39), [customer_name, ...ship_to].filter(Boolean).join(", "), text);
    sheet.barcode(sheet.part(0.41, 0.86), barcode);
    const facts = [warehouse_code, box_code, weight_lbs === null ? null : `${weight_lbs} lb`];
    const foot = { size: Math.min(height * 0.08, 5), align: "center" } as const;
    sheet.write(sheet.part(0.9, 1), facts.filter(Boolean).join(" · "), foot);
    yield sheet;
  }
});
