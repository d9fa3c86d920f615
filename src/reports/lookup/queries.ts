import { onlyOne } from "../../platform/barcodes/match.js";
import { readScan } from "../../platform/barcodes/scan.js";
import { byAnyCase, byGtin, exactly, isOwnCode } from "../../platform/barcodes/sql.js";
import { int, text } from "../../platform/db/columns.js";
import { zoneOf } from "../../platform/db/days.js";
import { db, unprepared } from "../../platform/db/db.js";
import { containing } from "../../platform/db/list.js";
import { asUuid } from "../../platform/values.js";
import { WHERE_SCANNED } from "../../sales-orders/scan-sql.js";
import { AVAILABLE, IS_ON_SHELF, SELLABLE_JOINS } from "../../stock/sellable.js";
import { BinWithItems, FoundBin, FoundOrder, ItemAtScanner, WarehouseChoice } from "./shapes.js";

/**
 * Reads for the scanner (docs/interface.md, Lookups), one round trip each, and a second one for a GTIN that no item has
 * exactly. `warehouses` null means all.
 */

const SEARCH_LIMIT = 50;

const QUANTITIES = `
  'quantity_on_hand', s.quantity_on_hand, 'quantity_allocated', s.quantity_allocated,
  'quantity_available', s.quantity_on_hand - s.quantity_allocated, 'lot_number', s.lot_number,
  'expiry_date', s.expiry_date`;

/** Items and their stock, as JSON texts; `chosen` is a condition of SQL. */
const itemsWithStock = (chosen: string) => `
  select i.item_id,
    json_build_object(
      'item_id', i.item_id, 'external_id', i.external_id, 'sku', i.sku, 'item_name', i.item_name, 'upc', i.upc,
      'mpn', i.mpn, 'category', i.category, 'weight_lbs', nullif(i.weight_lbs, 0), 'lot_policy', i.lot_policy,
      'serial_policy', i.serial_policy)::text as item,
    (select coalesce(json_agg(json_build_object(
        'bin_id', b.bin_id, 'bin_code', b.bin_code, 'bin_type', b.bin_type, 'zone_name', z.zone_name, ${QUANTITIES})
        order by s.quantity_on_hand > 0 desc, b.pick_sequence, b.bin_code, s.lot_number), '[]')::text
     from inventory s join bins b using (bin_id) join zones z using (zone_id)
     where s.item_id = i.item_id and ($2::int[] is null or s.warehouse_id = any($2))) as locations
  from items i where ${chosen}`;

const BY_CODE = itemsWithStock(
  `i.item_id = any(coalesce(${exactly("$1::text")}, (select array_agg(item_id) from items where external_id = $3)))`,
);
const BY_GTIN = itemsWithStock(`i.item_id = any(${byGtin("$1::text[]")}::int[])`);
const BY_ANY_CASE = itemsWithStock(`i.item_id = any(${byAnyCase("$1::text")}::int[])`);
const CHOSEN = itemsWithStock(`i.item_id = $1 and ${isOwnCode("$3::text", "$4::text[]")}`);

/**
 * The item whose UPC, SKU, alias or external id was scanned, else whose GTIN it is, else which has the code ignoring
 * case; its stock by bin and lot, and the other data of the label: the text of an `ItemWithLocations`. `chosen` selects
 * one of several items with the code.
 */
export async function itemByBarcode(
  barcode: string,
  chosen: number | undefined,
  warehouses: number[] | null,
): Promise<string | undefined> {
  const scan = readScan(barcode);
  const read = (sql: string, values: unknown[]) => db.rows({ item_id: int, item: text, locations: text }, sql, values);
  let items = chosen
    ? await read(CHOSEN, [chosen, warehouses, barcode, scan.forms])
    : await read(BY_CODE, [barcode, warehouses, asUuid(barcode)]);
  if (!chosen && items.length === 0 && scan.forms.length > 0) items = await read(BY_GTIN, [scan.forms, warehouses]);
  if (!chosen && items.length === 0) items = await read(BY_ANY_CASE, [barcode, warehouses]);
  const found = await onlyOne(items, scan);
  return found && `{"item":${found.item},"locations":${found.locations},"scan":${JSON.stringify(scan.holds)}}`;
}

/**
 * Items whose SKU, name, UPC, MPN or an alias contains the text, or whose GTIN or external id it is; within warehouses,
 * those with a stock row or a preferred bin there. Not prepared, because a generic plan scans the index of SKUs until
 * it has 50 matches, which is the whole table when few items match. The subqueries are not `exists`, for which Postgres
 * would read all stock of the warehouses into a hash table.
 */
export function searchItems(
  text: string,
  warehouses: number[] | null,
  hidesSandboxes: boolean,
): Promise<ItemAtScanner[]> {
  return unprepared(
    ItemAtScanner,
    `select i.item_id, i.external_id, i.sku, i.item_name, i.upc, i.category,
            to_json(nullif(i.weight_lbs, 0)) as weight_lbs, i.lot_policy, i.serial_policy
     from items i
     where (i.sku ilike :like or i.item_name ilike :like or i.upc ilike :like or i.mpn ilike :like
            or i.barcode_aliases::text ilike :like_in_json or i.external_id = :id
            or i.upc = any(:forms) or i.barcode_aliases ?| :forms)
       and (:warehouses::int[] is null
            or (select true from inventory s where s.item_id = i.item_id and s.warehouse_id = any(:warehouses) limit 1)
            or (select true from preferred_bins p join bins b using (bin_id)
                where p.item_id = i.item_id and b.warehouse_id = any(:warehouses) limit 1))
       ${hidesSandboxes ? "and not i.is_sandbox" : ""}
     order by i.sku limit ${SEARCH_LIMIT}`,
    {
      like: containing(text),
      like_in_json: containing(asInJson(text)),
      warehouses,
      id: asUuid(text),
      forms: readScan(text).forms,
    },
  );
}

