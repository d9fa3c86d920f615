import { arrayOf, int, text } from "../platform/db/columns.js";
import { db, type Sql } from "../platform/db/db.js";
import type { OfWarehouse } from "../platform/temporal/priorities.js";
import { receiptsOf } from "../receiving/receipt-sql.js";
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

/** The same for a return of an order, with the order's warehouse. */
export async function takeReturnId(originalSoId: number): Promise<{ id: number; warehouse_id: number | null }> {
  const next = await db.row(
    { id: int, warehouse_id: int.nullable() },
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
