import { z } from "zod";
import { PrintedAddress } from "../../platform/address/lines.js";
import { arrayOf, int, text } from "../../platform/db/columns.js";
import { todayAt } from "../../platform/db/days.js";
import { db } from "../../platform/db/db.js";
import { paperSetting, SHIP_TO } from "../packing/slip.js";
import { PARCEL_CODE } from "../parcels/code.js";
import { parcelStatuses } from "../parcels/shapes.js";

/** SQL: the units in the parcel `p` by item, with what customs ask of them, as JSON. */
export const UNITS_FOR_CUSTOMS = `(
  select coalesce(json_agg(json_build_object('sku', i.sku, 'item_name', i.item_name, 'quantity', l.quantity,
      'hs_code', i.hs_code, 'origin_country', i.origin_country,
      'weight_lbs', nullif(i.weight_lbs, 0)::text, 'customs_value_minor', i.customs_value_minor,
      'customs_currency', i.customs_currency) order by i.sku), '[]')
  from (select item_id, sum(quantity) as quantity from parcel_lines where parcel_id = p.parcel_id group by item_id) l
  join items i using (item_id))`;

export const UnitsForCustoms = z.strictObject({
  sku: text,
  item_name: text,
  quantity: int,
  hs_code: text.nullable(),
  origin_country: text.nullable(),
  /** Of one unit, an exact decimal. */
  weight_lbs: text.nullable(),
  customs_value_minor: int.nullable(),
  customs_currency: text.nullable(),
});

export type UnitsForCustoms = z.infer<typeof UnitsForCustoms>;

export const ParcelForCustoms = z.strictObject({
  parcel_id: int,
  barcode: text,
  parcel_number: int,
  warehouse_id: int,
  so_number: text,
  status: z.enum(parcelStatuses),
  tracking_number: text.nullable(),
  weight_lbs: text.nullable(),
  /** By the clock of its warehouse. */
  today: text,
  sender: arrayOf(text),
  ship_to: PrintedAddress,
  recipient_country: text.nullable(),
  units: arrayOf(UnitsForCustoms),
});
export type ParcelForCustoms = z.infer<typeof ParcelForCustoms>;

/** A parcel with what customs ask of its contents; undefined where there is none. One round trip. */
export const parcelForCustoms = (parcelId: number): Promise<ParcelForCustoms | undefined> =>
  db.row(ParcelForCustoms, PARCEL, [parcelId]);

const PARCEL = `
  select p.parcel_id, ${PARCEL_CODE("p.parcel_id")} as barcode, p.parcel_number, p.warehouse_id, so.so_number,
    p.status, p.tracking_number, p.weight_lbs::text as weight_lbs, ${todayAt("p.warehouse_id")} as today,
    array_remove(array[${["company_name", "company_address"].map((key) => `nullif(${paperSetting(key)}, '')`)}],
                 null) as sender,
    ${SHIP_TO} as ship_to,
    so.shipping_address_country as recipient_country,
    ${UNITS_FOR_CUSTOMS} as units
  from parcels p join sales_orders so using (so_id) where p.parcel_id = $1`;
