import type { Change, Floor } from "./change.js";
import { db } from "./db.js";
import * as fixtures from "./fixtures.js";
import { until } from "./until.js";
import { pickedOrder } from "./walk.js";

/** How the routes of recalls are asked. */

const RECALLS = "/api/admin/recalls";

/** A lot of five units in a bin. */
async function lot({ by, warehouse_id }: Floor) {
  const { item_id } = await fixtures.item();
  const bin_id = await fixtures.bin(warehouse_id);
  const inventory_id = await fixtures.stock(warehouse_id, bin_id, item_id, 5, "LOT-7");
  const { lots } = await by.ok("GET", `/api/admin/lots?item_id=${item_id}`);
  return { lot_id: lots[0].lot_id as number, inventory_id, bin_id };
}

/** A recall of the lot, once it is held. */
async function recallOf(lot_id: number, { by }: Floor): Promise<number> {
  const { recall_id } = await by.ok("POST", RECALLS, { lot_ids: [lot_id], reason: "glass" });
  await until(async () => (await by.ok("GET", `/api/admin/lots/${lot_id}`)).condition === "HOLD");
  return recall_id;
}

async function opened(at: Floor) {
  const { lot_id, inventory_id } = await lot(at);
  const recall_id = await recallOf(lot_id, at);
  return { inventory_id, path: `${RECALLS}/${recall_id}` };
}

/** An order that has picked units of a recall. */
async function ordered(at: Floor) {
  const { by, warehouse_id } = at;
  const goods = await fixtures.item();
  const { so_id } = await pickedOrder(by, warehouse_id, [{ item: goods, quantity: 2, lot: "LOT-7" }]);
  const { lots } = await by.ok("GET", `/api/admin/lots?item_id=${goods.item_id}`);
  const recall_id = await recallOf(lots[0].lot_id, at);
  return { so_id, path: `${RECALLS}/${recall_id}/told` };
}

export const recallChanges: Record<string, (at: Floor) => Promise<Change>> = {
  "post /api/admin/recalls": async (at) => {
    const { lot_id, bin_id } = await lot(at);
    const body = { lot_ids: [lot_id], reason: "glass in the jar" };
    const counts = () => db.rows("select from cycle_counts where bin_id = $1", [bin_id]);
    const settled = () => until(async () => (await counts()).length > 0);
    return { by: at.by, body, other: { ...body, reason: "metal" }, settled };
  },
  "post /api/admin/recalls/:recall_id/told": async (at) => {
    const { so_id, path } = await ordered(at);
    return { by: at.by, path, body: { so_ids: [so_id] }, other: { so_ids: [so_id], note: "by mail" } };
  },
  "post /api/admin/recalls/:recall_id/destroy": async (at) => {
    const { inventory_id, path } = await opened(at);
    const body = { inventory_id, quantity: 2, reason: "burnt" };
    return { by: at.by, path: `${path}/destroy`, body, other: { ...body, quantity: 1 } };
  },
  "post /api/admin/recalls/:recall_id/close": async (at) => {
    const { path } = await opened(at);
    const body = { force: true, reason: "the rest is lost" };
    return { by: at.by, path: `${path}/close`, body, other: { ...body, reason: "another" } };
  },
};
