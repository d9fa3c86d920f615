import { dayAt, zoneOf } from "../../platform/db/days.js";
import { db } from "../../platform/db/db.js";
import { HEAD_OF_SLIP, PackingSlip } from "../packing/slip.js";
import { PARCEL_CODE } from "./code.js";
import { PLACE_OF_PARCEL } from "./label.js";
import { ParcelNotFound } from "./problems.js";

/** SQL: the packing slips of parcels, `p`, each with what is in it alone. */
const SLIP_OF_PARCEL = `
  select ${HEAD_OF_SLIP}, ${PARCEL_CODE("p.parcel_id")} as barcode,
    ${dayAt("p.shipped_at", zoneOf("p.warehouse_id"))} as shipped_on,
    coalesce(p.service, so.ship_method) as ship_method, p.carrier, p.tracking_number,
    ${PLACE_OF_PARCEL} as parcel,
    (select coalesce(json_agg(json_build_object('sku', i.sku, 'item_name', i.item_name,
              'quantity_ordered', l.quantity_ordered, 'quantity_packed', l.quantity_packed,
              'quantity_shipped', l.quantity_shipped, 'quantity_enclosed', c.units, 'properties', l.properties,
              'lots', (select coalesce(json_agg(json_build_object('lot_number', x.lot_number,
                         'expiry_date', x.expiry_date, 'quantity', x.units) order by x.expiry_date, x.lot_number), '[]')
                       from (select o.lot_number, k.expiry_date, sum(o.quantity) as units
                             from parcel_lines o left join lots k using (item_id, lot_number)
                             where o.parcel_id = p.parcel_id and o.so_line_id = l.so_line_id
                               and o.lot_number is not null
                             group by o.lot_number, k.expiry_date) x))
              order by l.line_number, l.so_line_id), '[]')
     from (select so_line_id, sum(quantity) as units from parcel_lines o
           where o.parcel_id = p.parcel_id group by so_line_id) c
     join sales_order_lines l using (so_line_id) join items i using (item_id)) as lines
  from parcels p join sales_orders so using (so_id)`;

/** The packing slips of parcels, in the order of their ids here; 404 `parcel_not_found`. */
export async function slipsOfParcels(parcelIds: number[]): Promise<PackingSlip[]> {
  const slips = await db.rows(
    PackingSlip,
    `${SLIP_OF_PARCEL} join (select * from unnest($1::int[]) with ordinality) as asked (parcel_id, place)
       using (parcel_id) order by asked.place`,
    [parcelIds],
  );
  if (slips.length < parcelIds.length) throw ParcelNotFound();
  return slips;
}
