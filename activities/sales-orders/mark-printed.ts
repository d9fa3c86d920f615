import { type Actor, visibleWarehouses } from "../../src/platform/actor.js";
import { int, text } from "../../src/platform/db/columns.js";
import { refuseReturn } from "../../src/sales-orders/fulfilment.js";
import { OrderType } from "../../src/sales-orders/shapes.js";
import { type MarkPrinted, PrintedTicket } from "../../src/sales-orders/ticket-shapes.js";
import { command, type Tx } from "../command.js";

/**
 * Records that picking tickets were printed; an order keeps the time of its first print. Unknown orders are ignored; if
 * one is a return, all are refused.
 */
export function markPrinted(input: MarkPrinted, by: Actor): Promise<{ marked: PrintedTicket[] }> {
  return command("sales-orders.markPrinted", by, input, async (tx) => ({
    marked: await markTickets(tx, input.so_ids, visibleWarehouses(by)),
  }));
}

/** The same within a command, such as that of a printer. */
export async function markTickets(tx: Tx, soIds: number[], warehouses: number[] | null): Promise<PrintedTicket[]> {
  const marked = await tx.rows(
    Marked,
    `update sales_orders so set printed_at = now(), updated_at = clock_timestamp()
     from (select so_id from sales_orders
           where so_id = any($1) and printed_at is null and ($2::int[] is null or warehouse_id = any($2))
           order by so_id for update) as fresh
     where so.so_id = fresh.so_id
     returning so.so_id, printed_at, so_number, warehouse_id, order_type`,
    [soIds, warehouses],
  );
  for (const { so_id, printed_at, so_number, warehouse_id, order_type } of marked) {
    refuseReturn({ so_number, order_type });
    tx.audit({
      action: "UPDATE",
      entity: "SO",
      entityId: so_id,
      warehouseId: warehouse_id,
      details: { so_number, printed_at },
    });
  }
  return marked.map(({ so_id, printed_at }) => ({ so_id, printed_at })).sort((a, b) => a.so_id - b.so_id);
}

const Marked = { ...PrintedTicket.shape, so_number: text, warehouse_id: int, order_type: OrderType };
