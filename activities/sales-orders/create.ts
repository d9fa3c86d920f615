import { z } from "zod";
import type { Actor } from "../../src/platform/actor.js";
import { bool, int, text } from "../../src/platform/db/columns.js";
import { todayAt } from "../../src/platform/db/days.js";
import { type AddressColumn, addressColumns } from "../../src/sales-orders/addresses.js";
import { SoExists } from "../../src/sales-orders/problems.js";
import { salesOrder } from "../../src/sales-orders/queries.js";
import type { NewSalesOrder, SalesOrderDetail } from "../../src/sales-orders/shapes.js";
import { command, type Tx } from "../command.js";
import { checkReferences } from "../master-data/references.js";
import { expectLacking } from "../stock/backorders.js";
import { LineToReserve, reserveFrom } from "../stock/reservations.js";
import { lockItems } from "../stock/stock.js";

/** An order to insert; imported ones have addresses too. */
type OrderToInsert = NewSalesOrder & { so_number: string } & Partial<Record<AddressColumn, string | null | undefined>>;

/**
 * Creates a sales order with its lines and reserves stock for them, as far as there is any (docs/interface.md, Sales
 * orders). Audit CREATE, no event.
 */
export function createSalesOrder(order: NewSalesOrder, by: Actor): Promise<SalesOrderDetail> {
  return command("sales-orders.create", by, order, async (tx) => {
    await checkReferences(tx, order.warehouse_id, order.lines, { sold: true });
    const { warehouse_id, min_days_at_shipping = null } = order;
    const so_number = order.so_number ?? (await freeNumber(tx));
    const items = order.lines.map((line) => line.item_id);
    const [{ ids, lines }, stock] = await tx.inOrder([
      insertSalesOrders(tx, [{ ...order, so_number }], by),
      lockItems(tx, warehouse_id, items),
    ]);
    const soId = ids.get(so_number);
    if (!soId) throw SoExists({ so_number });
    const reserved = await reserveFrom(tx, { warehouse_id, min_days_at_shipping }, stock, lines);
    if (reserved < unitsOf(lines)) expectLacking(tx, [soId]);
    return (await salesOrder(tx, soId)) as SalesOrderDetail;
  });
}

/** A number that no order has or had: SO- and the next id of one. */
async function freeNumber(tx: Tx): Promise<string> {
  for (;;) {
    const next = await tx.row(
      FreeNumber,
      `select number, not so_number_is_taken(number) as is_free
       from (select 'SO-' || nextval(pg_get_serial_sequence('sales_orders', 'so_id')) as number) as next`,
    );
    if (next?.is_free) return next.number;
  }
}
const FreeNumber = { number: text, is_free: bool };

/** The units that the lines ask for. */
export const unitsOf = (lines: LineToReserve[]): number => lines.reduce((sum, { quantity }) => sum + quantity, 0);

const columns = [
  "so_number",
  "warehouse_id",
  "customer_name",
  "customer_phone",
  "customer_email",
  "customer_address",
  "ship_method",
  "ship_address",
  "ship_by_date",
  "min_days_at_shipping",
  "memo",
  "order_origin",
  ...addressColumns,
] as const satisfies (keyof OrderToInsert)[];

const InsertedOrder = z.strictObject({ so_id: int, so_number: text });

/**
 * Inserts orders with their lines in one statement, and their audit rows; reserves nothing. Returns their ids by
 * number, and their lines. An order whose number exists already, or did, is left out. `from` is the origin for the
 * audit log, where it is not a person at the desk.
 */
export async function insertSalesOrders(
  tx: Tx,
  orders: OrderToInsert[],
  by: Actor,
  from: { source?: "import" } = {},
): Promise<{ ids: Map<string, number>; lines: LineToReserve[] }> {
  const ordered = orders.flatMap(({ so_number, lines }) =>
    lines.map((line, i) => ({ ...line, so_number, line_number: line.line_number ?? i + 1 })),
  );
  const lines = await tx.rows(
    { ...LineToReserve.shape, ...InsertedOrder.shape },
    `with made as (
       insert into sales_orders (so_barcode, order_date, created_by, ${columns})
       select coalesce(so_barcode, so_number), ${todayAt("o.warehouse_id")}, $2, ${columns}
       from jsonb_populate_recordset(null::sales_orders, $1) o where not so_number_is_taken(so_number)
       on conflict (so_number) do nothing returning so_id, so_number
     ), lines as (
       insert into sales_order_lines (so_id, item_id, quantity_ordered, line_number, properties)
       select so_id, item_id, quantity_ordered, line_number, coalesce(properties, '[]')
       from rows from (jsonb_to_recordset($3::jsonb)
           as (so_number text, item_id int, quantity_ordered int, line_number int, properties jsonb))
         with ordinality as l(so_number, item_id, quantity_ordered, line_number, properties, place)
       join made using (so_number) order by place
       returning so_line_id, so_id, item_id, quantity_ordered as quantity
     )
     select so_line_id, item_id, quantity, so_id, so_number from lines join made using (so_id) order by so_line_id`,
    [JSON.stringify(orders), by.username, JSON.stringify(ordered)],
  );
  const ids = new Map(lines.map((line) => [line.so_number, line.so_id]));
  for (const order of orders) {
    const so_id = ids.get(order.so_number);
    if (!so_id) continue;
    tx.audit({
      action: "CREATE",
      entity: "SO",
      entityId: so_id,
      warehouseId: order.warehouse_id,
      details: { so_number: order.so_number, lines: order.lines.length, ...from },
    });
  }
  return { ids, lines };
}
