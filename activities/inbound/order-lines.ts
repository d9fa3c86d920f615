import { constraintViolation } from "../../src/inbound/problems.js";
import { bool, int, text } from "../../src/platform/db/columns.js";
import { isFulfilled } from "../../src/sales-orders/fulfilment.js";
import { LineProperties, shownProperties } from "../../src/sales-orders/properties.js";
import { SalesOrder } from "../../src/sales-orders/shapes.js";
import type { Tx } from "../command.js";
import { inactiveAmong } from "../master-data/references.js";
import { auditChange } from "../sales-orders/changes.js";
import { unitsOf } from "../sales-orders/create.js";
import { removeFromEndedTasks } from "../sales-orders/lines.js";
import { expectLacking } from "../stock/backorders.js";
import { LineToReserve, reserveLines } from "../stock/reservations.js";
import { OrderLine } from "./lines.js";

/** The lines of a sales order that a source sent. */

type Order = Pick<SalesOrder, "so_id" | "status" | "warehouse_id" | "order_type" | "min_days_at_shipping">;

/** Whether stock is reserved for the lines of an order. */
export const reservesStock = ({ status, order_type }: Order) =>
  isFulfilled(order_type) && (status === "OPEN" || status === "FRAUD_REVIEW");

/** Replaces the existing lines, which have no reserved stock. */
export async function replaceLines(tx: Tx, order: Order, lines: OrderLine[]): Promise<void> {
  const replaced = await tx.rows(
    { ...OrderLine.shape, so_line_id: int },
    `select so_line_id, item_id, line_number, quantity_ordered, properties from sales_order_lines where so_id = $1`,
    [order.so_id],
  );
  await removeFromEndedTasks(
    tx,
    replaced.map((line) => line.so_line_id),
  );
  await tx.run("delete from sales_order_lines where so_id = $1", [order.so_id]);
  await writeLines(
    tx,
    order,
    lines.map((line) => ({ ...replaced.find((before) => isSameLine(before, line)), ...line })),
  );
}

const isSameLine = (some: OrderLine, other: OrderLine) =>
  some.item_id === other.item_id && some.line_number === other.line_number;

/**
 * Writes the customer's wishes for each line, where the source has changed them, also to the lines of backorders, which
 * have the line numbers of the order; shipped lines stay as they are. The order is locked.
 */
export async function takeProperties(tx: Tx, order: Order & { so_number: string }, lines: OrderLine[]): Promise<void> {
  const said = lines.filter(({ properties }) => properties !== undefined);
  if (said.length === 0) return;
  const changed = await tx.rows(
    ChangedProperties,
    `with said as (
       select distinct on (item_id, line_number) item_id, line_number, properties
       from jsonb_to_recordset($2::jsonb) as s(item_id int, line_number int, properties jsonb)
     ), before as (
       select so_line_id, so_id, so_number, warehouse_id, item_id, l.properties as old, said.properties as new
       from sales_orders so join sales_order_lines l using (so_id) join said using (item_id, line_number)
       where (so_id = $1 or (parent_so_id = $1 and order_type = 'backorder'))
         and so.status not in ('SHIPPED', 'CANCELLED', 'REFUNDED') and l.properties <> said.properties
     ), written as (
       update sales_order_lines l set properties = new from before where l.so_line_id = before.so_line_id
     )
     select so_line_id, so_id, so_number, warehouse_id, item_id, sku, old, new
     from before join items using (item_id) order by so_line_id`,
    [order.so_id, JSON.stringify(said)],
  );
  for (const { sku, so_line_id, item_id, old, new: now, ...of } of changed)
    auditChange(tx, of, "UPDATE", {
      ...{ field: `line[${sku}].properties`, old_value: inWords(old), new_value: inWords(now), so_line_id, item_id },
    });
}

const ChangedProperties = SalesOrder.pick({ warehouse_id: true, so_number: true, so_id: true }).extend({
  so_line_id: int,
  item_id: int,
  sku: text,
  old: LineProperties,
  new: LineProperties,
});

const inWords = (properties: LineProperties) =>
  shownProperties(properties)
    .map(({ name, value }) => `${name}: ${value}`)
    .join(", ") || null;

/**
 * Inserts the lines of an order and reserves the available stock for them; 422 where it names something that is not
 * active.
 */
export async function writeLines(tx: Tx, order: Order, lines: OrderLine[]): Promise<void> {
  const sold = reservesStock(order);
  const [written] = await Promise.all([
    insertLines(tx, order, lines),
    sold &&
      refuseInactive(
        tx,
        order.warehouse_id,
        lines.map((line) => line.item_id),
      ),
  ]);
  if (!sold || lines.length === 0) return;
  const reserved = await reserveLines(tx, order, written);
  if (reserved < unitsOf(written)) expectLacking(tx, [order.so_id]);
}

const insertLines = (tx: Tx, order: Order, lines: OrderLine[]) =>
  tx.rows(
    LineToReserve,
    `insert into sales_order_lines (so_id, item_id, quantity_ordered, line_number, properties)
     select $1, item_id, quantity_ordered, line_number, coalesce(properties, '[]')
     from jsonb_populate_recordset(null::sales_order_lines, $2)
     returning so_line_id, item_id, quantity_ordered as quantity`,
    [order.so_id, JSON.stringify(lines)],
  );

/** Throws 422 where the warehouse, or one of the items, is not active. */
export async function refuseInactive(tx: Tx, warehouseId: number, itemIds: number[]): Promise<void> {
  const [warehouse, items] = await Promise.all([
    tx.row(
      { warehouse_code: text, is_active: bool },
      "select warehouse_code, is_active from warehouses where warehouse_id = $1",
      [warehouseId],
    ),
    tx.rows({ sku: text, is_active: bool }, "select sku, is_active from items where item_id = any($1)", [itemIds]),
  ]);
  const refused = warehouse && inactiveAmong(warehouse, items);
  if (refused) throw constraintViolation(refused.message);
}
