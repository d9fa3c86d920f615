import { planWave } from "../../activities/picking/create-wave.js";
import { completeWave } from "../../activities/picking/end-wave.js";
import { confirmPick } from "../../activities/picking/scan.js";
import { createSalesOrder } from "../../activities/sales-orders/create.js";
import { completePacking, verifyItem } from "../../activities/shipping/packing.js";
import { fulfill } from "../../activities/shipping/shipping.js";
import { takeBatchId } from "../../src/picking/queries.js";
import { tasksOf } from "../../src/picking/tasks.js";
import type { Actor } from "../../src/platform/actor.js";
import { db } from "../../src/platform/db/db.js";
import type { NewSalesOrder } from "../../src/sales-orders/shapes.js";
import type { NewShipment } from "../../src/shipping/shapes.js";
import { anew, type Case, times } from "../case.js";
import type { Connection } from "../connection.js";
import { itemsOfOrder, upcOf, WAREHOUSE } from "../data.js";

const ORDERS = 8;

/** Orders of two lines, from their creation to their shipment, in waves of 8: a work is one wave. */
export const orderFlow: Case = {
  name: "order flow",
  works: 96,
  connections: 8,
  counts: ORDERS,
  prepare: async ({ somebody, size, places }, count) => {
    const first = places(count * ORDERS);
    return times(count, (i) => {
      const { by, token } = somebody();
      const orders = times(ORDERS, (n) => {
        const place = first + i * ORDERS + n;
        return { number: `SO-${place}`, items: itemsOfOrder(place, size) };
      });
      return { served: (to) => flow(orders, overHttp(to, token)), directly: () => flow(orders, inProcess(by)) };
    });
  },
};

interface Order {
  number: string;
  items: number[];
}

interface Task {
  pick_task_id: number;
  upc: string | null;
  quantity_to_pick: number;
}

interface Pick {
  pick_task_id: number;
  scanned_barcode: string;
  quantity_picked: number;
}

/** The steps of the floor, whoever takes them. */
interface Floor {
  order(order: NewSalesOrder): Promise<number>;
  wave(soIds: number[]): Promise<number>;
  tasks(batchId: number): Promise<Task[]>;
  confirm(pick: Pick): Promise<unknown>;
  complete(batchId: number): Promise<unknown>;
  verify(scan: { so_id: number; scanned_barcode: string; quantity: number }): Promise<unknown>;
  pack(soId: number): Promise<unknown>;
  ship(shipment: NewShipment): Promise<unknown>;
}

async function flow(orders: Order[], floor: Floor): Promise<void> {
  const soIds: number[] = [];
  for (const { number, items } of orders) {
    const lines = items.map((item_id) => ({ item_id, quantity_ordered: 2 }));
    soIds.push(await floor.order({ so_number: number, warehouse_id: WAREHOUSE, lines }));
  }
  const batchId = await floor.wave(soIds);
  for (const task of await floor.tasks(batchId)) {
    const { pick_task_id, upc, quantity_to_pick } = task;
    await floor.confirm({ pick_task_id, scanned_barcode: upc ?? "", quantity_picked: quantity_to_pick });
  }
  await floor.complete(batchId);
  for (const [i, so_id] of soIds.entries()) {
    for (const item of orders[i]?.items ?? []) await floor.verify({ so_id, scanned_barcode: upcOf(item), quantity: 2 });
    await floor.pack(so_id);
    await floor.ship({ so_id, tracking_number: `1Z${so_id}`, carrier: "UPS" });
  }
}

function overHttp(to: Connection, token: string): Floor {
  const post = (path: `/${string}`, body: unknown) => to.ask(`POST ${path}`, token, body);
  return {
    order: async (order) => (await post("/api/admin/sales-orders", order)).sales_order.so_id,
    wave: async (so_ids) => (await post("/api/picking/wave-create", { so_ids, warehouse_id: WAREHOUSE })).batch_id,
    tasks: async (batchId) => (await to.ask(`GET /api/picking/batch/${batchId}`, token)).tasks,
    confirm: (pick) => post("/api/picking/confirm", pick),
    complete: (batch_id) => post("/api/picking/complete-batch", { batch_id }),
    verify: (scan) => post("/api/packing/verify", scan),
    pack: (so_id) => post("/api/packing/complete", { so_id }),
    ship: (shipment) => post("/api/shipping/fulfill", shipment),
  };
}

function inProcess(by: Actor): Floor {
  return {
    order: async (order) => (await createSalesOrder(order, anew(by))).sales_order.so_id,
    wave: async (soIds) => {
      const wave = { batchId: await takeBatchId(), warehouseId: WAREHOUSE, soIds, excludeSoIds: [], combine: true };
      return (await planWave(wave, anew(by))).batch_id;
    },
    tasks: (batchId) => tasksOf(db, batchId),
    confirm: (pick) => confirmPick(pick, anew(by)),
    complete: (batchId) => completeWave(batchId, anew(by)),
    verify: (scan) => verifyItem(scan, anew(by)),
    pack: (so_id) => completePacking({ so_id }, anew(by)),
    ship: (shipment) => fulfill(shipment, anew(by)),
  };
}
