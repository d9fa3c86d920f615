import { ReleaseWarehouseInactive, WaitingWaveNotFound } from "../../src/picking/problems.js";
import { layoutOf } from "../../src/picking/route/walk.js";
import { coverOrders, ownUnits, stockBeside } from "../../src/picking/waves/cover.js";
import { planBatches } from "../../src/picking/waves/plan.js";
import type {
  LostOrder,
  LostReason,
  ReleasedBatch,
  WavesReleased,
  WaveToRelease,
} from "../../src/picking/waves/shapes.js";
import { type Actor, partOf } from "../../src/platform/actor.js";
import { int, text } from "../../src/platform/db/columns.js";
import { db } from "../../src/platform/db/db.js";
import { isFulfilled } from "../../src/sales-orders/fulfilment.js";
import { command, type Tx } from "../command.js";
import { noIncrease } from "../stock/backorders.js";
import { releaseReservations } from "../stock/reservations.js";
import { checkAllLocked, lockItemRows } from "../stock/stock.js";
import { type Picker, pickerIn } from "./assign-batch.js";
import { letWait } from "./let-wait.js";
import { letWaitForReserve } from "./let-wait-for-reserve.js";
import { takeFor } from "./next-batch.js";
import { type BatchLink, itemsOf, linesToPick, lockOrders, type Order, otherBatches } from "./orders-to-pick.js";
import { writeBatch } from "./write-batch.js";

/**
 * Plans waves and makes their batches, which wait for pickers (docs/waves.md). The plan with the ids of its batches is
 * one command and each batch another one, under ids made from the caller's: who asks again gets the same batches, and
 * those are made that were not made yet.
 */
export async function releaseWaves(
  asked: WaveToRelease,
  by: Actor,
  template?: { template_name: string },
): Promise<WavesReleased> {
  const { warehouse_id: warehouseId, combine } = asked;
  const { batches, picker, ...plan } = await command("picking.planRelease", by, asked, async (tx) => {
    if (asked.waiting_id) await lockWaiting(tx, asked.waiting_id);
    const picker = asked.user_id === undefined ? undefined : await pickerIn(tx, asked.user_id, warehouseId);
    const { batches: planned, in_reserve, ...rest } = await planBatches(asked);
    const waiting = asked.waiting_id ? undefined : await letWaitForReserve(tx, asked, in_reserve, by);
    const ids = await tx.rows(
      { id: int },
      `select nextval(pg_get_serial_sequence('pick_batches', 'batch_id')) as id from generate_series(1, $1::int)`,
      [planned.length],
    );
    return {
      ...rest,
      ...(waiting && { waiting }),
      ...(picker && { picker }),
      batches: planned.map(({ orders }, i) => ({
        ...{ batchId: (ids[i] as { id: number }).id, so_ids: orders.map((order) => order.so_id) },
      })),
    };
  });
  const released: ReleasedBatch[] = [];
  const lost: LostOrder[] = [];
  for (const { batchId, so_ids } of batches) {
    const batch = { batchId, warehouseId, combine, soIds: so_ids, ...template, ...(picker && { picker }) };
    const made = await releaseBatch(batch, partOf(by, `batch-${batchId}`));
    if (made.batch) released.push(made.batch);
    lost.push(...made.lost);
  }
  return { batches: released, lost, ...plan };
}

/** What waits for a pick face, until its release is planned: who takes it back waits for that. */
async function lockWaiting(tx: Tx, waiting_id: number): Promise<void> {
  const row = await tx.row(
    { waiting_id: int },
    "select waiting_id from waves_waiting where waiting_id = $1 for update",
    [waiting_id],
  );
  if (!row) throw WaitingWaveNotFound();
}

/**
 * The same for a person.
 *
 * Refusals: 400 `release_warehouse_inactive`, `unknown_picker`, `may_not_pick`.
 */
export async function releaseAsked(asked: WaveToRelease, by: Actor): Promise<WavesReleased> {
  await checkReleases(asked.warehouse_id);
  return releaseWaves(asked, by);
}

/** Pickers are not sent to a warehouse that is out of use. */
export async function checkReleases(warehouse_id: number): Promise<void> {
  const inactive = await db.row(
    { warehouse_code: text },
    "select warehouse_code from warehouses where warehouse_id = $1 and not is_active",
    [warehouse_id],
  );
  if (inactive) throw ReleaseWarehouseInactive(inactive);
}

