import type { Actor } from "../../src/platform/actor.js";
import { text } from "../../src/platform/db/columns.js";
import { todayAt } from "../../src/platform/db/days.js";
import { NotReturnable } from "../../src/returns/problems.js";
import { type ReturnLine, returnLines, ShippedLine, TakenBack } from "../../src/returns/returnable.js";
import type { ReturnRequest, ReturnStarted } from "../../src/returns/workflow.js";
import { isFulfilled } from "../../src/sales-orders/fulfilment.js";
import { SoNotFound } from "../../src/sales-orders/problems.js";
import { ConcurrentChange, command, type Tx } from "../command.js";
import { type ActionOrder, lockOrder } from "../sales-orders/orders-with-picks.js";
import { expectedOf } from "./expected.js";

/**
 * Creates the return of an order, `<number>-RMA[-n]`, for goods that its customer sends back (docs/interface.md, Sales
 * orders and Returns): at most the shipped units, less those that other returns name already and those that were
 * refunded. Stock does not change. Audit CREATE, no event.
 * @param soId The id that the return gets.
 */
export function createReturn(soId: number, request: ReturnRequest, by: Actor): Promise<ReturnStarted> {
  return command("returns.create", by, { soId, ...request }, async (tx) => {
    const original = await lockOrder(tx, request.original_so_id, by, SoNotFound);
    const { so_number, order_type, status, warehouse_id } = original;
    if (!isFulfilled(order_type) || status === "REFUNDED") throw NotReturnable({ so_number, order_type, status });
    const [shipped, takenBack, number] = await Promise.all([
      tx.rows(ShippedLine, SHIPPED, [original.so_id]),
      tx.rows(TakenBack, takenBackOf("$1"), [original.so_id]),
      nextReturnNumber(tx, original),
    ]);
    const lines = returnLines(
      so_number,
      request.lines,
      shipped,
      new Map(takenBack.map(({ item_id, units }) => [item_id, units])),
    );
    const rma = { so_id: soId, so_number: number };
    const warehouse_code = await insertReturn(tx, original, rma, { lines, memo: request.memo || null }, by);
    return {
      ...rma,
      original_so_number: so_number,
      made_by: by.username,
      warehouse_id,
      warehouse_code,
      received: 0,
      expected: expectedOf(
        lines.map(({ sku, quantity }) => ({ sku, quantity_ordered: quantity, quantity_received: 0 })),
      ),
    };
  });
}

const LIVE_RETURN = "r.order_type = 'return' and r.voided_at is null";

const SHIPPED = `
  select so_line_id, item_id, sku, quantity_shipped as shipped,
    (select coalesce(sum(b.quantity_ordered), 0) from sales_order_lines b join sales_orders r using (so_id)
     where b.original_so_line_id = l.so_line_id and ${LIVE_RETURN}) as returned
  from sales_order_lines l join items using (item_id) where so_id = $1 order by line_number, so_line_id`;

/**
 * The first free number after those of earlier returns; voided ones keep theirs. The lock on the original order
 * serializes this. `generate_series` in a select list makes its rows one by one, so that `limit 1` stops it.
 */
const NEXT_NUMBER = `
  select so_number
  from (select $2 || '-RMA' || case when n > 1 then '-' || n else '' end as so_number
        from (select generate_series(count(*)::int + 1, 2147483647) as n
              from sales_orders where parent_so_id = $1 and order_type = 'return') as numbers) as next
  where not so_number_is_taken(next.so_number) limit 1`;

/** The columns that a return or a refund copies from its original order. */
export const INHERITED = [
  ...["warehouse_id", "order_source", "order_origin", "currency"],
  ...["customer_name", "customer_id", "customer_phone", "customer_email", "customer_address"],
].join();

/** The number of the next return of a locked order. */
export async function nextReturnNumber(tx: Tx, original: { so_id: number; so_number: string }): Promise<string> {
  const next = await tx.row({ so_number: text }, NEXT_NUMBER, [original.so_id, original.so_number]);
  return next?.so_number as string;
}

/** Inserts the return with its lines; returns the code of its warehouse. Audit CREATE. */
export async function insertReturn(
  tx: Tx,
  original: Pick<ActionOrder, "so_id" | "so_number" | "warehouse_id">,
  { so_id, so_number }: { so_id: number; so_number: string },
  { lines, memo }: { lines: Omit<ReturnLine, "sku">[]; memo: string | null },
  by: Actor,
): Promise<string> {
  tx.audit({
    action: "CREATE",
    entity: "SO",
    entityId: so_id,
    warehouseId: original.warehouse_id,
    details: { so_number, order_type: "return", original_so_number: original.so_number, lines: lines.length },
  });
  const made = await tx.row(
    { warehouse_code: text },
    `with made as (
       insert into sales_orders
         (so_id, so_number, so_barcode, order_type, parent_so_id, memo, order_date, created_by, ${INHERITED})
       select :so_id, :so_number, :so_number, 'return', so_id, :memo, ${todayAt("sales_orders.warehouse_id")},
         :username, ${INHERITED}
       from sales_orders where so_id = :original
       on conflict (so_number) do nothing returning so_id, warehouse_id
     ), lines as (
       insert into sales_order_lines
         (so_id, item_id, quantity_ordered, original_so_line_id, line_number, status, properties)
       select so_id, item_id, quantity, original, place, 'OPEN',
              coalesce((select properties from sales_order_lines o where o.so_line_id = original), '[]')
       from made, unnest(:item_ids::int[], :quantities::int[], :original_so_line_ids::int[])
         with ordinality as l(item_id, quantity, original, place)
       order by place
     )
     select warehouse_code from made join warehouses using (warehouse_id)`,
    {
      original: original.so_id,
      so_id,
      so_number,
      memo,
      username: by.username,
      item_ids: lines.map((line) => line.item_id),
      quantities: lines.map((line) => line.quantity),
      original_so_line_ids: lines.map((line) => line.original_so_line_id),
    },
  );
  if (!made) throw new ConcurrentChange("the return's number was given to another order");
  return made.warehouse_code;
}

/**
 * SQL for the units of a locked order that were taken back already, a row of `TakenBack` for each item
 * (docs/interface.md, Returns): those that returns name which are not voided, open ones too, and those that were
 * refunded at the counter. Another return or refund may have at most the shipped units less these.
 * @param order SQL of its id.
 */
export const takenBackOf = (order: string): string => `
  select item_id, sum(abs(quantity_ordered)) as units,
    sum(case order_type when 'refund' then -quantity_ordered else quantity_received end) as back,
    sum(case order_type when 'return' then quantity_received else 0 end) as returned
  from sales_orders child join sales_order_lines using (so_id)
  where child.parent_so_id = ${order} and order_type in ('return', 'refund') and voided_at is null
  group by item_id`;
