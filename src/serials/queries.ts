import { readScan } from "../platform/barcodes/scan.js";
import { isOwnCode } from "../platform/barcodes/sql.js";
import { int, text } from "../platform/db/columns.js";
import { db, type Sql } from "../platform/db/db.js";
import { beginning, begins, builder, codeOf } from "../platform/db/list.js";
import { listPage } from "../platform/db/listing.js";
import { ListedSerial, Serial, type SerialFilters, serialList } from "./shapes.js";

/** SQL: the serials that are packed or shipped on an order's line `l`, as JSON. */
export const SERIALS_OF_LINE = `
  (select coalesce(json_agg(serial_number order by serial_number), '[]') from serials s
   where s.so_line_id = l.so_line_id)`;

/** The first of an item's serials that is on an open recall. */
export const recalledSerial = (sql: Sql, itemId: number, serials: string[]) =>
  sql.row(
    { serial: text, sku: text, recall_id: int },
    `select serial_number as serial, sku, recall_id
     from serials s join items using (item_id) join recall_serials using (serial_id) join recalls using (recall_id)
     where s.item_id = $1 and serial_number = any($2) and closed_at is null order by serial_number limit 1`,
    [itemId, serials],
  );

/**
 * The serials with this number, or with that of a GS1 label for its item, last seen in these warehouses, with what
 * happened to them there. Several items may have units with the same number. Moves do not name serials, so what is
 * known of its place are the bins that hold its item.
 */
export function serialsByCode(code: string, warehouses: number[] | null): Promise<Serial[]> {
  const { forms, holds } = readScan(code);
  return db.rows(
    Serial,
    `select serial_id, s.external_id, s.item_id, sku, item_name, serial_number, s.state, s.warehouse_id, warehouse_code,
       s.lot_number, s.so_id, so_number, customer_name,
       (select coalesce(json_agg(json_build_object('bin_id', bin_id, 'bin_code', bin_code) order by bin_code), '[]')
        from (select distinct bin_id, bin_code from inventory v join bins using (bin_id)
              where v.item_id = s.item_id and v.warehouse_id = s.warehouse_id and quantity_on_hand > 0
                and s.state = 'IN_STOCK') holding) as bins,
       (select coalesce(json_agg(json_build_object(
           'kind', kind, 'at', step.created_at, 'username', username, 'warehouse_id', step.warehouse_id,
           'order_number', order_number, 'so_id', step.so_id, 'customer_name', o.customer_name,
           'receipt_id', step.receipt_id,
           'fulfillment_id', step.fulfillment_id, 'carrier', f.carrier, 'tracking_number', f.tracking_number)
           order by step_id), '[]')
        from serial_steps step left join item_fulfillments f using (fulfillment_id)
        left join sales_orders o on o.so_id = step.so_id
        where step.serial_id = s.serial_id and ($2::int[] is null or step.warehouse_id = any($2))) as steps
     from serials s join items i using (item_id) join warehouses using (warehouse_id)
     left join sales_orders so on so.so_id = s.so_id
     where serial_number = $1 and ($2::int[] is null or s.warehouse_id = any($2))
       and ($4::text[] = '{}' or ${isOwnCode("$3::text", "$4::text[]")})
     order by sku, serial_id limit 50`,
    [holds.serial_number ?? code, warehouses, code, holds.serial_number === null ? [] : forms],
  );
}

/** Serials last seen in these warehouses, the newest first; the number begins with `q`, or with that of a GS1 label. */
export function serials(filters: SerialFilters, warehouses: number[] | null) {
  const { item_id, sku, lot_number, state, warehouse_id, so_id, q } = filters;
  const query = builder("serials as s")
    .join("items as i", "i.item_id", "s.item_id")
    .leftJoin("sales_orders as so", "so.so_id", "s.so_id")
    .select(
      ...["s.serial_id", "s.external_id", "s.item_id", "i.sku", "i.item_name", "s.serial_number", "s.state"],
      ...["s.warehouse_id", builder.raw(codeOf("s.warehouse_id")), "s.lot_number", "s.so_id", "so.so_number"],
      ...["so.customer_name", "s.created_at", "s.updated_at"],
    )
    .orderBy([
      { column: "s.created_at", order: "desc" },
      { column: "s.serial_id", order: "desc" },
    ]);
  if (warehouses) query.whereIn("s.warehouse_id", warehouses);
  if (item_id) query.where("s.item_id", item_id);
  if (sku) query.where("i.sku", sku);
  if (lot_number) query.where("s.lot_number", lot_number);
  if (state) query.where("s.state", state);
  if (warehouse_id) query.where("s.warehouse_id", warehouse_id);
  if (so_id) query.where("s.so_id", so_id);
  if (q) query.whereRaw(begins("s.serial_number", "?"), [beginning(readScan(q).holds.serial_number ?? q)]);
  return listPage(ListedSerial, "serials", query, filters, serialList);
}
