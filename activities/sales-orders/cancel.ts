import { z } from "zod";
import type { Actor } from "../../src/platform/actor.js";
import { int } from "../../src/platform/db/columns.js";
import { ofSalesOrder } from "../../src/platform/events/outbox.js";
import { mayBecome, salesOrderStates } from "../../src/platform/states.js";
import { NotCancellable, ReturnNotCancellable } from "../../src/sales-orders/action-problems.js";
import type { Cancelled } from "../../src/sales-orders/action-shapes.js";
import { isFulfilled } from "../../src/sales-orders/fulfilment.js";
import { SoNotFound } from "../../src/sales-orders/problems.js";
import { PartlyShipped } from "../../src/shipping/parcels/problems.js";
import { OPEN_BINS } from "../../src/stock/queries.js";
import { command, nextAuditId, type Tx } from "../command.js";
import { unpackSerials } from "../serials/pack.js";
import { voidParcels } from "../shipping/parcels/write.js";
import { expectIncreaseFrom, type StockIncrease } from "../stock/backorders.js";
import { cancelLines } from "../stock/line-counters.js";
import { releaseReservations } from "../stock/reservations.js";
import { addStock, changeCounters } from "../stock/stock.js";
import {
  type ActionOrder,
  endTasks,
  findPermitted,
  lockWithPicks,
  type Portion,
  portionsOf,
} from "./orders-with-picks.js";

/**
 * Cancels an order that is not shipped yet, and its open backorders (docs/interface.md, Sales orders): reservations and
 * pending pick tasks are released, its wave continues without it, and picked units go to a receiving bin.
 */
export function cancelSalesOrder(input: { so_id: number }, by: Actor): Promise<Cancelled> {
  return command("sales-orders.cancel", by, input, (tx) => cancelWithin(tx, input.so_id, by));
}

/** Cancels within a transaction that has locked neither batches, orders nor stock yet. */
async function cancelWithin(tx: Tx, so_id: number, by: Actor): Promise<Cancelled> {
  const orders = await lockWithPicks(tx, () => withBackorders(tx, so_id));
  const increase = await expectIncreaseFrom(
    tx,
    orders.map((one) => one.so_id),
  );
  const order = findPermitted(orders, so_id, by, SoNotFound);
  const { so_number, status, order_type } = order;
  if (!isFulfilled(order_type)) throw ReturnNotCancellable({ so_number, order_type }, { current_status: status });
  if (status === "CANCELLED")
    return { message: `${so_number} was already cancelled`, pre_status: status, audit_log_id: null };
  if (!mayBecome(salesOrderStates, status, "CANCELLED"))
    throw NotCancellable({ so_number, status }, { current_status: status });
  const audit_log_id = await nextAuditId(tx);
  const family = orders.filter((one) => one === order || isBackorderOf(one, order));
  const open = family.filter((one) => mayBecome(salesOrderStates, one.status, "CANCELLED"));
  await cancelLocked(
    tx,
    increase,
    open,
    (one) => (one === order ? { reason: null, logId: audit_log_id } : { reason: "parent_cancelled" }),
    by,
  );
  return { message: "Sales order cancelled", pre_status: status, audit_log_id };
}

interface Ending {
  /** Stored as the order's reason, if it is given. */
  reason: string | null;
  ends?: "CANCELLED" | "REFUNDED";
  logId?: number;
}

/** Cancels orders that the caller has locked with their batches, but not yet their stock. */
export async function cancelLocked(
  tx: Tx,
  increase: StockIncrease,
  orders: ActionOrder[],
  endingOf: (order: ActionOrder) => Ending,
  by: Actor,
): Promise<void> {
  await lockStockOf(tx, orders);
  for (const order of orders) await cancel(tx, increase, order, endingOf(order), by);
}

const isBackorderOf = (one: ActionOrder, order: ActionOrder) =>
  one.order_type === "backorder" && one.parent_so_number === order.so_number;

async function withBackorders(tx: Tx, soId: number): Promise<number[]> {
  const orders = await tx.rows(
    { so_id: int },
    "select so_id from sales_orders where so_id = $1 or (parent_so_id = $1 and order_type = 'backorder')",
    [soId],
  );
  return orders.map((order) => order.so_id);
}

/**
 * Locks all stock of the ordered items in the orders' warehouses: allocated stock, and the rows that picked units are
 * returned to.
 */
async function lockStockOf(tx: Tx, orders: ActionOrder[]): Promise<void> {
  await tx.run(
    `select from inventory where (item_id, warehouse_id) in (
       select item_id, warehouse_id from sales_order_lines join sales_orders using (so_id) where so_id = any($1))
     order by item_id, bin_id, lot_number for update`,
    [orders.map((order) => order.so_id)],
  );
}

const Line = z.strictObject({
  so_line_id: int,
  /** Units reserved, or in a pending pick task. */
  waiting: int,
  quantity_shipped: int,
});

