import { randomUUID } from "node:crypto";
import { planWave } from "../../activities/picking/create-wave.js";
import { completeWave } from "../../activities/picking/index.js";
import { confirmPick, shortPick } from "../../activities/picking/scan.js";
import { takeBatchId } from "../../src/picking/queries.js";
import type { WavePlan } from "../../src/picking/wave.js";
import type { Actor } from "../../src/platform/actor.js";
import type { Caller } from "./caller.js";
import { bin, salesOrder, stock } from "./fixtures.js";

/** The caller as an activity knows it, for one command. */
export function actor({ userId, username }: Caller): Actor {
  const id = randomUUID();
  return { userId, username, externalId: id, role: "ADMIN", warehouseIds: [], requestId: id, commandId: id };
}

/** A wave over orders, without its workflow; it ends the user's earlier ones. */
export async function startWave(by: Caller, warehouseId: number, soIds: number[], combine = true): Promise<WavePlan> {
  const batchId = await takeBatchId();
  return planWave({ batchId, warehouseId, soIds, excludeSoIds: [], combine }, actor(by));
}

export interface LineToWalk {
  item: { item_id: number; sku: string };
  quantity: number;
  /** What the picker finds, when it is less: a reported short pick. */
  found?: number;
  lot?: string;
}

/** An order that was walked for, from a bin of its own for each line: PICKED. */
export async function pickedOrder(by: Caller, warehouseId: number, lines: LineToWalk[]) {
  const ordered = lines.map(({ item, quantity }) => ({ item_id: item.item_id, quantity }));
  return walked(by, warehouseId, await salesOrder(warehouseId, ordered), lines);
}

/** Walks for an order, from a bin of its own for each line. */
export async function walked<O extends { so_id: number }>(
  by: Caller,
  warehouseId: number,
  order: O,
  lines: LineToWalk[],
) {
  const bins: number[] = [];
  for (const { item, quantity, lot } of lines) {
    const bin_id = await bin(warehouseId);
    await stock(warehouseId, bin_id, item.item_id, quantity, lot ?? null);
    bins.push(bin_id);
  }
  const { batch_id, tasks } = await startWave(by, warehouseId, [order.so_id], false);
  for (const { pick_task_id, sku, quantity_to_pick } of tasks) {
    const quantity = lines.find((line) => line.item.sku === sku)?.found ?? quantity_to_pick;
    if (quantity < quantity_to_pick) await shortPick({ pick_task_id, quantity_available: quantity }, actor(by));
    else await confirmPick({ pick_task_id, scanned_barcode: sku, quantity_picked: quantity }, actor(by));
  }
  await completeWave(batch_id, actor(by));
  return { ...order, bins };
}
