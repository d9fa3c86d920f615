import type { Actor } from "../../src/actor.js";
import { NotCancellable } from "../../src/sales-orders/action-problems.js";
import { SoNotFound } from "../../src/sales-orders/problems.js";
import {
  mayBecome,
  type SalesOrderStatus,
  salesOrderStates,
} from "../../src/states.js";
import { releaseCovered, waitingForPicksOf } from "../backorders.js";
import { command, nextAuditId, type Tx } from "../command.js";
import { releaseReservations } from "../reservations.js";
import { addStock } from "../stock.js";
import {
  type ActionOrder,
  endTasks,
  lockWithPicks,
  permitted,
  type Share,
  sharesOf,
} from "./orders-with-picks.js";

export interface Cancelled {
  message: string;
  pre_status: SalesOrderStatus;
  /** Null when the order was cancelled before. */
  audit_log_id: number | null;
}

/**
 * Cancels an order whatever it has come to, short of being shipped, and its open backorders with it (spec 3.1, reference 03 §4,
 * 07 §5): reservations and pending picks end, a wave goes on without it, picked units are put into receiving.
 */
export function cancelSalesOrder(
  input: { so_id: number },
  by: Actor,
): Promise<Cancelled> {
  return command("sales-orders.cancel", by, input, (tx) =>
    cancelWithin(tx, input.so_id, by),
  );
}

/** The same within a larger change, which holds no lock yet of those that an order's picks need. */
export async function cancelWithin(
  tx: Tx,
  so_id: number,
  by: Actor,
): Promise<Cancelled> {
  const orders = await lockWithPicks(tx, async () => [
    ...(await withBackorders(tx, so_id)),
    ...(await waitingForPicksOf(tx, so_id)),
  ]);
  const order = permitted(orders, so_id, by, SoNotFound);
  const { so_number, status } = order;
  if (status === "CANCELLED")
    return {
      message: `${so_number} was already cancelled`,
      pre_status: status,
      audit_log_id: null,
    };
  if (!mayBecome(salesOrderStates, status, "CANCELLED"))
    throw NotCancellable({ so_number, status }, { current_status: status });
  const audit_log_id = await nextAuditId(tx);
  const family = orders.filter(
    (one) => one === order || isBackorderOf(one, order),
  );
  const open = family.filter((one) =>
    mayBecome(salesOrderStates, one.status, "CANCELLED"),
  );
  await lockStockOf(tx, open);
  for (const one of open)
    await cancel(
      tx,
      one,
      one === order
        ? { reason: null, logId: audit_log_id }
        : { reason: "parent_cancelled" },
      by,
    );
  const others = orders.filter((one) => !family.includes(one));
  await releaseCovered(
    tx,
    others.map((one) => one.so_id),
    "adjustment",
  );
  return {
    message: `${so_number} is cancelled`,
    pre_status: status,
    audit_log_id,
  };
}

const isBackorderOf = (one: ActionOrder, order: ActionOrder) =>
  one.order_type === "backorder" && one.parent_so_number === order.so_number;

async function withBackorders(tx: Tx, soId: number): Promise<number[]> {
  const orders = await tx.rows<{ so_id: number }>(
    "select so_id from sales_orders where so_id = $1 or (parent_so_id = $1 and order_type = 'backorder')",
    [soId],
  );
  return orders.map((order) => order.so_id);
}

/** All stock of what these orders ask for: what they hold, and where it is put back. */
async function lockStockOf(tx: Tx, orders: ActionOrder[]): Promise<void> {
  await tx.run(
    `select from inventory where (item_id, warehouse_id) in (
       select item_id, warehouse_id from sales_order_lines join sales_orders using (so_id) where so_id = any($1))
     order by item_id, bin_id, lot_number for update`,
    [orders.map((order) => order.so_id)],
  );
}

interface Line {
  so_line_id: number;
  item_id: number;
  quantity_picked: number;
  /** Reserved, or promised by a pick task. */
  waiting: number;
}

