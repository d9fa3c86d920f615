import { arrayOf, int } from "../../src/platform/db/columns.js";
import { todayAt } from "../../src/platform/db/days.js";
import type { SalesOrderStatus } from "../../src/platform/states.js";
import type { AddressColumn } from "../../src/sales-orders/addresses.js";
import { addressColumns } from "../../src/sales-orders/addresses.js";
import type { OrderType } from "../../src/sales-orders/shapes.js";
import type { Tx } from "../command.js";

const columns = [
  ...["so_id", "external_id", "so_number", "status", "order_type", "parent_so_id", "warehouse_id"],
  ...["order_source", "order_origin", "customer_name", "customer_phone", "customer_email", "ship_method"],
  ...["ship_address", "memo", "order_total", "customer_shipping_paid", "shipped_at", "backorder_opened_at"],
  ...["external_txn_ref", "created_by"],
  ...addressColumns,
] as const;

type MaybeText = string | null | undefined;

/** An order that a till creates; fields that are not given are null. */
export interface PosOrder extends Partial<Record<AddressColumn, MaybeText>> {
  so_id: number;
  external_id: string;
  so_number: string;
  status: SalesOrderStatus;
  order_type: OrderType;
  parent_so_id?: number | undefined;
  warehouse_id: number;
  order_source: "pos" | "reference";
  order_origin?: MaybeText;
  customer_name?: MaybeText;
  customer_phone?: MaybeText;
  customer_email?: MaybeText;
  ship_method?: MaybeText;
  ship_address?: MaybeText;
  memo?: MaybeText;
  /** Exact decimals (src/pos/money.ts). */
  order_total?: string;
  customer_shipping_paid?: string;
  shipped_at?: string | undefined;
  backorder_opened_at?: string | undefined;
  external_txn_ref?: MaybeText;
  created_by: string;
}

export interface PosLine {
  so_line_id: number;
  item_id: number;
  quantity: number;
}

/**
 * Inserts an order with its lines, in one statement and without waiting for it. The lines of a SHIPPED order count as
 * picked, packed and shipped. The ids are reserved beforehand (`newIds`).
 */
export function insertOrder(tx: Tx, order: PosOrder, lines: PosLine[]): void {
  tx.later.run(
    `with made as (
       insert into sales_orders (so_barcode, order_date, ${columns})
       select so_number, ${todayAt("o.warehouse_id")}, ${columns}
       from jsonb_populate_record(null::sales_orders, $1) o
       returning so_id, status
     )
     insert into sales_order_lines (so_line_id, so_id, item_id, quantity_ordered, line_number, status,
       quantity_allocated, quantity_picked, quantity_packed, quantity_shipped)
     select so_line_id, so_id, item_id, quantity, place, case status when 'SHIPPED' then status else 'PENDING' end,
            done, done, done, done
     from made, unnest($2::int[], $3::int[], $4::int[]) with ordinality as l(so_line_id, item_id, quantity, place),
          lateral (select case status when 'SHIPPED' then quantity else 0 end) as d(done)`,
    [
      JSON.stringify(order),
      lines.map((line) => line.so_line_id),
      lines.map((line) => line.item_id),
      lines.map((line) => line.quantity),
    ],
  );
}

const NewIdsRow = { so_id: int, line_ids: arrayOf(int) };

/**
 * Reserves the ids of a till's order and of its lines. Orders of an older system may have numbers like ours, so the id
 * is the first one whose number is free.
 */
export async function newIds(tx: Tx, lines: number): Promise<{ so_id: number; line_ids: number[] }> {
  const ids = await tx.row(
    NewIdsRow,
    `with recursive next as (
       select nextval('sales_orders_so_id_seq') as so_id
       union all
       select nextval('sales_orders_so_id_seq') from next
       where so_number_is_taken('POS-' || next.so_id)
     )
     select (select max(so_id) from next)::int as so_id,
            array(select nextval('sales_order_lines_so_line_id_seq')::int
              from generate_series(1, $1::int)) as line_ids`,
    [lines],
  );
  return ids as { so_id: number; line_ids: number[] };
}
