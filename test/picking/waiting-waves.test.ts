import assert from "node:assert/strict";
import { releaseWaves } from "../../activities/picking/release-waves.js";
import { releaseWaitingWaves } from "../../activities/picking/replenishment/waiting-waves.js";
import { systemActor } from "../../src/platform/system-actor.js";
import type { Caller } from "../support/caller.js";
import { countWarehousesApart } from "../support/connectors.js";
import { db } from "../support/db.js";
import * as fixtures from "../support/fixtures.js";
import { assertInvariants } from "../support/invariants.js";
import { orderActions } from "../support/order-actions.js";
import { pluck } from "../support/pluck.js";
import { auditMark, auditSince } from "../support/records.js";
import { faced, look } from "../support/replenishments.js";
import { unique } from "../support/unique.js";
import { until } from "../support/until.js";

describe("waves whose units lie in reserve", () => {
  const { at } = orderActions();
  let house: number;
  let desk: Caller;
  before(countWarehousesApart);
  beforeEach(async () => {
    house = await fixtures.warehouse();
    desk = at().service.admin;
  });
  afterEach(() => assertInvariants());

  const goods = (of: Parameters<typeof faced>[1] = {}) => faced({ warehouse_id: house, by: desk }, of);
  const order = async (...lines: [item_id: number, quantity: number][]) => {
    const body = {
      ...{ so_number: `R-${unique()}`, warehouse_id: house },
      lines: lines.map(([item_id, quantity_ordered]) => ({ item_id, quantity_ordered })),
    };
    return (await desk.ok("POST", "/api/admin/sales-orders", body)).sales_order as { so_id: number; so_number: string };
  };
  const plan = () => desk.ok("POST", "/api/admin/waves/plan", { warehouse_id: house });
  const release = (more: object = {}) => desk.ok("POST", "/api/admin/waves/release", { warehouse_id: house, ...more });
  const waiting = () =>
    db.rows<{ so_ids: number[] }>("select so_ids from waves_waiting where warehouse_id = $1", [house]);
  const batches = () =>
    db.rows<{ batch_id: number }>("select batch_id from pick_batches where warehouse_id = $1", [house]);
  /** Carries all that is to be carried. */
  async function carry() {
    await look(house);
    const { tasks } = await desk.ok("GET", `/api/replenishment/tasks?warehouse_id=${house}`);
    for (const { replenishment_id, quantity } of tasks) {
      await desk.ok("POST", "/api/replenishment/take", { warehouse_id: house, replenishment_id });
      await desk.ok("POST", "/api/replenishment/confirm", { replenishment_id, quantity });
    }
    return tasks.length as number;
  }

  it("say so in a plan, where all that an order lacks can be carried", async () => {
    const mug = await goods({ units: 9 });
    const { so_id, so_number } = await order([mug.item_id, 4]);
    const [line] = (await plan()).uncovered[0].lines;
    assert.deepEqual(line, { ...line, needed: 4, missing: 4, in_reserve: 4 });
    await fixtures.stock(house, mug.face, mug.item_id, 1);
    const part = await plan();
    assert.deepEqual(part.uncovered, [
      { so_id, so_number, lines: [{ ...part.uncovered[0].lines[0], needed: 4, missing: 3, in_reserve: 3 }] },
    ]);
    // What has no pick face is carried by nobody, and what there is not enough of does not wait for it.
    const bare = await fixtures.item();
    const reserve = await fixtures.bin(house, { is_reserve: true });
    await fixtures.stock(house, reserve, bare.item_id, 9);
    const other = await order([bare.item_id, 2]);
    const much = await order([mug.item_id, 99]);
    const { uncovered } = await plan();
    for (const { so_id: id } of [other, much]) {
      const mine = uncovered.find((one: { so_id: number }) => one.so_id === id);
      assert.ok(!("in_reserve" in mine.lines[0]), JSON.stringify(mine));
    }
  });

  it("wait when they are released, and go on by themselves, once", async () => {
    const mug = await goods({ units: 20, min: 2, max: 4 });
    const pen = await goods({ units: 20, min: 2, max: 4 });
    const both = await order([mug.item_id, 6], [pen.item_id, 1]);
    const { batches: made, waiting: waits } = await release({ combine: false });
    assert.deepEqual([made, waits.so_ids, waits.so_numbers], [[], [both.so_id], [both.so_number]]);
    assert.equal((await release()).waiting, undefined);
    assert.deepEqual(pluck(await waiting(), "so_ids"), [[both.so_id]]);
    assert.deepEqual(await releaseWaitingWaves(house), { released: 0, batches: 0, waves: 1 });
    const { urgent } = await look(house);
    assert.equal(urgent, 2);
    await carry();
    // Beside the warehouse's workflow, which was told.
    await Promise.all([releaseWaitingWaves(house), releaseWaitingWaves(house)]);
    await until(async () => (await waiting()).length === 0);
    const batch = await desk.ok("POST", "/api/picking/next-batch", { warehouse_id: house });
    assert.deepEqual([batch.total_orders, (await batches()).length], [1, 1]);
  });

  it("wait for units that no order had reserved, too", async () => {
    const { item_id } = await goods({ units: 20, min: 1, max: 2 });
    const { so_id } = await fixtures.salesOrder(house, [{ item_id, quantity: 7 }]);
    const { waiting: waits } = await release();
    assert.deepEqual(waits.so_ids, [so_id]);
    assert.equal((await look(house)).urgent, 1);
    assert.equal(await carry(), 1);
    await releaseWaitingWaves(house);
    await until(async () => (await waiting()).length === 0);
    assert.equal((await batches()).length, 1);
  });

  it("end where their orders are gone or picked otherwise", async () => {
    const { item_id } = await goods();
    const { so_id } = await order([item_id, 4]);
    await release();
    await desk.ok("POST", `/api/admin/sales-orders/${so_id}/cancel`, {});
    await releaseWaitingWaves(house);
    await until(async () => (await waiting()).length === 0);
    assert.deepEqual(await batches(), []);
  });

  it("leave the orders that are covered to their batches", async () => {
    const { item_id, face } = await goods();
    await fixtures.stock(house, face, item_id, 3);
    const now = await order([item_id, 3]);
    const later = await order([item_id, 5]);
    const planned = await release();
    const inBatches = planned.batches.flatMap(({ so_ids }: { so_ids: number[] }) => so_ids);
    assert.deepEqual(new Set([...inBatches, ...planned.waiting.so_ids]), new Set([now.so_id, later.so_id]));
    assert.equal(inBatches.length, 1);
  });

  it("go on by the warehouse's workflow, which is told of what was carried", async () => {
    const { item_id } = await goods();
    await order([item_id, 4]);
    await release();
    await carry();
    await until(async () => (await batches()).length === 1);
    await until(async () => (await waiting()).length === 0);
  });

  it("are told to the warehouse's workflow by whoever runs a template, too", async () => {
    const { item_id } = await goods();
    await order([item_id, 4]);
    const template = { warehouse_id: house, template_name: unique(), times: ["03:00"] };
    const { template_id } = await desk.ok("POST", "/api/admin/wave-templates", template);
    const { waiting: waits } = await desk.ok("POST", `/api/admin/wave-templates/${template_id}/run`, {});
    assert.equal(waits.so_ids.length, 1);
    await until(
      async () => (await desk.ok("GET", `/api/replenishment/tasks?warehouse_id=${house}`)).tasks[0]?.is_urgent === true,
    );
    await desk.ok("DELETE", `/api/admin/wave-templates/${template_id}`);
  });

  it("are listed, and taken back: the next release takes the orders again", async () => {
    const { item_id } = await goods();
    const { so_id, so_number } = await order([item_id, 4]);
    const { waiting: waits } = await release();
    const { waiting_id } = waits;
    const list = () => desk.ok("GET", `/api/admin/waves/waiting?warehouse_id=${house}`);
    const [{ external_id, created_at, warehouse_code, ...listed }] = (await list()).waiting;
    assert.ok(external_id && created_at && warehouse_code);
    assert.deepEqual(listed, {
      ...{ waiting_id, warehouse_id: house, so_ids: [so_id], so_numbers: [so_number], created_by: "admin" },
    });
    const takeBack = (by = desk) => by.delete(`/api/admin/waves/waiting/${waiting_id}`);
    const stranger = await at().service.user({ page_keys: ["picking-batches"] });
    assert.equal((await takeBack(stranger)).code, "warehouse_denied");
    const mark = await auditMark();
    assert.equal((await takeBack()).status, 200);
    const [row] = (await auditSince(mark)).filter(({ entity_type }) => entity_type === "WAITING_WAVE");
    assert.deepEqual([row?.action_type, row?.entity_id, row?.details], ["DELETE", waiting_id, { so_ids: [so_id] }]);
    assert.deepEqual([(await takeBack()).code, (await list()).waiting], ["waiting_wave_not_found", []]);
    await carry();
    assert.deepEqual([await releaseWaitingWaves(house), await batches()], [{ released: 0, batches: 0, waves: 0 }, []]);
    assert.deepEqual((await release()).batches[0].so_ids, [so_id]);
  });

  it("are not taken back any more once their release has begun", async () => {
    const { item_id } = await goods();
    await order([item_id, 4]);
    const { waiting_id, so_ids } = (await release()).waiting;
    const { waiting: rows } = await desk.ok("GET", `/api/admin/waves/waiting?warehouse_id=${house}`);
    const plan = { group: { max_orders: 20 }, combine: true };
    const asked = { ...plan, warehouse_id: house, filter: {}, so_ids, waiting_id };
    await releaseWaves(asked, systemActor(`waiting-wave-${rows[0].external_id}`));
    const { status, code } = await desk.delete(`/api/admin/waves/waiting/${waiting_id}`);
    assert.deepEqual([status, code], [409, "waiting_wave_released"]);
    await releaseWaitingWaves(house);
    await until(async () => (await waiting()).length === 0);
  });

  it("are either released or taken back, where both happen at once", async () => {
    for (let i = 0; i < 8; i++) {
      const { item_id, face } = await goods();
      await order([item_id, 4]);
      const { waiting_id } = (await release()).waiting;
      await fixtures.stock(house, face, item_id, 9);
      const before = (await batches()).length;
      const [{ status }] = await Promise.all([
        desk.delete(`/api/admin/waves/waiting/${waiting_id}`),
        releaseWaitingWaves(house),
      ]);
      await until(async () => (await waiting()).length === 0);
      assert.equal((await batches()).length - before, status === 200 ? 0 : 1, String(status));
      await release();
    }
  });

  it("are in the work of the floor as faces to fill up, the urgent one first", async () => {
    await goods();
    const wanted = await goods();
    await order([wanted.item_id, 4]);
    await look(house);
    const { replenish } = await desk.ok("GET", `/api/work?warehouse_id=${house}`);
    assert.deepEqual([replenish.total, replenish.next[0].number, replenish.next[0].units], [2, wanted.sku, 10]);
  });
});
