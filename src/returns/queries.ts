import { arrayOf, bool, int, text } from "../platform/db/columns.js";
import { db, type Sql } from "../platform/db/db.js";
import type { OfWarehouse } from "../platform/temporal/priorities.js";
import { asUuid } from "../platform/values.js";
import { receiptsOf } from "../receiving/receipt-sql.js";
import { returnsExpireDays } from "../system/settings/queries.js";
import { ReturnReceipt, ReturnToReceive } from "./shapes.js";

/** Returns that still wait for goods: the condition of an index, word for word. */
const OPEN = "order_type = 'return' and voided_at is null and status in ('OPEN', 'PARTIALLY_RECEIVED')";

/**
 * Reserves the id of a return or a refund. The workflow of a return starts before its row exists, so this runs outside
 * of a transaction.
 */
export async function takeOrderId(sql: Sql = db): Promise<number> {
  const next = await sql.row({ id: int }, "select nextval(pg_get_serial_sequence('sales_orders', 'so_id')) as id");
  return next?.id as number;
}

const ReturnId = { id: int, warehouse_id: int.nullable() };

/** The same for a return of an order, with the order's warehouse. */
export async function takeReturnId(originalSoId: number): Promise<{ id: number; warehouse_id: number | null }> {
  const next = await db.row(
    ReturnId,
    `select nextval(pg_get_serial_sequence('sales_orders', 'so_id')) as id,
       (select warehouse_id from sales_orders where so_id = $1)`,
    [originalSoId],
  );
  return next as { id: number; warehouse_id: number | null };
}

/** The warehouse of a return that still waits for goods; undefined for another. */
export async function openReturnIn(soId: number): Promise<number | undefined> {
  const sql = `select warehouse_id from sales_orders where so_id = $1 and ${OPEN}`;
  return (await db.row({ warehouse_id: int }, sql, [soId]))?.warehouse_id;
}

const ReceiptsOfReturnRow = { so_id: int, warehouse_id: int, receipts: arrayOf(ReturnReceipt) };

/** The receipts of a return, newest first, with the warehouses that decide who may see them. */
export function receiptsOfReturn(soId: number) {
  return db.row(
    ReceiptsOfReturnRow,
    `select so_id, warehouse_id,
       ${receiptsOf({ id: "so_id", order: "so", fields: ", 'condition', r.condition" })} as receipts
     from sales_orders so where so_id = $1`,
    [soId],
  );
}

/** A return that was scanned, and whether it waits for goods; or the order, of which no return was made. */
const ScannedReturn = ReturnToReceive.extend({ is_open: bool, is_return: bool });

/** The characters that `ilike` reads as patterns, escaped. */
const literally = (text: string) => text.replace(/[\\%_]/g, "\\$&");

/**
 * What a scan of something that came back means, within the caller's warehouses: the return with this number, barcode
 * or external id, and those of the order with it, or that left under this tracking number; the order itself where
 * nothing of it was announced. Returns that wait come first, the oldest first.
 */
export const returnsByCode = (code: string, warehouses: number[] | null) =>
  db.rows(
    ScannedReturn,
    `with named as (
       select so_id from sales_orders
       where so_number = $1 or so_barcode = $1 or external_id = $3 or upper(so_number) = upper($1)
         or upper(so_barcode) = upper($1)
       union
       select so_id from item_fulfillments where tracking_number ilike $4
       union
       select so_id from parcels where tracking_number ilike $4
     ), meant as (
       select so_id from named
       union
       select r.so_id from named join sales_orders r on r.parent_so_id = named.so_id
       where r.order_type = 'return' and r.voided_at is null
     ), found as (
       select so.*, so.order_type = 'return' as is_return, (${OPEN}) as is_open
       from meant join sales_orders so using (so_id)
       where $2::int[] is null or warehouse_id = any($2)
     )
     select f.so_id, f.so_number, p.so_number as original_so_number, f.customer_name, f.memo, f.warehouse_id, f.status,
       is_open, is_return,
       (select coalesce(json_agg(json_build_object(
           'item_id', i.item_id, 'sku', sku, 'item_name', item_name, 'upc', upc, 'quantity_expected', expected,
           'quantity_remaining', remaining, 'has_serials', exists (
             select from serials s
             where s.so_id = f.parent_so_id and s.item_id = i.item_id and s.state = 'SHIPPED')) order by place), '[]')
        from (select item_id, sum(quantity_ordered) as expected, sum(quantity_ordered - quantity_received) as remaining,
                     min(line_number) as place
              from sales_order_lines l where l.so_id = f.so_id group by item_id) units
        join items i using (item_id)) as items
     from found f left join sales_orders p on p.so_id = f.parent_so_id
     where is_return or not exists (select from found where is_return)
     order by is_open desc, f.so_id limit 20`,
    [code, warehouses, asUuid(code), literally(code)],
  );

/** For the job `reconcile`. */
export const openReturns = (): Promise<OfWarehouse[]> =>
  db.rows(
    { id: int, warehouse_id: int },
    `select so_id as id, warehouse_id from sales_orders where ${OPEN} order by so_id`,
  );

/**
 * Open returns that nobody has touched for the days of setting `returns_expire_days`; of one alone, whether it is. One
 * that was paid back although nothing has come stays: no such return is voided.
 */
export async function overdueReturns(
  sql: Sql = db,
  soId: number | null = null,
): Promise<{ id: number; days: number }[]> {
  const days = await returnsExpireDays(sql);
  if (days === null) return [];
  const overdue = await sql.rows(
    { id: int },
    `select so_id as id from sales_orders so
     where ${OPEN} and updated_at < now() - $1::float8 * interval '1 day' and ($2::int is null or so_id = $2)
       and (status = 'PARTIALLY_RECEIVED' or refund_so_id is null and not exists (
         select from sales_orders r where r.parent_so_id = so.so_id and r.order_type = 'refund'))
     order by so_id`,
    [days, soId],
  );
  return overdue.map(({ id }) => ({ id, days }));
}

/**
 * The numbers of an order's returns and refunds that are not voided. While there are any, its shipment cannot be
 * voided.
 */
export async function liveReturnsOf(sql: Sql, soId: number): Promise<string[]> {
  const live = await sql.rows(
    { so_number: text },
    `select so_number from sales_orders
     where parent_so_id = $1 and order_type in ('return', 'refund') and voided_at is null order by so_id`,
    [soId],
  );
  return live.map((one) => one.so_number);
}
