import type { z } from "zod";
import type { Mapped } from "../../src/inbound/apply.js";
import { constraintViolation, LinesInFlight, LockHeld } from "../../src/inbound/problems.js";
import type { Actor } from "../../src/platform/actor.js";
import { bool } from "../../src/platform/db/columns.js";
import { todayAt } from "../../src/platform/db/days.js";
import { addressesDiffer } from "../../src/sales-orders/fraud.js";
import { isFulfilled } from "../../src/sales-orders/fulfilment.js";
import { SalesOrder } from "../../src/sales-orders/shapes.js";
import { setting } from "../../src/system/settings/queries.js";
import type { Tx } from "../command.js";
import { expectIncreaseFrom, expectLacking } from "../stock/backorders.js";
import type { Incoming, Merged } from "./incoming.js";
import { checkSenderWarehouse } from "./incoming.js";
import { linesToWrite, OrderLine, sameLines, sorted } from "./lines.js";
import { updateParts } from "./order-headers.js";
import { replaceLines, reservesStock, takeProperties, writeLines } from "./order-lines.js";
import { lockParts, type OrderPart } from "./order-parts.js";
import { numberHere } from "./other-warehouses.js";
import { insertRow, type Values } from "./records.js";
import { cancelParts, changeShopOrder, unitsOfLines } from "./shop-orders.js";
import { saysTheSame, unitsOfSplit } from "./split-orders.js";

/**
 * Writes a sales order. The status of a stored order follows from the work on it; its source can only cancel it. Lines
 * that differ from the stored ones replace them as long as no work on them has begun and no stock is reserved for them.
 * An order that was split has fewer lines here than in its source; that is no difference. Changes by a connector are
 * merged instead (`changeShopOrder`).
 */
export async function writeSalesOrder(
  tx: Tx,
  incoming: Incoming,
  values: Values,
  lines: Mapped["lines"],
  by: Actor,
): Promise<Merged> {
  const sent = sorted(await linesToWrite(tx, incoming, lines ?? []));
  const { stored, shop } = incoming;
  if (!stored.exists) {
    const warehouseId = await create(tx, incoming, values, sent, by);
    return { warehouseId, ...(shop && { remembered: { wanted: Object.fromEntries(unitsOfLines(sent)) } }) };
  }
  if (shop) return changeShopOrder(asSource(tx, incoming), incoming, values, lines && sent, by);
  return { warehouseId: await change(tx, incoming, values, sent, by) };
}

const Order = SalesOrder.pick({
  ...{ warehouse_id: true, status: true, so_number: true, so_id: true, order_type: true, min_days_at_shipping: true },
});
type Order = z.infer<typeof Order>;
const ORDER = "so_id, so_number, status, warehouse_id, order_type, min_days_at_shipping";

/** Statuses that only work in the warehouse leads to. */
const workStatuses = ["PICKED", "PACKED", "PARTIALLY_RECEIVED", "RECEIVED"];

async function create(tx: Tx, incoming: Incoming, values: Values, lines: OrderLine[], by: Actor): Promise<number> {
  const status = String(values.status ?? "OPEN");
  if (workStatuses.includes(status)) throw constraintViolation(`status: a new order is not ${status}`);
  const so_number = incoming.shop ? await numberHere(tx, incoming, values.so_number) : values.so_number;
  const order = await insertRow(
    tx,
    incoming,
    {
      ...values,
      so_number,
      status: (await isHeld(tx, values, status)) ? "FRAUD_REVIEW" : status,
      so_barcode: values.so_barcode ?? so_number,
      source_system: values.source_system ?? incoming.pushKey.source_system,
      order_source: "inbound",
      created_by: by.username,
    },
    Order.shape,
    { order_date: `coalesce(order_date, ${todayAt("pushed.warehouse_id")})` },
  );
  await writeLines(tx, order, lines);
  return order.warehouse_id;
}

/** Whether a new order is held for fraud review: billing and shipping address differ (docs/interface.md, Inbound). */
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
  const order = await tx.row(Order, `select ${ORDER} from sales_orders where external_id = $1 for update`, [
    incoming.canonicalId,
  ]);
  if (!order) throw LockHeld();
  checkSenderWarehouse(incoming.sender, order.warehouse_id);
  const { warehouse_id = order.warehouse_id, min_days_at_shipping = order.min_days_at_shipping } = values;
  const after = { ...order, warehouse_id, min_days_at_shipping } as Order;
  // The lines of a cancelled order stay, also of a part that was shipped before.
  const replaced = await isReplaced(tx, order, after, status === "CANCELLED" ? [] : sent);
  await updateParts(tx, incoming, order.so_id, values);
  if (replaced) await replaceLines(tx, after, sent);
  else if (after.warehouse_id !== order.warehouse_id && reservesStock(after)) expectLacking(tx, [order.so_id]);
  await takeProperties(asSource(tx, incoming), order, sent);
  return after.warehouse_id;
}

/** Where a source changes an order itself, the audit log names the source system as the user. */
const asSource = (tx: Tx, { pushKey }: Incoming): Tx => ({
  ...tx,
  audit: ({ details, ...entry }) =>
    tx.audit({ ...entry, user: `inbound:${pushKey.source_system}`, details: { ...details, source: "inbound" } }),
});

/**
 * Cancels what was not shipped of the order, as a user would; an order that cannot be cancelled is a 422. A token, too,
 * cancels only in its own warehouses.
 */
async function cancel(tx: Tx, incoming: Incoming, by: Actor): Promise<void> {
  const source = asSource(tx, incoming);
  const parts = await lockParts(source, incoming.canonicalId);
  const { so_number, order_type, warehouse_id } = parts[0] as OrderPart;
  checkSenderWarehouse(incoming.sender, warehouse_id);
  if (!isFulfilled(order_type))
    throw constraintViolation(`status: Sales order ${so_number} is a ${order_type}: it is not cancelled`);
  const increase = await expectIncreaseFrom(
    source,
    parts.map(({ so_id }) => so_id),
  );
  await cancelParts(source, increase, parts, by);
}

const StoredLine = OrderLine.extend({ begun: bool });

/**
 * Whether the lines are to be replaced. Throws 409 where lines or warehouse would change after work has begun, or lines
 * after the order was split.
 */
async function isReplaced(tx: Tx, order: Order, after: Order, sent: OrderLine[]): Promise<boolean> {
  const moves = after.warehouse_id !== order.warehouse_id;
  if (order.status === "CANCELLED" || (sent.length === 0 && !moves)) return false;
  const stored = await tx.rows(
    StoredLine,
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
