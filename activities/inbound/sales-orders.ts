import type { Actor } from "../../src/actor.js";
import { todayAt } from "../../src/db/days.js";
import type { Mapped } from "../../src/inbound/apply.js";
import { constraintViolation, forbidden, LinesInFlight, WarehouseNotAllowed } from "../../src/inbound/problems.js";
import { DomainError, WarehouseDenied } from "../../src/problem.js";
import { addressesDiffer } from "../../src/sales-orders/fraud.js";
import { isFulfilled } from "../../src/sales-orders/fulfilment.js";
import type { SalesOrder } from "../../src/sales-orders/shapes.js";
import { setting } from "../../src/system/settings/queries.js";
import type { Tx } from "../command.js";
import { inactiveAmong } from "../purchasing/references.js";
import { cancelWithin } from "../sales-orders/cancel.js";
import { removeFromEndedTasks } from "../sales-orders/lines.js";
import { type LineToReserve, reserveLines } from "../stock/reservations.js";
import type { Incoming } from "./incoming.js";
import { linesToWrite, type OrderLine, sameLines, sorted } from "./lines.js";
import { insertRow, updateRow, type Values } from "./records.js";
import { saysTheSame, unitsOfSplit } from "./split-orders.js";
import { checkSenderWarehouse } from "./warehouse-scope.js";

/**
 * Writes a sales order. The status of a stored order follows from the work on it; its source can only cancel it. Lines
 * that differ from the stored ones replace them as long as no work on them has begun and no stock is reserved for them.
 * An order that was split has fewer lines here than there, which is no difference.
 */
export async function writeSalesOrder(
  tx: Tx,
  incoming: Incoming,
  values: Values,
  lines: Mapped["lines"],
  by: Actor,
): Promise<number> {
  const sent = sorted(await linesToWrite(tx, incoming, lines ?? []));
  return incoming.stored.exists ? change(tx, incoming, values, sent, by) : create(tx, incoming, values, sent, by);
}

type Order = Pick<SalesOrder, "so_id" | "so_number" | "status" | "warehouse_id" | "order_type">;
const ORDER = "so_id, so_number, status, warehouse_id, order_type";

/** Statuses that only work in the warehouse leads to. */
const workStatuses = ["PICKED", "PACKED", "PARTIALLY_RECEIVED", "RECEIVED"];

/** Columns that the service fills itself: a null from the source leaves them as they are. */
const filledByService = ["so_barcode", "source_system", "order_date"];

/** Whether stock is reserved for the lines of an order. */
const reservesStock = ({ status, order_type }: Order) =>
  isFulfilled(order_type) && (status === "OPEN" || status === "FRAUD_REVIEW");

async function create(tx: Tx, incoming: Incoming, values: Values, lines: OrderLine[], by: Actor): Promise<number> {
  const status = String(values.status ?? "OPEN");
  if (workStatuses.includes(status)) throw constraintViolation(`status: a new order is not ${status}`);
  const order = await insertRow<Order>(
    tx,
    incoming,
    {
      ...values,
      status: (await isHeld(tx, values, status)) ? "FRAUD_REVIEW" : status,
      so_barcode: values.so_barcode ?? values.so_number,
      source_system: values.source_system ?? incoming.pushKey.source_system,
      order_source: "inbound",
      created_by: by.username,
    },
    { order_date: `coalesce(order_date, ${todayAt("pushed.warehouse_id")})` },
    ORDER,
  );
  await writeLines(tx, order, lines);
  return order.warehouse_id;
}

/** Whether a new order is held for fraud review: billing and shipping address differ (reference 04 §5.5). */
async function isHeld(tx: Tx, values: Values, status: string): Promise<boolean> {
  return (
    status === "OPEN" && addressesDiffer(values) && (await setting(tx, "fraud_review_billing_shipping")) === "true"
  );
}

async function change(
  tx: Tx,
  incoming: Incoming,
  { status, ...values }: Values,
  sent: OrderLine[],
  by: Actor,
): Promise<number> {
  if (status === "CANCELLED") await cancel(tx, incoming, by);
  const order = (await tx.row<Order>(`select ${ORDER} from sales_orders where external_id = $1 for update`, [
    incoming.canonicalId,
  ])) as Order;
  checkSenderWarehouse(incoming.sender, order.warehouse_id);
  const after = {
    ...order,
    warehouse_id: (values.warehouse_id ?? order.warehouse_id) as number,
  };
  const replaced = await isReplaced(tx, order, after, sent);
  for (const column of filledByService) if (values[column] === null) delete values[column];
  await updateRow(tx, incoming, values, { updated_at: "clock_timestamp()" });
  if (replaced) await replaceLines(tx, after, sent);
  return after.warehouse_id;
}

