import { z } from "zod";
import { int } from "../../platform/db/columns.js";
import { fromDay, toDay, zoneOf } from "../../platform/db/days.js";
import { db, type Sql } from "../../platform/db/db.js";
import { builder, codeOf, containing } from "../../platform/db/list.js";
import { listPage } from "../../platform/db/listing.js";
import { asUuid } from "../../platform/values.js";
import { PARCEL_CODE, parcelOfCode } from "./code.js";
import { UNITS_IN_PARCELS } from "./rest.js";
import { ADDRESS_CHANGED } from "./sent-to.js";
import { ListedParcel, Parcel, type ParcelFilters, ParcelsOfOrder, parcelList } from "./shapes.js";

/** The columns of a parcel `p` of the order `so`, and of where it is (`t`). */
const PARCEL = `
  p.parcel_id, p.external_id, p.so_id, so.so_number, p.warehouse_id, ${codeOf("p.warehouse_id")}, p.parcel_number,
  ${PARCEL_CODE("p.parcel_id")} as barcode, p.status, p.box_id,
  (select box_code from boxes b where b.box_id = p.box_id) as box_code,
  p.length_in::float8 as length_in, p.width_in::float8 as width_in, p.height_in::float8 as height_in,
  p.weight_lbs::float8 as weight_lbs, p.carrier, p.service, p.tracking_number, p.cost_minor, p.cost_currency,
  p.fulfillment_id, ${ADDRESS_CHANGED} as address_changed,
  (select coalesce(sum(quantity), 0) from parcel_lines l where l.parcel_id = p.parcel_id) as total_quantity,
  t.status as tracking_status, t.status_at as tracking_status_at, t.expected_day,
  p.closed_at, p.closed_by, p.shipped_at, p.voided_at, p.voided_by, p.void_reason, p.created_at, p.updated_at`;

const LINES = `(
  select coalesce(json_agg(json_build_object(
      'parcel_line_id', l.parcel_line_id, 'so_line_id', l.so_line_id, 'item_id', l.item_id, 'sku', i.sku,
      'item_name', i.item_name, 'lot_number', l.lot_number, 'serial_number', l.serial_number, 'quantity', l.quantity)
      order by l.parcel_line_id), '[]')
  from parcel_lines l join items i using (item_id) where l.parcel_id = p.parcel_id) as lines`;

const WITH_LINES = `
  select ${PARCEL}, ${LINES} from parcels p join sales_orders so using (so_id)
  left join parcel_trackings t on t.parcel_id = p.parcel_id and t.tracking_number = p.tracking_number`;

/** A parcel with what is in it. */
export async function parcelById(sql: Sql, parcelId: number): Promise<Parcel | undefined> {
  return sql.row(Parcel, `${WITH_LINES} where p.parcel_id = $1`, [parcelId]);
}

/** The parcels of an order with what is in them, voided ones too. */
const parcelsOf = (sql: Sql, soId: number): Promise<Parcel[]> =>
  sql.rows(Parcel, `${WITH_LINES} where p.so_id = $1 order by p.parcel_number`, [soId]);

/** A page of parcels, the newest first; `q` is looked for in tracking and order numbers, or is a parcel's code. */
export function parcels(filters: ParcelFilters, warehouseIds: number[] | null) {
  const { warehouse_id, so_id, status, box_id, tracking_status, carrier, q, date_from, date_to } = filters;
  const query = builder("parcels as p")
    .leftJoin("sales_orders as so", "so.so_id", "p.so_id")
    .leftJoin("parcel_trackings as t", { "t.parcel_id": "p.parcel_id", "t.tracking_number": "p.tracking_number" })
    .select(builder.raw(PARCEL))
    .orderBy("p.parcel_id", "desc");
  if (warehouseIds) query.whereIn("p.warehouse_id", warehouseIds);
  if (warehouse_id) query.where("p.warehouse_id", warehouse_id);
  if (so_id) query.where("p.so_id", so_id);
  if (status) query.where("p.status", status);
  if (box_id) query.where("p.box_id", box_id);
  if (tracking_status) query.where("t.status", tracking_status);
  if (carrier) query.whereRaw("lower(p.carrier) = lower(?)", carrier);
  if (q)
    query.whereRaw(
      `p.parcel_id in (
         select parcel_id from parcels where tracking_number ilike :like
         union all select parcel_id from parcels join sales_orders using (so_id) where so_number ilike :like
         union all select parcel_id from parcels where parcel_id = :id or external_id = :uuid)`,
      { like: containing(q), id: parcelOfCode(q) ?? null, uuid: asUuid(q) } as never,
    );
  if (date_from) query.whereRaw(fromDay("p.created_at", ":day", zoneOf("p.warehouse_id")), { day: date_from });
  if (date_to) query.whereRaw(toDay("p.created_at", ":day", zoneOf("p.warehouse_id")), { day: date_to });
  return listPage(ListedParcel, "parcels", query, filters, parcelList);
}

const OrderInParcels = z.strictObject({ ...ParcelsOfOrder.omit({ parcels: true }).shape, warehouse_id: int });

/** An order with its parcels, and what of it is in none; undefined when there is no such order. */
export async function orderInParcels(soId: number) {
  const [order, parcels] = await Promise.all([
    db.row(
      OrderInParcels,
      `select so_id, so_number, status as so_status, warehouse_id,
         (select coalesce(json_agg(json_build_object('so_line_id', so_line_id, 'item_id', item_id, 'sku', sku,
                    'item_name', item_name, 'quantity', rest) order by line_number, so_line_id), '[]')
          from (select so_line_id, line_number, item_id, sku, item_name,
                  quantity_picked - ${UNITS_IN_PARCELS} as rest
                from sales_order_lines l join items using (item_id) where l.so_id = so.so_id) lines
          where rest > 0) as unpacked
       from sales_orders so where so_id = $1`,
      [soId],
    ),
    parcelsOf(db, soId),
  ]);
  return order && { ...order, parcels };
}

/**
 * SQL: whether the order `so` ships as a whole: it is in no parcel, or one of them is left, closed, with all that has
 * not left yet.
 */
export const SHIPS_AS_ONE = `(
  select count(*) = 0 or (
    count(*) filter (where status <> 'SHIPPED') = 1 and bool_or(status = 'CLOSED')
    and sum(units) filter (where status = 'CLOSED')
      = (select sum(quantity_picked - quantity_shipped) from sales_order_lines l where l.so_id = so.so_id))
  from (select p.status, (select sum(quantity) from parcel_lines where parcel_id = p.parcel_id) as units
        from parcels p where p.so_id = so.so_id and p.status <> 'VOIDED') filled
  where units > 0)`;
