import { CUSTOMER_ADDRESS } from "./addresses.js";

/** SQL to read a sales order that was scanned for packing or shipping (docs/interface.md, Packing). */

/** The order `so` as a `ScannedOrder`. */
export const ORDER_JSON = `
  json_build_object(
    'so_id', so.so_id, 'so_number', so.so_number, 'so_barcode', so.so_barcode, 'customer_name', so.customer_name,
    'status', so.status, 'ship_method', so.ship_method, 'ship_address', so.ship_address,
    'goes_to', ${CUSTOMER_ADDRESS},
    'warehouse_id', so.warehouse_id, 'memo', so.memo)`;

/**
 * The end of a query: selects the order `so` whose number, else whose barcode, is $1, or whose external id is $3, else
 * which has that number or barcode ignoring case, within the warehouses $2.
 */
export const WHERE_SCANNED = `
  where (so.so_number = $1 or so.so_barcode = $1 or so.external_id = $3
      or upper(so.so_number) = upper($1) or upper(so.so_barcode) = upper($1))
    and ($2::int[] is null or so.warehouse_id = any($2))
  order by (so.so_number = $1) desc, (so.so_barcode = $1 or so.external_id = $3) is true desc, so.so_id limit 1`;