/**
 * Cancels the order as a user would, with the source system as the user in the audit log; an order that cannot be
 * cancelled is a 422. A token, too, cancels only in its own warehouses.
 */
async function cancel(tx: Tx, { canonicalId, pushKey }: Incoming, by: Actor): Promise<void> {
  const order = (await tx.row<Order>(`select ${ORDER} from sales_orders where external_id = $1`, [
    canonicalId,
  ])) as Order;
  const asSource: Tx = {
    ...tx,
    audit: ({ details, ...entry }) =>
      tx.audit({
        ...entry,
        user: `inbound:${pushKey.source_system}`,
        details: { ...details, source: "inbound" },
      }),
  };
  try {
    await cancelWithin(asSource, order.so_id, by);
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
    if (error.kind === WarehouseDenied.kind) throw forbidden(WarehouseNotAllowed);
    throw constraintViolation(`status: ${error.message}`);
  }
}

interface StoredLine extends OrderLine {
  begun: boolean;
}

/**
 * Whether the lines are to be replaced; 409 where lines or warehouse would change after work has begun, or lines after
 * the order was split.
 */
async function isReplaced(tx: Tx, order: Order, after: Order, sent: OrderLine[]): Promise<boolean> {
  const moves = after.warehouse_id !== order.warehouse_id;
  if (order.status === "CANCELLED" || (sent.length === 0 && !moves)) return false;
  const stored = await tx.rows<StoredLine>(
    `select item_id, quantity_ordered, line_number,
            greatest(quantity_allocated, quantity_picked, quantity_packed, quantity_shipped, quantity_received) > 0
              or exists (select from pick_batch_orders b where b.so_id = l.so_id and active) as begun
     from sales_order_lines l where so_id = $1`,
    [order.so_id],
  );
  const others = sent.length > 0 && !sameLines(sorted(stored), sent);
  const split = others ? await unitsOfSplit(tx, order.so_id) : [];
  const differ = others && !saysTheSame(sent, split);
  if ((differ || moves) && (split.length > 0 || stored.some((line) => line.begun)))
    throw LinesInFlight({ number: order.so_number });
  return differ;
}

async function refuseInactive(tx: Tx, { warehouse_id }: Order, lines: OrderLine[]): Promise<void> {
  const [warehouse, items] = await Promise.all([
    tx.row<{ warehouse_code: string; is_active: boolean }>(
      "select warehouse_code, is_active from warehouses where warehouse_id = $1",
      [warehouse_id],
    ),
    tx.rows<{ sku: string; is_active: boolean }>("select sku, is_active from items where item_id = any($1)", [
      lines.map((line) => line.item_id),
    ]),
  ]);
  const refused = warehouse && inactiveAmong(warehouse, items);
  if (refused) throw constraintViolation(refused.message);
}

async function replaceLines(tx: Tx, order: Order, lines: OrderLine[]): Promise<void> {
  const replaced = await tx.rows<{ so_line_id: number }>("select so_line_id from sales_order_lines where so_id = $1", [
    order.so_id,
  ]);
  await removeFromEndedTasks(
    tx,
    replaced.map((line) => line.so_line_id),
  );
  await tx.run("delete from sales_order_lines where so_id = $1", [order.so_id]);
  await writeLines(tx, order, lines);
}

/**
 * Inserts the lines of an order and reserves the available stock for them; 422 where it names something that is not
 * active.
 */
async function writeLines(tx: Tx, order: Order, lines: OrderLine[]): Promise<void> {
  const sold = reservesStock(order);
  const [written] = await Promise.all([insertLines(tx, order, lines), sold && refuseInactive(tx, order, lines)]);
  if (sold && lines.length > 0) await reserveLines(tx, order.warehouse_id, written);
}

const insertLines = (tx: Tx, order: Order, lines: OrderLine[]) =>
  tx.rows<LineToReserve>(
    `insert into sales_order_lines (so_id, item_id, quantity_ordered, line_number)
     select $1, item_id, quantity_ordered, line_number from jsonb_populate_recordset(null::sales_order_lines, $2)
     returning so_line_id, item_id, quantity_ordered as quantity`,
    [order.so_id, JSON.stringify(lines)],
  );