interface BatchToRelease {
  batchId: number;
  warehouseId: number;
  combine: boolean;
  soIds: number[];
  /** Of the template that releases it. */
  template_name?: string;
  /** Whose it is; without one it is nobody's. */
  picker?: Picker;
}

/**
 * Makes one batch, in one transaction, that waits for a picker or is given to the one that was named. Orders that were
 * taken, held or changed meanwhile, or lost their stock, are left out, and keep what is reserved for them.
 */
export function releaseBatch(
  batch: BatchToRelease,
  by: Actor,
): Promise<{ batch: ReleasedBatch | null; lost: LostOrder[] }> {
  const { batchId, warehouseId, soIds, template_name, picker } = batch;
  return command("picking.releaseBatch", by, batch, async (tx) => {
    const [found, links, items, layout] = await tx.inOrder([
      lockOrders(tx, soIds, []),
      otherBatches(tx, soIds, []),
      itemsOf(tx, soIds, []),
      layoutOf(tx, warehouseId),
    ]);
    const lost: LostOrder[] = [];
    const orders = found.filter((order) => {
      const reason = whyLost(order, warehouseId, links);
      if (reason) lost.push({ so_id: order.so_id, so_number: order.so_number, reason });
      return !reason;
    });
    const ids = orders.map((order) => order.so_id);
    const locked = await lockItemRows(tx, warehouseId, items);
    const [lines, stock, own] = await Promise.all([
      linesToPick(tx, ids),
      stockBeside(tx, "v.inventory_id = any($1)", [locked.map((row) => row.inventory_id)]),
      ownUnits(tx, ids),
    ]);
    const { covered, uncovered } = coverOrders(lines, stock, own);
    if (uncovered.length > 0) await checkAllLocked(tx, warehouseId, items, locked);
    for (const { so_id, so_number } of uncovered) lost.push({ so_id, so_number, reason: "lacks_stock" });
    const withLines = new Set(lines.map((line) => line.so_id));
    for (const { so_id, so_number } of orders)
      if (!withLines.has(so_id)) lost.push({ so_id, so_number, reason: "not_open" });
    for (const { so_id, so_number, reason } of lost)
      tx.audit({
        action: "SO_LEFT_OUT",
        entity: "SO",
        entityId: so_id,
        warehouseId,
        details: { so_number, reason },
      });
    if (covered.length === 0) return { batch: null, lost };
    // The tasks take at least as many units, so none becomes free for others.
    await releaseReservations(
      tx,
      noIncrease(tx),
      covered.flatMap((order) => order.lines.map((line) => line.so_line_id)),
    );
    const inIt = covered.map((order) => order.so_id);
    const made = await writeBatch(
      tx,
      batch,
      layout,
      inIt,
      covered.flatMap((order) => order.allocations),
      undefined,
    );
    await letWait(tx, batchId);
    if (picker) takeFor(tx, batchId, picker);
    const assigned_to = picker?.username ?? null;
    const { batch_number, totes: _totes, walk: _walk, ...totals } = made;
    tx.audit({
      action: "CREATE",
      entity: "PICK_BATCH",
      entityId: batchId,
      warehouseId,
      details: { batch_number, so_ids: inIt, ...totals, assigned_to, ...(template_name && { template_name }) },
    });
    const numbers = new Map(orders.map((order) => [order.so_id, order.so_number]));
    const so_numbers = inIt.map((id) => numbers.get(id) as string);
    return {
      batch: {
        ...{ batch_id: batchId, batch_number, so_ids: inIt, so_numbers, total_orders: inIt.length, ...totals },
        ...(assigned_to !== null && { assigned_to }),
      },
      lost,
    };
  });
}

/** Why an order cannot be in the batch any more. */
function whyLost(
  { so_id, status, order_type, hold_reason, warehouse_id }: Order,
  warehouseId: number,
  links: BatchLink[],
): LostReason | undefined {
  if (links.some((link) => link.so_id === so_id)) return "in_batch";
  if (status !== "OPEN" || warehouse_id !== warehouseId || !isFulfilled(order_type)) return "not_open";
  return hold_reason ? "held" : undefined;
}
