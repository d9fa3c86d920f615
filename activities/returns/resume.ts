import { z } from "zod";
import { bool, int, text } from "../../src/platform/db/columns.js";
import { db } from "../../src/platform/db/db.js";
import type { ReturnStarted } from "../../src/returns/workflow.js";
import { SoNotFound } from "../../src/sales-orders/problems.js";
import { expectedOf, LINES, ReturnedLine } from "./expected.js";

/**
 * Reads an existing return for a workflow that is started again; `ended` where its rows are final. 404 when there is
 * none.
 */
export async function resumeReturn(soId: number): Promise<ReturnStarted> {
  const [order, lines] = await Promise.all([
    db.row(
      {
        warehouse_id: int,
        so_number: text,
        warehouse_code: text,
        so_id: int,
        original_so_number: text,
        made_by: text,
        ...Rows.shape,
      },
      `select so.so_id, so.so_number, p.so_number as original_so_number, so.created_by as made_by, so.warehouse_id,
         warehouse_code, so.status,
         so.voided_at is not null as voided
       from sales_orders so join warehouses using (warehouse_id) join sales_orders p on p.so_id = so.parent_so_id
       where so.so_id = $1 and so.order_type = 'return'`,
      [soId],
    ),
    db.rows(ReturnedLine, LINES, [soId]),
  ]);
  if (!order) throw SoNotFound();
  const { status, voided, ...rma } = order;
  return {
    ...rma,
    received: lines.reduce((sum, line) => sum + line.quantity_received, 0),
    expected: expectedOf(lines),
    ...(voided ? { ended: "voided" } : status === "RECEIVED" && { ended: "received" }),
  };
}

const Rows = z.strictObject({ status: text, voided: bool });
