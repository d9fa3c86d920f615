import { nextBatch } from "../../activities/picking/next-batch.js";
import { releaseBatch, releaseWaves } from "../../activities/picking/release-waves.js";
import { takeBatchId } from "../../src/picking/queries.js";
import { planWaves } from "../../src/picking/waves/plan.js";
import { WaveToPlan } from "../../src/picking/waves/shapes.js";
import { db } from "../../src/platform/db/db.js";
import { anew, type Case, call, times } from "../case.js";
import { addOrders, WAREHOUSE } from "../data.js";
import type { BenchService } from "../service.js";
import { ORDERS_PER_WAVE, openOrders } from "./picking.js";

/** Waves that are planned and released at the desk, and given to pickers. */

const BATCHES_RELEASED = 50;
const ORDERS_PLANNED = 5_000;

/** A picker who gets a batch of 8 orders, one of many that wait. */
export const nextWave: Case = {
  name: "next-batch",
  works: 48,
  prepare: async (service, count) => {
    for (const soIds of await openOrders(service, count)) {
      const batch = { batchId: await takeBatchId(), warehouseId: WAREHOUSE, combine: true, soIds };
      await releaseBatch(batch, anew(service.office.by));
    }
    const body = { warehouse_id: WAREHOUSE };
    return times(count, () => {
      const who = service.somebody();
      return call(who, "POST /api/picking/next-batch", body, () => nextBatch(body, anew(who.by)));
    });
  },
};

/** The same at the pace of a floor that is in a hurry: each of 16 pickers asks a second after the last batch. */
export const nextWavePaced: Case = { ...nextWave, name: "next-batch paced", works: 96, pauseMs: 1_000 };

/** A plan of 5,000 orders with two lines each. */
export const planning: Case = {
  name: "plan-waves",
  works: 6,
  connections: 1,
  prepare: async (service, count) => {
    const asked = await ordersOf(service, ORDERS_PLANNED);
    return times(count, () => call(service.office, "POST /api/admin/waves/plan", asked, () => planWaves(asked)));
  },
};

/** A release of 50 batches of 8 orders. */
export const releasing: Case = {
  name: "release-waves",
  works: 2,
  connections: 1,
  prepare: async (service, count) => {
    const each = [];
    for (let i = 0; i < count; i++) each.push(await ordersOf(service, BATCHES_RELEASED * ORDERS_PER_WAVE));
    return each.map((asked) =>
      call(service.office, "POST /api/admin/waves/release", asked, () => releaseWaves(asked, anew(service.office.by))),
    );
  },
};

/** New orders of one customer, in batches of 8. */
async function ordersOf(service: BenchService, count: number): Promise<WaveToPlan> {
  const place = service.places(count);
  const soIds = await addOrders(db, service.size, place, count, "OPEN");
  const customer_id = `plan-${place}`;
  await db.run("update sales_orders set customer_id = $2 where so_id = any($1)", [soIds, customer_id]);
  return WaveToPlan.parse({
    ...{ warehouse_id: WAREHOUSE, filter: { customer_id }, group: { max_orders: ORDERS_PER_WAVE } },
  });
}
