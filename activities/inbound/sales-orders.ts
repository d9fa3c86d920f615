import type { Actor } from "../../src/actor.js";
import { companyDay } from "../../src/db/days.js";
import type { Mapped } from "../../src/inbound/apply.js";
import { broken, forbidden, LinesInFlight, WarehouseNotAllowed } from "../../src/inbound/problems.js";
import { DomainError, WarehouseDenied } from "../../src/problem.js";
import { addressesDiffer } from "../../src/sales-orders/fraud.js";
import { isFulfilled } from "../../src/sales-orders/fulfilment.js";
import type { OrderType } from "../../src/sales-orders/shapes.js";
import type { SalesOrderStatus } from "../../src/states.js";
import { setting } from "../../src/system/settings/queries.js";
import type { Tx } from "../command.js";
import { cancelWithin } from "../sales-orders/cancel.js";
import { removeFromEndedTasks } from "../sales-orders/lines.js";
import { type LineToReserve, reserveLines } from "../stock/reservations.js";
import type { Incoming } from "./incoming.js";
import { inOrder, linesToWrite, type OrderLine, sameLines } from "./lines.js";
import { insertRow, updateRow, type Values } from "./records.js";
import { refuseElsewhere } from "./warehouse-scope.js";

/**
 * Writes a sales order. What it has come to here is the floor's to say: of an order that is here, a source only says
 * that it is CANCELLED. Lines that differ from the stored ones replace them as long as nothing was begun or reserved
 * for them.
 */
export async function writeSalesOrder(
  tx: Tx,
  incoming: Incoming,
  values: Values,
  lines: Mapped["lines"],
  by: Actor,
): Promise<number> {
  const sent = inOrder(await linesToWrite(tx, incoming, lines ?? []));
  return incoming.known.exists ? change(tx, incoming, values, sent, by) : create(tx, incoming, values, sent, by);
}

interface Order {
  so_id: number;
  so_number: string;
  status: SalesOrderStatus;
  warehouse_id: number;
  order_type: OrderType;
}
const ORDER = "so_id, so_number, status, warehouse_id, order_type";

/** Only work here brings about these. */
const worked = ["PICKED", "PACKED", "PARTIALLY_RECEIVED", "RECEIVED"];

/** What an order has from us when its source says nothing. */
const madeHere = ["so_barcode", "source_system", "order_date"];

/** Whether an order holds stock for its lines. */
const waitsForPicking = ({ status, order_type }: Order) =>
  isFulfilled(order_type) && (status === "OPEN" || status === "FRAUD_REVIEW");

async function create(tx: Tx, incoming: Incoming, values: Values, lines: OrderLine[], by: Actor): Promise<number> {
  const status = String(values.status ?? "OPEN");
  if (worked.includes(status)) throw broken(`status: a new order is not ${status}`);
  const order = await insertRow<Order>(
    tx,
    incoming,
    {
      ...values,
      status: (await isHeld(tx, values, status)) ? "FRAUD_REVIEW" : status,
      so_barcode: values.so_barcode ?? values.so_number,
      source_system: values.source_system ?? incoming.triple.source_system,
      order_source: "inbound",
      created_by: by.username,
    },
    { order_date: `coalesce(order_date, ${companyDay("now()")})` },
    ORDER,
  );
  await writeLines(tx, order, lines);
  return order.warehouse_id;
}

/**
 * Whether somebody is to look at an order first: it is new, and it goes to another address than its bill (reference 04
 * §5.5).
 */
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
  refuseElsewhere(incoming.token, order.warehouse_id);
  const after = {
    ...order,
    warehouse_id: (values.warehouse_id ?? order.warehouse_id) as number,
  };
  const replaced = await isReplaced(tx, order, after, sent);
  for (const column of madeHere) if (values[column] === null) delete values[column];
  await updateRow(tx, incoming, values);
  if (replaced) await replaceLines(tx, after, sent);
  return after.warehouse_id;
}

/**
 * What the desk does when it cancels an order, in the name of the source; an order that cannot be cancelled is a 422.
 * Like a user, a token cancels in its own warehouses only.
 */
async function cancel(tx: Tx, { canonicalId, triple }: Incoming, by: Actor): Promise<void> {
  const order = (await tx.row<Order>(`select ${ORDER} from sales_orders where external_id = $1`, [
    canonicalId,
  ])) as Order;
  const inItsName: Tx = {
    ...tx,
    audit: ({ details, ...entry }) =>
      tx.audit({
        ...entry,
        user: `inbound:${triple.source_system}`,
        details: { ...details, source: "inbound" },
      }),
  };
  try {
    await cancelWithin(inItsName, order.so_id, by);
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
    if (error.kind === WarehouseDenied.kind) throw forbidden(WarehouseNotAllowed);
    throw broken(`status: ${error.message}`);
  }
}

interface Stored extends OrderLine {
  begun: boolean;
}

/**
 * Whether the lines are to be replaced; 409 when they or their warehouse would change although something was done for
 * them.
 */
async function isReplaced(tx: Tx, order: Order, after: Order, sent: OrderLine[]): Promise<boolean> {
  const moves = after.warehouse_id !== order.warehouse_id;
  if (order.status === "CANCELLED" || (sent.length === 0 && !moves)) return false;
  const stored = await tx.rows<Stored>(
    `select item_id, quantity_ordered, line_number,
            greatest(quantity_allocated, quantity_picked, quantity_packed, quantity_shipped, quantity_received) > 0
              or exists (select from pick_batch_orders b where b.so_id = l.so_id and active) as begun
     from sales_order_lines l where so_id = $1`,
    [order.so_id],
  );
  const differ = sent.length > 0 && !sameLines(inOrder(stored), sent);
  if ((differ || moves) && stored.some((line) => line.begun)) throw LinesInFlight({ number: order.so_number });
  return differ;
}

async function replaceLines(tx: Tx, order: Order, lines: OrderLine[]): Promise<void> {
  const gone = await tx.rows<{ so_line_id: number }>("select so_line_id from sales_order_lines where so_id = $1", [
    order.so_id,
  ]);
  await removeFromEndedTasks(
    tx,
    gone.map((line) => line.so_line_id),
  );
  await tx.run("delete from sales_order_lines where so_id = $1", [order.so_id]);
  await writeLines(tx, order, lines);
}

/** Writes an order's lines, and reserves stock for them as far as there is any. */
async function writeLines(tx: Tx, order: Order, lines: OrderLine[]): Promise<void> {
  if (lines.length === 0) return;
  const written = await tx.rows<LineToReserve>(
    `insert into sales_order_lines (so_id, item_id, quantity_ordered, line_number)
     select $1, item_id, quantity_ordered, line_number from jsonb_populate_recordset(null::sales_order_lines, $2)
     returning so_line_id, item_id, quantity_ordered as quantity`,
    [order.so_id, JSON.stringify(lines)],
  );
  if (waitsForPicking(order)) await reserveLines(tx, order.warehouse_id, written);
}
