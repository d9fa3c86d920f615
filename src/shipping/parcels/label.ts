import { z } from "zod";
import { arrayOf, int, number, text } from "../../platform/db/columns.js";
import { db } from "../../platform/db/db.js";
import { PARCEL_CODE } from "./code.js";
import { ParcelNotFound } from "./problems.js";

/** Labels of parcels, of our own: what a carrier prints is another. */

/** SQL: which of the parcels of its order that are not void the parcel `p` is, as JSON. */
export const PLACE_OF_PARCEL = `(
  select json_build_object('place', count(*) filter (where o.parcel_number <= p.parcel_number), 'of', count(*))
  from parcels o where o.so_id = p.so_id and (o.status <> 'VOIDED' or o.parcel_id = p.parcel_id))`;

export const ParcelToLabel = z.strictObject({
  warehouse_id: int,
  warehouse_code: text,
  so_number: text,
  barcode: text,
  parcel: z.strictObject({ place: int, of: int }),
  customer_name: text.nullable(),
  ship_to: arrayOf(text),
  box_code: text.nullable(),
  weight_lbs: number.nullable(),
});
export type ParcelToLabel = z.infer<typeof ParcelToLabel>;

/** The labels of parcels, in the order of their ids here; 404 `parcel_not_found`. */
export async function parcelsToLabel(parcelIds: number[]): Promise<ParcelToLabel[]> {
  const labels = await db.rows(
    ParcelToLabel,
    `select p.warehouse_id, warehouse_code, so_number, ${PARCEL_CODE("p.parcel_id")} as barcode,
       ${PLACE_OF_PARCEL} as parcel, so.customer_name,
       array_remove(array[nullif(so.shipping_address_postal_code, ''), nullif(so.shipping_address_city, ''),
                          nullif(so.shipping_address_country, '')], null) as ship_to,
       (select box_code from boxes where boxes.box_id = p.box_id) as box_code, p.weight_lbs::float8 as weight_lbs
     from unnest($1::int[]) with ordinality as asked(parcel_id, at) join parcels p using (parcel_id)
     join sales_orders so using (so_id) join warehouses w on w.warehouse_id = p.warehouse_id order by at`,
    [parcelIds],
  );
  if (labels.length < parcelIds.length) throw ParcelNotFound();
  return labels;
}
