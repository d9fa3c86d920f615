import { arrayOf, int, text } from "../platform/db/columns.js";
import { db, type Sql } from "../platform/db/db.js";
import type { OfWarehouse } from "../platform/temporal/priorities.js";
import { receiptsOf } from "../receiving/receipt-sql.js";
import { returnsExpireDays } from "../system/settings/queries.js";
import { ReturnReceipt } from "./shapes.js";

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
       ${receiptsOf({ id: "so_id", order: "so" })} as receipts
     from sales_orders so where so_id = $1`,
    [soId],
  );
}

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