async function cancel(
  tx: Tx,
  order: ActionOrder,
  { reason, logId }: { reason: string | null; logId?: number },
  by: Actor,
): Promise<void> {
  const { so_id, so_number, status, warehouse_id } = order;
  const lines = await tx.rows<Line>(
    `select so_line_id, item_id, quantity_picked, quantity_allocated - quantity_picked as waiting
     from sales_order_lines where so_id = $1`,
    [so_id],
  );
  await releaseReservations(
    tx,
    lines.map((line) => line.so_line_id),
  );
  const shares = (await sharesOf(tx, so_id)).filter((share) =>
    ["PENDING", "PICKED", "SHORT"].includes(share.status),
  );
  await endTasks(tx, so_id, [...new Set(shares.map((s) => s.pick_task_id))]);
  await releasePending(tx, shares);
  const goods = pickedGoods(lines, shares);
  const bin_id = await putIntoReceiving(tx, order, goods);
  await leaveWave(tx, so_id, units(shares));
  await tx.run(
    `with lines as (
       update sales_order_lines
       set quantity_allocated = 0, quantity_picked = 0, quantity_packed = 0, status = 'PENDING' where so_id = $1
     )
     update sales_orders set status = 'CANCELLED', cancellation_reason = coalesce($2, cancellation_reason) where so_id = $1`,
    [so_id, reason],
  );
  tx.audit({
    ...(logId && { logId }),
    action: "CANCEL",
    entity: "SO",
    entityId: so_id,
    warehouseId: warehouse_id,
    details: {
      so_number,
      pre_status: status,
      released_allocation: lines.reduce((sum, line) => sum + line.waiting, 0),
      restocked: units(goods),
      ...(bin_id && { bin_id }),
      ...(reason && { cancellation_reason: reason }),
    },
  });
  if (order.order_type !== "backorder") return;
  tx.emit({
    type: "backorder.cancelled",
    aggregateId: order.external_id,
    entity: "sales_order",
    entityId: so_id,
    warehouseId: warehouse_id,
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

const units = (things: { quantity: number }[]) =>
  things.reduce((sum, { quantity }) => sum + quantity, 0);

/** What pending tasks would have taken is free again. */
async function releasePending(tx: Tx, shares: Share[]): Promise<void> {
  const pending = shares.filter((share) => share.status === "PENDING");
  if (pending.length === 0) return;
  await tx.run(
    `update inventory v set quantity_allocated = v.quantity_allocated - p.units
     from (select inventory_id, sum(units)::int as units
           from unnest($1::int[], $2::int[]) as p(inventory_id, units) group by inventory_id) p
     where v.inventory_id = p.inventory_id`,
    [pending.map((p) => p.inventory_id), pending.map((p) => p.quantity)],
  );
}

interface Goods {
  item_id: number;
  lot_number: string | null;
  quantity: number;
}

/** What was picked for an order, with its lot as far as pick tasks know it: a counter sale has none. */
function pickedGoods(lines: Line[], shares: Share[]): Goods[] {
  const byTask = shares.map(({ quantity_picked, ...share }) => ({
    ...share,
    quantity: quantity_picked,
  }));
  const others = lines.map(({ so_line_id, item_id, quantity_picked }) => ({
    item_id,
    lot_number: null,
    quantity:
      quantity_picked -
      units(byTask.filter((share) => share.so_line_id === so_line_id)),
  }));
  return [...byTask, ...others].filter(({ quantity }) => quantity > 0);
}

/**
 * Picked goods are in nobody's bin: they go into the one of setting `default_receiving_bin`. Where that is none of the order's
 * warehouse, into the first one there that goods arrive in, or else the first. Gives the bin, if anything was picked.
 */
async function putIntoReceiving(
  tx: Tx,
  { warehouse_id }: ActionOrder,
  goods: Goods[],
): Promise<number | undefined> {
  if (goods.length === 0) return undefined;
  const bin = (await tx.row<{ bin_id: number }>(
    `select bin_id from bins where warehouse_id = $1
     order by bin_id::text = (select value from app_settings where key = 'default_receiving_bin') desc nulls last,
              bin_type = 'Staging' and is_active desc, bin_id limit 1`,
    [warehouse_id],
  )) as { bin_id: number };
  await addStock(
    tx,
    goods.map(({ item_id, lot_number, quantity }) => ({
      itemId: item_id,
      binId: bin.bin_id,
      warehouseId: warehouse_id,
      lot: lot_number,
      quantity,
    })),
  );
  return bin.bin_id;
}

/** The walk that the order was on goes on without it. */
async function leaveWave(tx: Tx, soId: number, held: number): Promise<void> {
  await tx.run(
    `with gone as (delete from pick_batch_orders where so_id = $1 and active returning batch_id)
     update pick_batches p set total_orders = total_orders - 1, total_items = total_items - $2
     from gone where p.batch_id = gone.batch_id`,
    [soId, held],
  );
}
