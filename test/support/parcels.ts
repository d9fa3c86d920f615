import type { Caller } from "./caller.js";
import { db } from "./db.js";
import { unique } from "./unique.js";

/** What tests do with parcels. */

export const PARCELS = "/api/packing/parcels";

export interface MeasuredItem {
  weight?: string | null;
  /** Length, width and height in inches. */
  sides?: [number, number, number] | null;
}

/** Gives an item its measures. */
export const measure = (item_id: number, { weight = null, sides = null }: MeasuredItem): Promise<number> =>
  db.run("update items set weight_lbs = $2, length_in = $3, width_in = $4, height_in = $5 where item_id = $1", [
    ...[item_id, weight],
    ...(sides ?? [null, null, null]),
  ]);

/** A box of the catalogue: 10 by 8 by 6 inches, half a pound, at most 20 pounds. */
export const boxBody = (fields: object = {}) => ({
  ...{ box_code: `B${unique()}`, box_name: "Medium carton", length_in: 10, width_in: 8, height_in: 6 },
  ...{ tare_lbs: 0.5, max_weight_lbs: 20 },
  ...fields,
});

export const newBox = async (by: Caller, fields: object = {}): Promise<{ box_id: number; box_code: string }> =>
  by.ok("POST", "/api/admin/boxes", boxBody(fields));

/** A parcel of a picked order with units of an item, open. */
export async function openParcel(by: Caller, so_id: number, scanned_barcode?: string, quantity = 1) {
  const parcel = await by.ok("POST", PARCELS, { so_id });
  if (scanned_barcode) await by.ok("POST", `${PARCELS}/${parcel.parcel_id}/scan`, { scanned_barcode, quantity });
  return parcel as { parcel_id: number; parcel_number: number; external_id: string };
}

/** The same, closed. */
export async function closedParcel(by: Caller, so_id: number, scanned_barcode: string, quantity = 1) {
  const parcel = await openParcel(by, so_id, scanned_barcode, quantity);
  await by.ok("POST", `${PARCELS}/${parcel.parcel_id}/close`, { weight_lbs: 3 });
  return parcel;
}