const FreeUnits = { item_id: int, units: int };

/** How many units of items can still be sold in a warehouse, by item; of those that are not there, nothing is said. */
export async function freeUnits(itemIds: number[], warehouseId: number): Promise<Map<number, number>> {
  const rows = await db.rows(
    FreeUnits,
    `select v.item_id, sum(${AVAILABLE}) as units from inventory v ${SELLABLE_JOINS}
     where v.item_id = any($1) and v.warehouse_id = $2 group by v.item_id`,
    [itemIds, warehouseId],
  );
  return new Map(rows.map(({ item_id, units }) => [item_id, units]));
}

/** The text as it stands inside a JSON string: aliases are searched as the JSON text that the trigram index holds. */
const asInJson = (text: string) => JSON.stringify(text).slice(1, -1);

/**
 * The bin whose barcode, else whose code or external id, was scanned, else which has that code or barcode ignoring
 * case, and the stock in it. Warehouses may have bins with the same code: that of the preferred warehouse goes first.
 */
export function binByBarcode(
  barcode: string,
  preferred: number | undefined,
  warehouses: number[] | null,
): Promise<BinWithItems | undefined> {
  return db.row(
    BinWithItems,
    `select
       json_build_object(
         'bin_id', b.bin_id, 'external_id', b.external_id, 'bin_code', b.bin_code, 'bin_barcode', b.bin_barcode,
         'bin_type', b.bin_type, 'warehouse_id', b.warehouse_id, 'zone_name', z.zone_name, 'aisle', b.aisle,
         'row_num', b.row_num, 'level_num', b.level_num) as bin,
       (select coalesce(json_agg(json_build_object(
           'item_id', i.item_id, 'sku', i.sku, 'item_name', i.item_name, 'upc', i.upc, ${QUANTITIES})
           order by s.quantity_on_hand > 0 desc, i.sku, s.lot_number), '[]')
        from inventory s join items i using (item_id) where s.bin_id = b.bin_id) as items
     from bins b join zones z using (zone_id)
     where (b.bin_barcode = $1 or b.bin_code = $1 or b.external_id = $3
         or upper(b.bin_code) = upper($1) or upper(b.bin_barcode) = upper($1))
       and ($2::int[] is null or b.warehouse_id = any($2))
     order by (b.bin_barcode = $1) desc, (b.bin_code = $1 or b.external_id = $3) is true desc,
       b.warehouse_id is not distinct from $4 desc, b.bin_id limit 1`,
    [barcode, warehouses, asUuid(barcode), preferred],
  );
}

/** Bins whose code or barcode contains the text, or whose external id it is. */
export function searchBins(text: string, warehouses: number[] | null): Promise<FoundBin[]> {
  return unprepared(
    FoundBin,
    `select b.bin_id, b.external_id, b.bin_code, b.bin_barcode, b.bin_type, b.warehouse_id, z.zone_name, b.aisle,
       b.row_num, b.level_num
     from bins b join zones z using (zone_id)
     where (b.bin_code ilike $1 or b.bin_barcode ilike $1 or b.external_id = $3)
       and ($2::int[] is null or b.warehouse_id = any($2))
     order by b.bin_code, b.bin_id limit ${SEARCH_LIMIT}`,
    [containing(text), warehouses, asUuid(text)],
  );
}

/** The sales order that was scanned, in any status, with its lines. */
export function orderByBarcode(barcode: string, warehouses: number[] | null): Promise<FoundOrder | undefined> {
  return db.row(
    FoundOrder,
    `select so.so_id, so.external_id, so.so_number, so.so_barcode, so.customer_name, so.customer_phone,
       so.customer_address, so.ship_address, so.status, so.warehouse_id, so.memo,
       (select coalesce(json_agg(json_build_object(
           'sku', i.sku, 'item_name', i.item_name, 'quantity_ordered', l.quantity_ordered,
           'quantity_picked', l.quantity_picked, 'quantity_packed', l.quantity_packed,
           'quantity_shipped', l.quantity_shipped) order by l.line_number, l.so_line_id), '[]')
        from sales_order_lines l join items i using (item_id) where l.so_id = so.so_id) as lines
     from sales_orders so ${WHERE_SCANNED}`,
    [barcode, warehouses, asUuid(barcode)],
  );
}

/** The active ones among these warehouses, by name. One that is only in the books has no bin to pick from. */
export function activeWarehouses(warehouseIds: number[] | null): Promise<WarehouseChoice[]> {
  return db.rows(
    WarehouseChoice,
    `select warehouse_id as id, warehouse_name as name, warehouse_code as code,
       exists (select from bins b join zones z using (zone_id)
               where b.warehouse_id = w.warehouse_id and b.is_active and z.is_active
                 and ${IS_ON_SHELF} and z.zone_type not in ('DAMAGE', 'QUALITY'))
         as is_sellable,
       ${zoneOf("w.warehouse_id")} as timezone
     from warehouses w where is_active and ($1::int[] is null or warehouse_id = any($1))
     order by warehouse_name, warehouse_id`,
    [warehouseIds],
  );
}
