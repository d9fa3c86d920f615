import assert from "node:assert/strict";
import { temporalClient } from "../../api/http/workflow-updates.js";
import type { Caller } from "../support/caller.js";
import { db } from "../support/db.js";
import { bin, item, salesOrder, stock, warehouse } from "../support/fixtures.js";
import { pickFloor } from "../support/pick-floor.js";
import { pluck } from "../support/pluck.js";
import { walk as beginTransfer, transferOrder } from "../support/transfers.js";
import { until } from "../support/until.js";
import { detailsOf } from "../support/workflow-environment.js";

/** Two aisles of 20 m, 5 m apart; the depot is at the front of the first. */
const LAYOUT = {
  cross_aisles: [0, 20],
  aisles: [
    { aisle: "A", metres: 0 },
    { aisle: "B", metres: 5 },
  ],
  rows: [2, 10, 18].map((metres) => ({ row: String(metres), metres })),
  depot: { metres: 0 },
};

describe("walks by layout", () => {
  const { at } = pickFloor();
  let picker: Caller;
  let warehouse_id: number;
  let layoutPath: string;
  beforeEach(async () => {
    warehouse_id = await warehouse();
    picker = await at().service.user({ warehouse_ids: [warehouse_id] });
    layoutPath = `/api/admin/warehouses/${warehouse_id}/layout`;
  });

  /** Units of a new item in a bin there. */
  async function shelved(aisle: string, row_num: string, pick_sequence: number) {
    const bin_id = await bin(warehouse_id, { pick_sequence });
    await db.run("update bins set aisle = $2, row_num = $3 where bin_id = $1", [bin_id, aisle, row_num]);
    const made = await item();
    return { ...made, bin_id, inventory_id: await stock(warehouse_id, bin_id, made.item_id, 20) };
  }
  /** Numbered row by row, which goes from aisle to aisle again and again. */
  async function shelves() {
    const all = [];
    for (const [aisle, row] of ["A/2", "B/2", "A/10", "B/10", "A/18", "B/18"].map((place) => place.split("/")))
      all.push(await shelved(aisle as string, row as string, all.length * 10 + 10));
    return all;
  }
  const orderOf = (goods: { item_id: number }[]) =>
    salesOrder(
      warehouse_id,
      goods.map(({ item_id }) => ({ item_id, quantity: 2 })),
    );
  const startWave = async (goods: { item_id: number }[]) => {
    const { so_id } = await orderOf(goods);
    return await picker.ok("POST", "/api/picking/wave-create", { so_ids: [so_id], warehouse_id });
  };
  const placesOf = async (batch_id: number) =>
    (await picker.ok("GET", `/api/picking/batch/${batch_id}`)).tasks.map(
      (task: { aisle: string; row_num: string }) => `${task.aisle}/${task.row_num}`,
    ) as string[];

  it("are the shortest tour, and say how far it is and would have been by pick sequence", async () => {
    const goods = await shelves();
    await at().service.admin.ok("PUT", layoutPath, LAYOUT);
    const { batch_id, walk } = await startWave(goods);
    // Up one aisle and down the other: 20 + 5 + 20 + 5.
    assert.deepEqual(walk, { metres: 50, by_sequence_metres: 2 + 9 + 17 + 25 + 17 + 9 + 23 });
    const places = await placesOf(batch_id);
    const around = ["A/2", "A/10", "A/18", "B/18", "B/10", "B/2"];
    assert.ok([around.join(), around.toReversed().join()].includes(places.join()), places.join());
    const { tasks, walk: read } = await picker.ok("GET", `/api/picking/batch/${batch_id}`);
    assert.deepEqual([pluck(tasks, "pick_sequence"), read], [[1, 2, 3, 4, 5, 6], walk]);
    assert.deepEqual((await picker.ok("GET", "/api/picking/active-batch")).walk, walk);
    await until(async () =>
      (await detailsOf(temporalClient().workflow.getHandle(`pick-wave-${batch_id}`))).includes(
        "a walk of 50 m (102 m by pick sequence)",
      ),
    );
    const { so_number } = await orderOf(goods.slice(0, 2));
    const body = { so_identifiers: [so_number], warehouse_id };
    assert.deepEqual((await picker.ok("POST", "/api/picking/create-batch", body)).walk, {
      ...{ metres: 18, by_sequence_metres: 18 },
    });
  });

  it("are told by a plan before anything is released", async () => {
    await orderOf(await shelves());
    const plan = async () =>
      (await at().service.admin.ok("POST", "/api/admin/waves/plan", { warehouse_id })).batches[0].walk;
    assert.equal(await plan(), null);
    await at().service.admin.ok("PUT", layoutPath, LAYOUT);
    assert.deepEqual(await plan(), { metres: 50, by_sequence_metres: 102 });
  });

  it("are the shortest tour for a transfer order, too", async () => {
    const goods = await shelves();
    const { admin } = at().service;
    await admin.ok("PUT", layoutPath, LAYOUT);
    const lines = goods.map(({ item_id }) => ({ item_id, quantity: 2 }));
    const { to_id } = await transferOrder(admin, { source: warehouse_id, destination: await warehouse() }, lines);
    const { batch_id } = await beginTransfer(admin, to_id);
    const { walk, tasks } = await admin.ok("GET", `/api/picking/batch/${batch_id}`);
    assert.deepEqual(pluck(tasks, "pick_sequence"), [1, 2, 3, 4, 5, 6]);
    assert.deepEqual(walk, { metres: 50, by_sequence_metres: 102 });
  });

  it("go by pick sequence without a layout, and where a bin has no place in it", async () => {
    const goods = await shelves();
    const sequence = ["A/2", "B/2", "A/10", "B/10", "A/18", "B/18"];
    const without = await startWave(goods);
    assert.deepEqual([without.walk, await placesOf(without.batch_id)], [null, sequence]);
    await at().service.admin.ok("PUT", layoutPath, LAYOUT);
    const lost = await shelved("A", "99", 35);
    const { walk, batch_id } = await startWave([...goods, lost]);
    assert.deepEqual([walk, await placesOf(batch_id)], [null, sequence.toSpliced(3, 0, "A/99")]);
    const { tasks } = await picker.ok("GET", `/api/picking/batch/${batch_id}`);
    assert.deepEqual(pluck(tasks, "pick_sequence"), [10, 20, 30, 35, 40, 50, 60]);
  });

  it("go next to where the rest of a short pick is, and keep the place of stock that is moved meanwhile", async () => {
    const goods = await shelves();
    const [first, second] = goods as [(typeof goods)[number], (typeof goods)[number]];
    await at().service.admin.ok("PUT", layoutPath, LAYOUT);
    const { batch_id, first_pick } = await startWave(goods);
    const short = goods.find(({ sku }) => sku === first_pick.sku) as (typeof goods)[number];
    const spare = await bin(warehouse_id, { pick_sequence: 9_000 });
    await stock(warehouse_id, spare, short.item_id, 5);
    const task = { pick_task_id: first_pick.pick_task_id };
    const { replacements } = await picker.ok("POST", "/api/picking/short", { ...task, quantity_available: 0 });
    const next = await picker.ok("GET", `/api/picking/batch/${batch_id}/next`);
    assert.equal(next.pick_task_id, replacements[0].pick_task_id);
    const moved = short === second ? first : second;
    const place = await db.value("select pick_sequence from pick_tasks where batch_id = $1 and item_id = $2", [
      ...[batch_id, moved.item_id],
    ]);
    const body = { item_id: moved.item_id, from_bin_id: moved.bin_id, to_bin_id: spare, quantity: 20 };
    await at().service.admin.ok("POST", "/api/transfers/move", { ...body, warehouse_id });
    assert.deepEqual(
      await db.rows("select bin_id, pick_sequence from pick_tasks where batch_id = $1 and item_id = $2", [
        ...[batch_id, moved.item_id],
      ]),
      [{ bin_id: spare, pick_sequence: place }],
    );
  });
});
