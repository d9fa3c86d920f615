import { z } from "zod";
import { planWave } from "../../activities/picking/create-wave.js";
import { completeWave } from "../../activities/picking/end-wave.js";
import { confirmPick } from "../../activities/picking/scan.js";
import { takeBatchId } from "../../src/picking/queries.js";
import { int, text } from "../../src/platform/db/columns.js";
import { db } from "../../src/platform/db/db.js";
import { groupBy } from "../../src/platform/values.js";
import { anew, type Case, call, times } from "../case.js";
import { Connection, request } from "../connection.js";
import { addLots, addOrders, WAREHOUSE } from "../data.js";
import { measure } from "../measure.js";
import type { BenchService, Somebody } from "../service.js";

export const ORDERS_PER_WAVE = 8;
/** Two lines an order, each of an item of its own. */
const PICKS_PER_WAVE = 2 * ORDERS_PER_WAVE;
const SCANNERS = 16;

const creating = (name: string, ordersOf: (service: BenchService, waves: number) => Promise<number[][]>): Case => ({
  name,
  works: 48,
  prepare: async (service, count) => {
    const orders = await ordersOf(service, count);
    return orders.map((soIds) => {
      const who = service.somebody();
      const body = { so_ids: soIds, warehouse_id: WAREHOUSE };
      return call(who, "POST /api/picking/wave-create", body, async () =>
        planWave(
          { batchId: await takeBatchId(), warehouseId: WAREHOUSE, soIds, excludeSoIds: [], combine: true },
          anew(who.by),
        ),
      );
    });
  },
});

export const waveCreate = creating("wave-create", openOrders);
/** The same where each item has twenty lots. */
export const waveCreateLots = creating("wave-create-lots", async (service, waves) => {
  const orders = await openOrders(service, waves);
  await addLots(orders.flat());
  return orders;
});

/** Orders for so many waves. */
export async function openOrders(service: BenchService, waves: number): Promise<number[][]> {
  const count = waves * ORDERS_PER_WAVE;
  const place = service.places(count);
  const soIds = await addOrders(db, service.size, place, count, "OPEN");
  return times(waves, () => soIds.splice(0, ORDERS_PER_WAVE));
}

/** A wave under way, with the scans that it waits for. */
interface Wave extends Somebody {
  batchId: number;
  picks: Pick[];
}

const Pick = z.strictObject({ pick_task_id: int, scanned_barcode: text, quantity_picked: int });
type Pick = z.infer<typeof Pick>;

/** Waves as the API makes them, each walked by somebody else. */
async function wavesUnderWay(service: BenchService, count: number): Promise<Wave[]> {
  const waves: Omit<Wave, "picks">[] = [];
  await everyScanner(service, await openOrders(service, count), async (to, so_ids) => {
    const who = service.somebody();
    const body = { so_ids, warehouse_id: WAREHOUSE };
    waves.push({ ...who, batchId: (await to.ask("POST /api/picking/wave-create", who.token, body)).batch_id });
  });
  const picks = await db.rows(
    { ...Pick.shape, batch_id: int },
    `select batch_id, pick_task_id, upc as scanned_barcode, quantity_to_pick as quantity_picked
     from pick_tasks join items using (item_id) where batch_id = any($1) order by pick_task_id`,
    [waves.map((wave) => wave.batchId)],
  );
  const ofBatch = groupBy(picks, (pick) => pick.batch_id);
  return waves.map((wave) => ({
    ...wave,
    picks: (ofBatch.get(wave.batchId) ?? []).map(({ batch_id: _, ...pick }) => pick),
  }));
}

/** Does something for each of many over 16 connections. */
async function everyScanner<T>(
  service: BenchService,
  all: T[],
  does: (to: Connection, one: T) => Promise<void>,
): Promise<void> {
  const scanners = await Promise.all(times(SCANNERS, () => Connection.open(service.port)));
  await measure(
    all,
    scanners.map((to) => (one) => does(to, one)),
  );
  for (const to of scanners) to.close();
}

export const confirm: Case = {
  name: "confirm",
  works: PICKS_PER_WAVE * 48,
  prepare: async (service, count) => {
    const waves = await wavesUnderWay(service, Math.ceil(count / PICKS_PER_WAVE));
    // Each scan of another wave than the one before, as of people who walk side by side.
    return times(count, (i) => {
      const wave = waves[i % waves.length] as Wave;
      const pick = wave.picks[Math.floor(i / waves.length)] as Pick;
      return call(wave, "POST /api/picking/confirm", pick, () => confirmPick(pick, anew(wave.by)));
    });
  },
};

export const completeBatch: Case = {
  name: "complete-batch",
  works: 48,
  prepare: async (service, count) => {
    const waves = await wavesUnderWay(service, count);
    await everyScanner(service, waves, async (to, wave) => {
      for (const pick of wave.picks) await to.send(request("POST /api/picking/confirm", wave.token, pick));
    });
    return waves.map((wave) =>
      call(wave, "POST /api/picking/complete-batch", { batch_id: wave.batchId }, () =>
        completeWave(wave.batchId, anew(wave.by)),
      ),
    );
  },
};
