import { onlyOne } from "../platform/barcodes/match.js";
import { readScan } from "../platform/barcodes/scan.js";
import { byGtin, exactly } from "../platform/barcodes/sql.js";
import { bool, int } from "../platform/db/columns.js";
import { db } from "../platform/db/db.js";
import { SHIPPING_ADDRESS } from "../sales-orders/addresses.js";
import { SELLABLE_STOCK } from "../stock/sellable.js";
import { NamedLine } from "./cart.js";
import { Availability, TillOrder } from "./shapes.js";

/** What tills read, one round trip each; `warehouseIds` are those of the token. */

/**
 * SQL: the records that the lines with SKUs $1, warehouse codes $2 and bin codes $3 name, each with its `place` from 1.
 */
export const NAMED_LINES = `
  select n.place, i.item_id, i.is_active as item_is_active, w.warehouse_id, b.bin_id, i.lot_picking, i.serial_policy
  from unnest($1::text[], $2::text[], $3::text[]) with ordinality as n(sku, warehouse_code, bin_code, place)
  left join items i on i.sku = n.sku
  left join warehouses w on w.warehouse_code = n.warehouse_code and w.is_active
  left join bins b on b.warehouse_id = w.warehouse_id and b.bin_code = n.bin_code and b.is_active`;

/** The values of `NAMED_LINES`. */
export const codesOf = (
  lines: { sku: string; warehouse_id?: string | null | undefined; bin_id?: string | null | undefined }[],
) => [
  lines.map((line) => line.sku),
  lines.map((line) => line.warehouse_id ?? null),
  lines.map((line) => line.bin_id ?? null),
];

/** The records that the lines name, in their order, and the units that can be sold there. */
export const linesWithFree = (lines: Parameters<typeof codesOf>[0]): Promise<(NamedLine & { free: number })[]> =>
  db.rows(
    { ...NamedLine.shape, place: int, free: int },
    `select n.*, (select coalesce(sum(available), 0) from ${SELLABLE_STOCK} s
                  where s.item_id = n.item_id and s.bin_id = n.bin_id) as free
     from (${NAMED_LINES}) n order by place`,
    codesOf(lines),
  );

/** The bins in which an item can be sold; none when it is unknown, archived, or only in other warehouses. */
export async function availabilityOf(
  { barcode, sku }: { barcode?: string | undefined; sku?: string | undefined },
  warehouseIds: number[],
): Promise<Availability | undefined> {
  const scan = readScan(sku ?? barcode ?? "");
  const [query, values] =
    sku === undefined ? [BY_UPC, [scan.text, warehouseIds, scan.forms]] : [BY_SKU, [scan.text, warehouseIds]];
  const items = await db.rows({ ...Availability.shape, item_id: int, elsewhere: bool }, query, values);
  const found = await onlyOne(items, scan);
  if (!found) return undefined;
  const { elsewhere, ...item } = found;
  return elsewhere && item.availability.length === 0 ? undefined : item;
}

const availability = (where: string) => `
  select item_id, sku, item_name as name, upc as barcode, true as is_taxable,
    (select coalesce(json_agg(json_build_object(
        'warehouse_id', warehouse_code, 'warehouse_name', warehouse_name, 'qty_available', qty, 'bins', bins)
        order by warehouse_code), '[]')
     from (select warehouse_code, warehouse_name, sum(qty) as qty,
             json_agg(json_build_object('bin_id', bin_code, 'bin_name', bin_code, 'qty', qty) order by bin_code) as bins
           from (select warehouse_id, bin_id, bin_code, sum(available) as qty from ${SELLABLE_STOCK} s
                 where s.item_id = i.item_id and s.warehouse_id = any($2)
                 group by warehouse_id, bin_id, bin_code) free
           join warehouses w using (warehouse_id)
           group by warehouse_id, warehouse_code, warehouse_name) here) as availability,
    exists (select from ${SELLABLE_STOCK} s where s.item_id = i.item_id and s.warehouse_id <> all($2)) as elsewhere
  from items i where ${where} and i.is_active and cardinality($2::int[]) > 0`;
const BY_SKU = availability("i.sku = $1");
const BY_UPC = availability(`i.item_id = any(coalesce(
  ${exactly("$1::text", ["upc"], "is_active")}, ${byGtin("$3::text[]", ["upc"], "is_active")}))`);

/** An order of these warehouses, from any source. */
export const tillOrder = (soNumber: string, warehouseIds: number[]): Promise<TillOrder | undefined> =>
  db.row(
    TillOrder,
    `select so_number as so_id, so_number, external_id, order_type, status, order_source, customer_name, customer_phone,
       case when shipping_address_line1 <> '' then ${SHIPPING_ADDRESS} end as shipping_address,
       warehouse_code,
       (select coalesce(json_agg(json_build_object(
           'so_line_id', so_line_id, 'item_id', item_id, 'sku', sku, 'item_name', item_name,
           'quantity_ordered', quantity_ordered, 'quantity_shipped', quantity_shipped, 'line_number', line_number)
           order by line_number, so_line_id), '[]')
        from sales_order_lines l join items using (item_id) where l.so_id = so.so_id) as lines
     from sales_orders so join warehouses using (warehouse_id)
     where so_number = $1 and warehouse_id = any($2)`,
    [soNumber, warehouseIds],
  );

/**
 * Whether a till with this token may learn the number: its order is in one of the token's warehouses, or the token made
 * it. Of a retired order it is not known any more who made it.
 */
export async function mayKnowOrder(soNumber: string, warehouseIds: number[], username: string): Promise<boolean> {
  const known = await db.row(
    {},
    `select from sales_orders so where so_number = $1
       and (warehouse_id = any($2)
            or exists (select from counter_bookings b where b.so_id = so.so_id and token = $3))
     union all
     select from retired_orders where kind = 'sales_order' and number = $1 and warehouse_id = any($2)`,
    [soNumber, warehouseIds, username],
  );
  return known !== undefined;
}