async function cancel(
  tx: Tx,
  increase: StockIncrease,
  order: ActionOrder,
  { reason, logId, ends = "CANCELLED" }: Ending,
  by: Actor,
): Promise<void> {
  const { so_id, so_number, status, warehouse_id } = order;
  const lines = await tx.rows(
    Line,
    `select so_line_id, quantity_allocated - quantity_picked as waiting, quantity_shipped
     from sales_order_lines where so_id = $1`,
    [so_id],
  );
  if (lines.some(({ quantity_shipped }) => quantity_shipped > 0)) throw PartlyShipped({ so_number });
  await releaseReservations(
    tx,
    increase,
    lines.map((line) => line.so_line_id),
  );
  const portions = (await portionsOf(tx, so_id)).filter((portion) =>
    ["PENDING", "PICKED", "SHORT"].includes(portion.status),
  );
  await endTasks(tx, so_id, [...new Set(portions.map((s) => s.pick_task_id))]);
  const pending = portions.filter((portion) => portion.status === "PENDING");
  await changeCounters(
    tx.later,
    increase,
    pending.map(({ inventory_id, quantity }) => ({ inventoryId: inventory_id, onHand: 0, allocated: -quantity })),
  );
  const goods = pickedGoods(portions);
  const bin_id = await putIntoReceiving(tx, increase, order, goods);
  await leaveBatch(tx, so_id, units(portions));
  await tx.run(
    `with lines as (${cancelLines("$1")})
     update sales_orders
     set status = $3::text, updated_at = clock_timestamp(), cancellation_reason = coalesce($2, cancellation_reason),
         refunded_at = case when $3::text = 'REFUNDED' then now() else refunded_at end
     where so_id = $1`,
    [so_id, reason, ends],
  );
  unpackSerials(tx.later, order, by);
  await voidParcels(tx.later, so_id, "Sales order cancelled", by);
  tx.audit({
    ...(logId && { logId }),
    action: "CANCEL",
    entity: "SO",
    entityId: so_id,
    warehouseId: warehouse_id,
    details: {
      so_number,
      pre_status: status,
      ...(ends === "REFUNDED" && { status: ends }),
      released_allocation: lines.reduce((sum, line) => sum + line.waiting, 0),
      restocked: units(goods),
      ...(bin_id && { bin_id }),
      ...(reason && { cancellation_reason: reason }),
    },
  });
  if (!order.is_backorder) return;
  tx.emit({
    type: "backorder.cancelled",
    ...ofSalesOrder(order),
    data: {
      backorder_so_external_id: order.external_id,
      backorder_so_number: so_number,
      parent_so_number: order.parent_so_number ?? "",
      warehouse_id,
      cancellation_reason: reason ?? "other",
      cancelled_by_user_external_id: by.externalId,
      cancelled_at: tx.now,
    },
  });
}

const units = (things: { quantity: number }[]) => things.reduce((sum, { quantity }) => sum + quantity, 0);

interface Goods {
  item_id: number;
  lot_number: string | null;
  expiry_date: string | null;
  quantity: number;
}

/**
 * The units that pick tasks took for an order. Units that were picked without a task did not leave a bin for it, so
 * they do not become stock.
 */
const pickedGoods = (portions: Portion[]): Goods[] =>
  portions
    .map(({ quantity_picked, ...portion }) => ({ ...portion, quantity: quantity_picked }))
    .filter(({ quantity }) => quantity > 0);

/**
 * Adds picked goods to the stock of the bin in setting `default_receiving_bin`. Where that bin is in another warehouse
 * or inactive, they go to the first active staging bin of the order's warehouse, else to its first bin. Returns the
 * bin, if anything was picked.
 */
async function putIntoReceiving(
  tx: Tx,
  increase: StockIncrease,
  { warehouse_id }: ActionOrder,
  goods: Goods[],
): Promise<number | undefined> {
  if (goods.length === 0) return undefined;
  const bin = (await tx.row(
    { bin_id: int },
    `select b.bin_id from bins b left join ${OPEN_BINS} o using (bin_id) where b.warehouse_id = $1
     order by o.bin_id is null,
              b.bin_id::text = (select value from app_settings where key = 'default_receiving_bin') desc nulls last,
              b.bin_type = 'Staging' desc, b.bin_id limit 1`,
    [warehouse_id],
  )) as { bin_id: number };
  await addStock(
    tx,
    increase,
    goods.map(({ item_id, lot_number, expiry_date, quantity }) => ({
      itemId: item_id,
      binId: bin.bin_id,
      warehouseId: warehouse_id,
      lot: lot_number,
      expiry: expiry_date,
      quantity,
    })),
  );
  return bin.bin_id;
}

/** Removes the order from its active batch, which continues without it; with no order, it waits for no picker. */
async function leaveBatch(tx: Tx, soId: number, held: number): Promise<void> {
  await tx.run(
    `with left_batch as (delete from pick_batch_orders where so_id = $1 and active returning batch_id)
     update pick_batches p
     set total_orders = total_orders - 1, total_items = total_items - $2,
         status = case when total_orders = 1 and assigned_to is null then 'CANCELLED' else status end,
         completed_at = case when total_orders = 1 and assigned_to is null then now() else completed_at end
     from left_batch l where p.batch_id = l.batch_id`,
    [soId, held],
  );
}
