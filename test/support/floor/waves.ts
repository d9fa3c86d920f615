import assert from "node:assert/strict";
import { planWave } from "../../../activities/picking/create-wave.js";
import { cancelWave, completeWave } from "../../../activities/picking/index.js";
import { giveBack, nextBatch } from "../../../activities/picking/next-batch.js";
import { releaseWaves } from "../../../activities/picking/release-waves.js";
import { confirmPick, shortPick } from "../../../activities/picking/scan.js";
import { takeBatchId } from "../../../src/picking/queries.js";
import { WaveToPlan } from "../../../src/picking/waves/shapes.js";
import { coverage, isActive, putBack } from "./model.js";
import { type Batch, type SalesOrder, viewOf } from "./site.js";
import { type Ask, choose, NONE, still } from "./step.js";

/** How orders are picked: in waves that somebody chooses, or that are released and given to pickers. */
export const waves = {
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

  confirm: ({ items }, { tasks, batches }, { a, b, quantity }) => {
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
          : isWaiting(batches, task.batch_id)
            ? "batch_waits"
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

  short: (_site, { tasks, batches }, { a, quantity }) => {
    const task = choose(tasks, (t) => t.status === "PENDING", a);
    const quantity_available = quantity - 1;
    return {
      expected: !task
        ? "task_not_found"
        : task.status !== "PENDING"
          ? "task_not_pending"
          : isWaiting(batches, task.batch_id)
            ? "batch_waits"
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

  /** Of all orders that can be picked: afterwards none is left that there is enough for. */
  release: (site, _view, { a, b }) => {
    const { warehouse_id, bins } = site;
    const asked = WaveToPlan.parse({ warehouse_id, combine: a % 2 === 0, group: { max_orders: 1 + (b % 3) } });
    return {
      expected: "ok",
      change: still,
      run: async (by) => {
        const released = await releaseWaves(asked, by);
        assert.deepEqual(released.lost, []);
        const after = await viewOf(site);
        for (const order of after.orders.filter(waitsForBatch))
          assert.equal(
            coverage(after, [order], [], (bin) => bin !== bins[0]),
            "insufficient_coverage",
            `order ${order.so_id} could have been released`,
          );
        return released;
      },
    };
  },

  nextBatch: ({ warehouse_id }, { batches }, _, userId) => ({
    expected: batches.some((batch) => isActive(batch) && [userId, null].includes(batch.user_id))
      ? "ok"
      : "no_batch_waits",
    change: still,
    run: (by) => nextBatch({ warehouse_id }, by),
  }),

  giveBack: (_site, { batches, tasks }, { a }) => {
    const batch = choose(batches, (b) => isActive(b) && b.user_id !== null, a);
    const begun = tasks.some((task) => task.batch_id === batch?.batch_id && ["PICKED", "SHORT"].includes(task.status));
    return {
      expected: !batch
        ? "batch_not_found"
        : !isActive(batch)
          ? "batch_not_active"
          : batch.user_id === null
            ? "batch_waits"
            : begun
              ? "batch_has_picks"
              : "ok",
      change: still,
      run: (by) => giveBack(batch?.batch_id ?? NONE, by),
    };
  },
} satisfies Record<string, Ask>;

const isWaiting = (batches: Batch[], batchId: number) =>
  batches.some((batch) => batch.batch_id === batchId && batch.user_id === null);

const waitsForBatch = ({ status, batch_id, lines }: SalesOrder) =>
  status === "OPEN" && batch_id === null && lines.some((line) => line.picked < line.ordered);

/** What stands against a wave over these orders, in the order in which it is looked at; `mine` are put back first. */
function firstRefusal(orders: SalesOrder[], mine: number[], combine: boolean): string | undefined {
  for (const { status, batch_id } of orders) {
    if (batch_id !== null && !mine.includes(batch_id)) return combine ? "order_in_wave" : "order_in_batch";
    if (status !== "OPEN") return "order_not_open";
  }
  return undefined;
}
