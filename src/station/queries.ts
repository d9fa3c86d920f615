import { z } from "zod";
import { onlyOne } from "../platform/barcodes/match.js";
import { readScan } from "../platform/barcodes/scan.js";
import { byGtin, exactly } from "../platform/barcodes/sql.js";
import { bool, int } from "../platform/db/columns.js";
import { db } from "../platform/db/db.js";
import { SHIPPING_ADDRESS } from "../sales-orders/addresses.js";
import { isFulfilled } from "../sales-orders/fulfilment.js";
import { OrderType } from "../sales-orders/shapes.js";
import { shippableFrom } from "../shipping/guard.js";
import { SHIPS_AS_ONE } from "../shipping/parcels/queries.js";
import { StationItem, StationOrder } from "./shapes.js";

/** What shipping stations read, one round trip each; `warehouses` are those of the token. */

const OrderRow = z.strictObject({
  ...StationOrder.omit({ shippable: true, shippable_from_statuses: true }).shape,
  order_type: OrderType,
  packing_required: bool,
  ships_as_one: bool,
});

export async function stationOrder(soNumber: string, warehouses: number[]): Promise<StationOrder | undefined> {
  const row = await db.row(
    OrderRow,
    `select so_number, external_id, status, order_type, warehouse_id, customer_name, customer_phone, memo,
       ${SHIPPING_ADDRESS} as shipping_address,
       ship_method,
       (select coalesce(json_agg(json_build_object(
           'external_id', i.external_id, 'sku', sku, 'display_name', item_name, 'upc', upc,
           'qty', quantity_picked, 'qty_ordered', quantity_ordered, 'properties', properties)
           order by line_number, so_line_id), '[]')
        from sales_order_lines join items i using (item_id) where so_id = so.so_id) as items,
       to_json(order_total) as order_total, to_json(customer_shipping_paid) as customer_shipping_paid,
       created_by as marketplace, order_date, ${zulu("created_at")} as ff_created_at,
       (select shipped_by from item_fulfillments f where f.so_id = so.so_id and f.status = 'SHIPPED'
        order by fulfillment_id desc limit 1) as shipped_by,
       tracking_number, carrier, ${zulu("shipped_at")} as shipped_at, null as station_label,
       (select value from app_settings where key = 'require_packing_before_shipping')
         is distinct from 'false' as packing_required,
       ${SHIPS_AS_ONE} as ships_as_one
     from sales_orders so where so_number = $1 and warehouse_id = any($2)`,
    [soNumber, warehouses],
  );
  if (!row) return undefined;
  const { order_type, packing_required, ships_as_one, ...order } = row;
  const shippable_from_statuses = shippableFrom(packing_required);
  const shippable = isFulfilled(order_type) && shippable_from_statuses.includes(order.status) && ships_as_one;
  return { ...order, shippable, shippable_from_statuses };
}

/** The active item whose UPC or alias is the barcode, else whose GTIN it is, and its stock by bin. */
export async function stationItem(barcode: string, warehouses: number[]): Promise<StationItem | undefined> {
  const scan = readScan(barcode);
  const found = await db.rows(
    { ...StationItem.shape, item_id: int },
    `select i.item_id,
       json_build_object('external_id', i.external_id, 'sku', sku, 'item_name', item_name, 'upc', upc,
         'weight_lbs', nullif(weight_lbs, 0)) as item,
       (select coalesce(json_agg(stock order by warehouse_code, bin_code), '[]')
        from (select warehouse_id, warehouse_code, bin_code, bin_type, sum(quantity_on_hand) as quantity_on_hand,
                     sum(quantity_on_hand - quantity_allocated) as quantity_available
              from inventory v join bins b using (bin_id, warehouse_id) join warehouses using (warehouse_id)
              where v.item_id = i.item_id and warehouse_id = any($2)
              group by warehouse_id, warehouse_code, bin_code, bin_type having sum(quantity_on_hand) > 0) stock)
         as locations
     from items i
     where i.item_id = any(coalesce(
       ${exactly("$1::text", ["upc", "alias"], "is_active")}, ${byGtin("$3::text[]", ["upc", "alias"], "is_active")}))`,
    [barcode, warehouses, scan.forms],
  );
  return onlyOne(found, scan);
}

/** SQL of a time in the format of stations: to the microsecond, with `Z` (docs/interface.md, Shipping station). */
export const zulu = (time: string): string => `to_char(${time}, 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')`;
