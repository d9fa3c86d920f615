import { z } from "zod";
import { text } from "../platform/db/columns.js";
import { fromDay, toDay, zoneOf } from "../platform/db/days.js";
import { db } from "../platform/db/db.js";
import { builder, codeOf, containing, isFoundByIndex } from "../platform/db/list.js";
import { listPage } from "../platform/db/listing.js";
import { fewWith, type ShortSearch } from "../platform/db/short-search.js";
import { asUuid } from "../platform/values.js";
import { HoldReason } from "../sales-orders/holds.js";
import { IS_SHORT } from "../sales-orders/open-work.js";
import { ORDER_TEXTS } from "../sales-orders/queries.js";
import { ORDER_JSON, WHERE_SCANNED } from "../sales-orders/scan-sql.js";
import { OrderType } from "../sales-orders/shapes.js";
import { PARCEL_CODE, parcelOfCode } from "./parcels/code.js";
import { ADDRESS_CHANGED } from "./parcels/sent-to.js";
import { OrderToShip, Shipment, type ShipmentFilters, shipmentList } from "./shapes.js";

/** Type and hold are not part of the answer: they are read to refuse returns and orders on hold. */
const OrderToShipRow = z.strictObject({
  ...OrderToShip.shape,
  order_type: OrderType,
  hold_reason: HoldReason.nullable(),
});
type OrderToShipRow = z.infer<typeof OrderToShipRow>;

/** SQL: the closed parcels of the order `so`. */
const PARCELS_TO_SHIP = `(
  select coalesce(json_agg(json_build_object(
      'parcel_id', p.parcel_id, 'parcel_number', p.parcel_number, 'barcode', ${PARCEL_CODE("p.parcel_id")},
      'carrier', p.carrier, 'tracking_number', p.tracking_number, 'address_changed', ${ADDRESS_CHANGED})
      order by p.parcel_number), '[]')
  from parcels p where p.so_id = so.so_id and p.status = 'CLOSED')`;

/** The number of the order that a parcel is of, by the code on its label. */
export async function orderOfParcel(code: string): Promise<string | undefined> {
  const parcelId = parcelOfCode(code);
  if (parcelId === undefined) return undefined;
  const sql = "select so_number from parcels join sales_orders using (so_id) where parcel_id = $1";
  return (await db.row(NumberRow, sql, [parcelId]))?.so_number;
}
const NumberRow = { so_number: text };

/** A scanned sales order as shipping needs it (docs/interface.md, Shipping). One round trip. */
export function orderToShip(barcode: string, warehouses: number[] | null): Promise<OrderToShipRow | undefined> {
  return db.row(
    OrderToShipRow,
    `select ${ORDER_JSON} as sales_order, so.order_type, so.hold_reason, ${IS_SHORT} as is_short, l.*,
       ${PARCELS_TO_SHIP} as parcels
     from sales_orders so cross join lateral (
       select
         coalesce(json_agg(json_build_object(
           'so_line_id', l.so_line_id, 'line_number', l.line_number, 'item_id', i.item_id, 'sku', i.sku,
           'item_name', i.item_name, 'quantity_ordered', l.quantity_ordered, 'quantity_picked', l.quantity_picked)
           order by l.line_number, l.so_line_id), '[]') as lines,
         coalesce(sum(l.quantity_picked), 0) as total_items,
         count(*)::int as total_lines
       from sales_order_lines l join items i using (item_id) where l.so_id = so.so_id) l
     ${WHERE_SCANNED}`,
    [barcode, warehouses, asUuid(barcode)],
  );
}

const SHIPMENT = [
  ...["fulfillment_id", "so_id", "warehouse_id", "carrier", "tracking_number", "ship_method", "status"],
  ...["shipped_by", "shipped_at", "voided_at", "voided_by", "void_reason"],
]
  .map((column) => `f.${column}`)
  .join();

/** Found by either number, or by the external id of the order, each by its own index. */
const SEARCHED = `f.fulfillment_id in (
  select fulfillment_id from item_fulfillments where tracking_number ilike :like
  union all
  select fulfillment_id from item_fulfillments join sales_orders using (so_id) where so_number ilike :like
  union all
  select fulfillment_id from item_fulfillments join sales_orders so using (so_id) where so.external_id = :uuid)`;

const TRACKING: ShortSearch = {
  table: "item_fulfillments",
  key: "fulfillment_id",
  texts: ["tracking_number"],
  together: "tracking_number",
};

/** The same for what many have and no index finds: a page is full after a few rows. */
const SEARCHED_ON_THE_WAY = `(
  f.tracking_number ilike :like or so.so_number ilike :like or so.external_id = :uuid)`;

/** A page of shipments, newest first, voided ones too. */
export async function shipments(filters: ShipmentFilters, warehouseIds: number[] | null) {
  const { warehouse_id, carrier, q, date_from, date_to, sort } = filters;
  // Each has its order. The planner drops only a left join when shipments are counted, and begins with the orders, in
  // their own order, only where it is none.
  const isByOrder = sort?.some(({ column }) => column.startsWith("so."));
  const query = builder("item_fulfillments as f")
    [isByOrder ? "join" : "leftJoin"]("sales_orders as so", "so.so_id", "f.so_id")
    .select(
      builder.raw(
        `${SHIPMENT}, so.external_id as so_external_id, so.so_number, so.customer_name,
         (select coalesce(sum(quantity_shipped), 0) from item_fulfillment_lines l
          where l.fulfillment_id = f.fulfillment_id) as total_quantity,
         ${codeOf("f.warehouse_id")}`,
      ),
    )
    .orderBy([
      { column: "f.shipped_at", order: "desc" },
      { column: "f.fulfillment_id", order: "desc" },
    ]);
  if (warehouseIds) query.whereIn("f.warehouse_id", warehouseIds);
  if (warehouse_id) query.where("f.warehouse_id", warehouse_id);
  if (carrier) query.whereRaw("lower(f.carrier) = lower(?)", carrier);
  if (q) {
    const words = { like: containing(q), uuid: asUuid(q) };
    const tracked = await fewWith(q, "f.fulfillment_id", TRACKING);
    const ordered = tracked && (await fewWith(q, "f.so_id", { ...ORDER_TEXTS, texts: ["so_number"] }));
    if (ordered) query.whereRaw(`(${tracked.sql} or ${ordered.sql})`, ordered.words as never);
    else query.whereRaw(isFoundByIndex(q) ? SEARCHED : SEARCHED_ON_THE_WAY, words as never);
  }
  if (date_from) query.whereRaw(fromDay("f.shipped_at", ":day", zoneOf("f.warehouse_id")), { day: date_from });
  if (date_to) query.whereRaw(toDay("f.shipped_at", ":day", zoneOf("f.warehouse_id")), { day: date_to });
  return listPage(Shipment, "shipments", query, filters, shipmentList);
}
