import { planWave } from "../../../activities/picking/create-wave.js";
import { cancelWave, completeWave } from "../../../activities/picking/index.js";
import { confirmPick, shortPick } from "../../../activities/picking/scan.js";
import { createSalesOrder } from "../../../activities/sales-orders/create.js";
import { completePacking, verifyItem } from "../../../activities/shipping/packing.js";
import { fulfill } from "../../../activities/shipping/shipping.js";
import { takeBatchId } from "../../../src/picking/queries.js";
import { unique } from "../unique.js";
import { coverage, hasPicks, isActive, isWhollyPacked, putBack } from "./model.js";
import type { SalesOrder } from "./site.js";
import { type Ask, at, choose, NONE, still } from "./step.js";

/** What is done for orders, from their making to the carrier. */
export const orders = {
  order: ({ warehouse_id, items }, _, { a, b, quantity }) => {
    const so_number = `F-${unique()}`;
    const lines = [a, b]
      .slice(0, 1 + (a % 2))
      .map((n) => ({ item_id: at(items, n).item_id, quantity_ordered: quantity }));
    return { expected: "ok", change: still, run: (by) => createSalesOrder({ so_number, warehouse_id, lines }, by) };
  },

  wave: async ({ warehouse_id, bins }, view, { a, b, c }, userId) => {
    const batchId = await takeBatchId();
    const one = choose(view.orders, (o) => o.status === "OPEN" && o.batch_id === null, a);
    const other = choose(view.orders, (o) => o.status === "OPEN", b);
    const chosen = [...new Set(c % 3 === 0 ? [one] : [one, other])].filter((order) => order !== undefined);
    const soIds = chosen.length > 0 ? chosen.map((o) => o.so_id) : [NONE];
    const combine = c % 2 === 0;
    const mine = view.batches
      .filter((batch) => batch.user_id === userId && isActive(batch))
      .map((batch) => batch.batch_id);
    return {
      expected:
        chosen.length === 0
          ? "order_unknown"
          : (firstRefusal(chosen, mine, combine) ?? coverage(view, chosen, mine, (bin) => bin !== bins[0])),
      change: putBack(view, mine),
      run: (by) => planWave({ batchId, warehouseId: warehouse_id, soIds, combine, excludeSoIds: [] }, by),
    };
  },

  confirm: ({ items }, { tasks }, { a, b, quantity }) => {
    const task = choose(tasks, (t) => t.status === "PENDING", a);
    const right = items.find((item) => item.item_id === task?.item_id);
    const wrong = items.find((item) => item !== right);
    const scanned = b % 8 === 1 ? wrong : right;
    // Mostly what the task asks for.
    const quantity_picked = b % 4 === 0 ? quantity : (task?.to_pick ?? 1);
    return {
      expected: !task
        ? "task_not_found"
        : task.status !== "PENDING"
          ? "task_not_pending"
          : scanned !== right
            ? "wrong_item"
            : quantity_picked > task.to_pick
              ? "picks_more_than_task"
              : "ok",
      change: new Map(task && [[task.item_id, -quantity_picked]]),
      run: (by) =>
        confirmPick(
          { pick_task_id: task?.pick_task_id ?? NONE, scanned_barcode: scanned?.sku ?? "", quantity_picked },
          by,
        ),
    };
  },

  short: (_site, { tasks }, { a, quantity }) => {
    const task = choose(tasks, (t) => t.status === "PENDING", a);
    const quantity_available = quantity - 1;
    return {
      expected: !task
        ? "task_not_found"
        : task.status !== "PENDING"
          ? "task_not_pending"
          : quantity_available > task.to_pick
            ? "picks_more_than_task"
            : "ok",
      change: new Map(task && [[task.item_id, -quantity_available]]),
      run: (by) => shortPick({ pick_task_id: task?.pick_task_id ?? NONE, quantity_available }, by),
    };
  },

  complete: (_site, { batches, tasks, orders }, { a }) => {
    const pending = (batchId: number) => tasks.some((t) => t.batch_id === batchId && t.status === "PENDING");
    const batch = choose(batches, (b) => isActive(b) && !pending(b.batch_id), a);
    const batchId = batch?.batch_id ?? NONE;
    const silent = orders
      .filter((order) => order.batch_id === batchId)
      .flatMap((order) => order.lines)
      .some((line) => line.picked < line.ordered && !line.short);
    return {
      expected: !batch
        ? "unknown_batch"
        : !isActive(batch)
          ? "batch_not_active"
          : pending(batchId)
            ? "tasks_pending"
            : silent
              ? "silent_shortfall"
              : "ok",
      change: still,
      run: (by) => completeWave(batchId, by),
    };
  },

  cancel: (_site, view, { a }) => {
    const batch = choose(view.batches, isActive, a);
    const batchId = batch?.batch_id ?? NONE;
    return {
      expected: !batch ? "batch_not_found" : isActive(batch) ? "ok" : "batch_not_active",
      change: putBack(view, [batchId]),
      run: (by) => cancelWave(batchId, by),
    };
  },

  verify: ({ items }, { orders }, { a, b, c, quantity }) => {
    const order = choose(orders, (o) => o.status === "PICKED", a);
    const line = order && choose(order.lines, (l) => l.packed < l.picked, b);
    const item = items.find((i) => i.item_id === line?.item_id) ?? at(items, b);
    const left = order?.lines
      .filter((l) => l.item_id === item.item_id)
      .map((l) => l.picked - l.packed)
      .find((units) => units > 0);
    const units = c % 3 ? (left ?? quantity) : quantity;
    return {
      expected: !order
        ? "so_not_found"
        : order.status !== "PICKED"
          ? "so_not_picked"
          : left === undefined
            ? "already_verified"
            : units > left
              ? "over_pack"
              : "ok",
      change: still,
      run: (by) => verifyItem({ so_id: order?.so_id ?? NONE, scanned_barcode: item.sku, quantity: units }, by),
    };
  },

  pack: (_site, { orders }, { a }) => {
    const order = choose(orders, (o) => o.status === "PICKED" && isWhollyPacked(o), a);
    return {
      expected: !order
        ? "so_not_found"
        : order.status !== "PICKED"
          ? "so_not_picked"
          : !hasPicks(order)
            ? "nothing_to_ship"
            : isWhollyPacked(order)
              ? "ok"
              : "not_all_verified",
      change: still,
      run: (by) => completePacking({ so_id: order?.so_id ?? NONE }, by),
    };
  },

  ship: (_site, { orders }, { a }) => {
    const order = choose(orders, (o) => o.status === "PACKED", a);
    const refusals: Record<string, string> = { PACKED: "ok", PICKED: "so_not_packed" };
    return {
      expected: order ? (refusals[order.status] ?? "so_not_shippable") : "so_not_found",
      change: still,
      run: (by) => fulfill({ so_id: order?.so_id ?? NONE, tracking_number: "1Z", carrier: "UPS" }, by),
    };
  },
} satisfies Record<string, Ask>;

/** What stands against a wave over these orders, in the order in which it is looked at; `mine` are put back first. */
function firstRefusal(orders: SalesOrder[], mine: number[], combine: boolean): string | undefined {
  for (const { status, batch_id } of orders) {
    if (batch_id !== null && !mine.includes(batch_id)) return combine ? "order_in_wave" : "order_in_batch";
    if (status !== "OPEN") return "order_not_open";
  }
  return undefined;
}
