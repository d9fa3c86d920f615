import { planPicks } from "../../src/picking/plan.js";
import {
  AllExcluded,
  InsufficientCoverage,
  OrderElsewhere,
  OrderInBatch,
  OrderInWave,
  OrderNotOpen,
  OrdersRepeated,
  OrderUnknown,
  OrderWithoutItems,
} from "../../src/picking/problems.js";
import { layoutOf } from "../../src/picking/route/walk.js";
import { nextPick, tasksOf } from "../../src/picking/tasks.js";
import { firstNumbers, ordersOf, type WavePlan, type WaveRequest, type WaveStarted } from "../../src/picking/wave.js";
import { type Actor, mayUseWarehouse } from "../../src/platform/actor.js";
import { text } from "../../src/platform/db/columns.js";
import { refuseReturn } from "../../src/sales-orders/fulfilment.js";
import { refuseHeld } from "../../src/sales-orders/holds.js";
import { idleMs } from "../../src/system/settings/queries.js";
import { command } from "../command.js";
import { noIncrease } from "../stock/backorders.js";
import { releaseReservations } from "../stock/reservations.js";
import { checkAllLocked, lockItemRows } from "../stock/stock.js";
import { lockTransfersOf } from "../stock/transfer-lock.js";
import { type BatchLink, itemsOf, linesToPick, lockOrders, type Order, otherBatches } from "./orders-to-pick.js";
import { lockActiveBatches, releaseBatches } from "./release.js";
import { firstPickable, pickableStock } from "./tasks.js";
import { writeBatch } from "./write-batch.js";

/**
 * Creates a wave. Its workflow gets ids and numbers alone; the route reads the plan from the command log.
 * @public Called by `pickWave`, which knows activities by their types alone.
 */
export async function createWave(wave: WaveRequest, by: Actor): Promise<WaveStarted> {
  const { orders, tasks: _tasks, first_pick: _first, ...started } = await planWave(wave, by);
  const so_numbers = firstNumbers(orders.map((order) => order.so_number));
  return { ...started, so_numbers };
}

/**
 * Creates a wave (or a per-order batch) in one transaction (docs/interface.md, Picking): the user's earlier batches in
 * the warehouse are released, the orders' reservations are released, and stock is allocated to tasks in the order of
 * the pick path. Either all orders are covered or the wave is refused.
 */
export function planWave(wave: WaveRequest, by: Actor): Promise<WavePlan> {
  return command("picking.createWave", by, wave, async (tx) => {
    const soIds = ordersOf(wave);
    if (new Set(wave.soIds).size < wave.soIds.length) throw OrdersRepeated();
    if (soIds.length === 0) throw AllExcluded();

    const earlier = await lockActiveBatches(tx, by.userId, wave.warehouseId);
    const [transfers, around, links, items, layout] = await tx.inOrder([
      earlier.length > 0 ? lockTransfersOf(tx, earlier) : [],
      lockOrders(tx, soIds, earlier),
      otherBatches(tx, soIds, earlier),
      itemsOf(tx, soIds, earlier),
      layoutOf(tx, wave.warehouseId),
    ]);
    const orders = around.filter((order) => soIds.includes(order.so_id));
    checkOrders(wave, soIds, orders, links, by);
    const locked = await lockItemRows(tx, wave.warehouseId, items);

    await releaseBatches(tx, earlier, transfers);
    const lines = await linesToPick(tx, soIds);
    for (const { so_id, so_number } of orders) {
      if (!lines.some((line) => line.so_id === so_id)) throw OrderWithoutItems({ so_number });
    }
    // The tasks take at least as many units, so none becomes free for others.
    await releaseReservations(
      tx,
      noIncrease(tx),
      lines.map((line) => line.so_line_id),
    );
    let { allocations, unpickable } = planPicks(lines, await firstPickable(tx, locked, lines));
    // Some of the first units cannot be picked, or are too old for an order.
    if (unpickable.length > 0) ({ allocations, unpickable } = planPicks(lines, await pickableStock(tx, locked)));
    if (unpickable.length > 0) {
      await checkAllLocked(tx, wave.warehouseId, items, locked);
      throw InsufficientCoverage({}, { unpickable });
    }

    const made = await writeBatch(tx, wave, layout, soIds, allocations, by);
    const { batch_number, totes, walk, ...totals } = made;
    tx.audit({
      action: "CREATE",
      entity: "PICK_BATCH",
      entityId: wave.batchId,
      warehouseId: wave.warehouseId,
      details: { batch_number, so_ids: soIds, ...totals, superseded: earlier },
    });
    const numbers = new Map(orders.map((order) => [order.so_id, order.so_number]));
    const [tasks, first_pick, idle_ms, warehouse] = await Promise.all([
      // The scanner requests the tasks of a wave one by one; only a per-order batch answers with all of them.
      wave.combine ? [] : tasksOf(tx, wave.batchId),
      nextPick(tx, wave.batchId),
      idleMs(tx),
      tx.row({ warehouse_code: text }, "select warehouse_code from warehouses where warehouse_id = $1", [
        wave.warehouseId,
      ]),
    ]);
    return {
      batch_id: wave.batchId,
      batch_number,
      warehouse_id: wave.warehouseId,
      warehouse_code: warehouse?.warehouse_code ?? "",
      picker: by.username,
      ...totals,
      orders: soIds.map((so_id) => ({
        so_id,
        so_number: numbers.get(so_id) ?? "",
        line_count: lines.filter((line) => line.so_id === so_id).length,
        tote_number: totes.get(so_id) ?? "",
      })),
      tasks,
      first_pick: first_pick ?? null,
      walk,
      superseded: earlier,
      idle_ms,
    };
  });
}

function checkOrders(wave: WaveRequest, soIds: number[], orders: Order[], links: BatchLink[], by: Actor): void {
  const byId = new Map(orders.map((order) => [order.so_id, order]));
  for (const so_id of soIds) {
    const order = byId.get(so_id);
    // An order outside of the caller's warehouses is answered like one that does not exist.
    if (!order || !mayUseWarehouse(by, order.warehouse_id)) throw OrderUnknown({ order: so_id });
    const { so_number, warehouse_id, status } = order;
    if (warehouse_id !== wave.warehouseId) throw OrderElsewhere({ so_number });
    refuseReturn(order);
    const link = links.find((l) => l.so_id === so_id);
    if (link && wave.combine) throw OrderInWave({ so_number }, { so_number, batch_id: link.batch_id });
    if (link) throw OrderInBatch({ so_number });
    if (status !== "OPEN") throw OrderNotOpen({ so_number, status });
    refuseHeld(order);
  }
}
