import { z } from "zod";
import { PrintedAddress } from "../../platform/address/lines.js";
import { arrayOf, int, text } from "../../platform/db/columns.js";
import { dayAt, zoneOf } from "../../platform/db/days.js";
import { db } from "../../platform/db/db.js";
import { asUuid } from "../../platform/values.js";
import { PICKED_LOTS, PickedLot } from "../../sales-orders/picked-lots.js";
import { SoNotFound } from "../../sales-orders/problems.js";
import { LineProperties } from "../../sales-orders/properties.js";
import { WHERE_SCANNED } from "../../sales-orders/scan-sql.js";
import { OrderType } from "../../sales-orders/shapes.js";

export const SlipLine = z.strictObject({
  sku: text,
  item_name: text,
  quantity_ordered: int,
  quantity_packed: int,
  quantity_shipped: int,
  /** The packed units, or those to be packed, as long as nothing is shipped. */
  quantity_enclosed: int,
  properties: LineProperties,
  lots: arrayOf(PickedLot),
});
export type SlipLine = z.infer<typeof SlipLine>;

/** The contents of a packing slip. */
export const PackingSlip = z.strictObject({
  so_id: int,
  warehouse_id: int,
  so_number: text,
  /** The code that is scanned to find the order. */
  barcode: text,
  order_type: OrderType,
  company_name: text,
  company_address: text,
  returns_text: text,
  /** The days of the order and of its shipment, by the company's clock. */
  order_date: text,
  shipped_on: text.nullable(),
  ship_method: text.nullable(),
  carrier: text.nullable(),
  tracking_number: text.nullable(),
  ship_to: PrintedAddress,
  /** Null where the order has none. */
  bill_to: PrintedAddress.nullable(),
  lines: arrayOf(SlipLine),
  /** Of the slip of one parcel: which it is of the order's; null where the slip is of the whole order. */
  parcel: z.strictObject({ place: int, of: int }).nullable(),
});
export type PackingSlip = z.infer<typeof PackingSlip>;

/** SQL: a setting of the company's papers; null where it is not set. */
export const paperSetting = (key: string) => `(select value from app_settings where key = 'picking_ticket_${key}')`;
/** SQL: columns with these settings; empty where they are not set. */
export const paperSettings = (...keys: string[]) => keys.map((key) => `coalesce(${paperSetting(key)}, '') as ${key}`);

const PARTS = Object.keys(PrintedAddress.shape);
/** SQL: an address as JSON, with these columns in place of its own. */
const addressOf = (columnOf: (part: string) => string) =>
  `json_build_object(${PARTS.map((part) => `'${part}', ${columnOf(part)}`).join(", ")})`;
const ofOrder = (whose: "shipping" | "billing") => addressOf((part) => `so.${whose}_address_${part}`);
const IN_ONE_TEXT: Record<string, string> = { name: "so.customer_name", line1: "so.ship_address" };

/** SQL: where the order `so` goes. */
export const SHIP_TO = `
  case when coalesce(so.shipping_address_line1, '') <> '' then ${ofOrder("shipping")}
       else ${addressOf((part) => IN_ONE_TEXT[part] ?? "null")} end`;

/** SQL: the head of a packing slip of the order `so`. */
export const HEAD_OF_SLIP = `
  so.so_id, so.warehouse_id, so.so_number, so.order_type,
  ${paperSettings("company_name", "company_address", "returns_text")},
  coalesce(so.order_date, ${dayAt("so.created_at", zoneOf("so.warehouse_id"))}) as order_date,
  ${SHIP_TO} as ship_to,
  case when coalesce(so.billing_address_line1, '') <> '' then ${ofOrder("billing")} end as bill_to`;

/** SQL: the packing slips of orders, `so`. */
const SLIP = `
  select ${HEAD_OF_SLIP}, coalesce(nullif(so.so_barcode, ''), so.so_number) as barcode,
    ${dayAt("so.shipped_at", zoneOf("so.warehouse_id"))} as shipped_on,
    so.ship_method, so.carrier, so.tracking_number, null as parcel,
    (select coalesce(json_agg(json_build_object('sku', i.sku, 'item_name', i.item_name,
              'quantity_ordered', l.quantity_ordered, 'quantity_packed', l.quantity_packed,
              'quantity_shipped', l.quantity_shipped,
              'quantity_enclosed', greatest(l.quantity_packed, l.quantity_picked),
              'properties', l.properties, 'lots', ${PICKED_LOTS})
              order by l.line_number, l.so_line_id), '[]')
     from sales_order_lines l join items i using (item_id) where l.so_id = so.so_id) as lines
  from sales_orders so`;

/** The packing slip of a scanned order; undefined if there is none in these warehouses. One round trip. */
export const packingSlip = (barcode: string, warehouses: number[] | null): Promise<PackingSlip | undefined> =>
  db.row(PackingSlip, `${SLIP} ${WHERE_SCANNED}`, [barcode, warehouses, asUuid(barcode)]);

/** The packing slips of orders, in the order of their ids here; 404 `so_not_found`. */
export async function packingSlips(soIds: number[]): Promise<PackingSlip[]> {
  const slips = await db.rows(
    PackingSlip,
    `${SLIP} join (select * from unnest($1::int[]) with ordinality) as asked (so_id, place) using (so_id)
     order by place`,
    [soIds],
  );
  if (slips.length < soIds.length) throw SoNotFound();
  return slips;
}
