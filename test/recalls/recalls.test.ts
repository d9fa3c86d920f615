import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { holdRecalledLot, openRecall } from "../../activities/recalls/index.js";
import { temporalClient } from "../../api/http/workflow-updates.js";
import { transaction } from "../../src/platform/db/db.js";
import { takeRecallId } from "../../src/recalls/queries.js";
import { db } from "../support/db.js";
import { bin, item, purchaseOrder, stock, warehouse } from "../support/fixtures.js";
import { assertInvariants } from "../support/invariants.js";
import { pluck } from "../support/pluck.js";
import { testService } from "../support/service.js";
import { tokenCaller } from "../support/tokens.js";
import { unique } from "../support/unique.js";
import { until } from "../support/until.js";
import { actor } from "../support/walk.js";
import { detailsOf, listedAs } from "../support/workflow-environment.js";

const RECALLS = "/api/admin/recalls";

describe("a recall", () => {
  const service = testService({ worker: true });
  afterEach(() => assertInvariants());

  /** A lot of eight units in a bin of each of so many warehouses. */
  async function goods(warehouses = 1) {
    const { item_id, sku } = await item();
    const places = [];
    for (let n = 0; n < warehouses; n++) {
      const warehouse_id = await warehouse();
      const bin_id = await bin(warehouse_id);
      places.push({ warehouse_id, bin_id, inventory_id: await stock(warehouse_id, bin_id, item_id, 8, "L-1") });
    }
    const lot_id = (await db.value<number>("select lot_id from lots where item_id = $1", [item_id])) as number;
    return { item_id, sku, lot_id, places };
  }
  type Goods = Awaited<ReturnType<typeof goods>>;

  async function order(warehouse_id: number, item_id: number, quantity_ordered: number) {
    const { sales_order } = await service.admin.ok("POST", "/api/admin/sales-orders", {
      ...{ so_number: `SO-${unique()}`, warehouse_id, customer_name: "Ada", lines: [{ item_id, quantity_ordered }] },
    });
    return sales_order.so_id as number;
  }
  const wave = (warehouse_id: number, so_id: number) =>
    service.admin.ok("POST", "/api/picking/wave-create", { so_ids: [so_id], warehouse_id });
  async function pickedOrder({ item_id, sku }: Goods, warehouse_id: number, quantity: number) {
    const so_id = await order(warehouse_id, item_id, quantity);
    const { batch_id, first_pick } = await wave(warehouse_id, so_id);
    const pick = { pick_task_id: first_pick.pick_task_id, scanned_barcode: sku, quantity_picked: quantity };
    await service.admin.ok("POST", "/api/picking/confirm", pick);
    await service.admin.ok("POST", "/api/picking/complete-batch", { batch_id });
    return so_id;
  }
  const ship = (so_id: number) => service.admin.post(`/api/admin/sales-orders/${so_id}/admin-ship`, {});
  async function shippedOrder(lot: Goods, warehouse_id: number, quantity: number) {
    const so_id = await pickedOrder(lot, warehouse_id, quantity);
    await service.admin.ok("POST", "/api/packing/verify", { so_id, scanned_barcode: lot.sku, quantity });
    await service.admin.ok("POST", "/api/packing/complete", { so_id });
    const { status } = await ship(so_id);
    assert.equal(status, 200);
    return so_id;
  }

  /** Opens a recall, and waits until all of its lots are held. */
  async function open(lot_ids: number[]) {
    const { recall_id } = await service.admin.ok("POST", RECALLS, { lot_ids, reason: "glass in the jar" });
    await held(recall_id);
    return read(recall_id);
  }
  const held = (recall_id: number) =>
    until(async () => !pluck((await read(recall_id)).lots, "condition").includes("AVAILABLE"));
  const read = (recall_id: number) => service.admin.ok("GET", `${RECALLS}/${recall_id}`);
  const ordersOf = async (recall_id: number, state?: string) =>
    (await service.admin.ok("GET", `${RECALLS}/${recall_id}/orders${state ? `?state=${state}` : ""}`)).orders;
  const handleOf = (recall_id: number) => temporalClient().workflow.getHandle(`recall-${recall_id}`);
  /** Has whoever comes by count what lies in a bin, as it is. */
  async function count(count_id: number, counted?: number) {
    const { lines } = await service.admin.ok("GET", `/api/inventory/cycle-count/${count_id}`);
    await service.admin.ok("POST", "/api/inventory/cycle-count/submit", {
      count_id,
      lines: lines.map(({ count_line_id, expected_quantity }: Record<string, number>) => ({
        ...{ count_line_id, counted_quantity: counted ?? expected_quantity },
      })),
    });
  }
  /** The counts of the bins in which units lie, once there is one of each. */
  async function countsOf(recall_id: number): Promise<number[]> {
    const ids = async () => pluck((await read(recall_id)).places, "count_id") as number[];
    await until(async () => (await ids()).every((id) => id !== null));
    return ids();
  }

  it("is found by each of its lots", async () => {
    const [one, two, other] = [await goods(), await goods(), await goods()];
    const { recall_id } = await open([one.lot_id, two.lot_id]);
    const found = async ({ lot_id }: Goods) =>
      pluck((await service.admin.ok("GET", `${RECALLS}?lot_id=${lot_id}`)).recalls, "recall_id");
    assert.deepEqual([await found(one), await found(two), await found(other)], [[recall_id], [recall_id], []]);
  });

  it("holds the lot in three warehouses, and follows each unit until it is accounted for", async () => {
    const lot = await goods(3);
    const [one, two, three] = lot.places as [Goods["places"][0], Goods["places"][0], Goods["places"][0]];
    const shipped = await shippedOrder(lot, one.warehouse_id, 2);
    const picked = await pickedOrder(lot, one.warehouse_id, 1);
    await service.admin.ok("POST", "/api/packing/verify", { so_id: picked, scanned_barcode: lot.sku, quantity: 1 });
    await service.admin.ok("POST", "/api/packing/complete", { so_id: picked });
    const reserved = await order(two.warehouse_id, lot.item_id, 3);
    const waved = await order(three.warehouse_id, lot.item_id, 4);
    const { batch_id } = await wave(three.warehouse_id, waved);

    const recall = await open([lot.lot_id]);
    assert.deepEqual(
      [recall.status, recall.units.known, recall.units.to_count, recall.units.picked, recall.units.to_tell],
      ["OPEN", 24, 21, 1, 2],
    );
    assert.equal(recall.units_open, 24);
    assert.equal(recall.lots[0].condition, "HOLD");
    const { lines } = await service.admin.ok("GET", `/api/admin/sales-orders/${reserved}`);
    assert.equal(lines[0].quantity_allocated, 0);
    const { tasks } = await service.admin.ok("GET", `/api/picking/batch/${batch_id}`);
    assert.deepEqual(pluck(tasks, "status"), ["SHORT"]);

    const events = await db.rows<{ warehouse_id: number }>(
      "select warehouse_id from integration_events where event_type = 'recall.opened' and entity_id = $1 order by 1",
      [recall.recall_id],
    );
    assert.deepEqual(pluck(events, "warehouse_id"), pluck(lot.places, "warehouse_id"));

    const refused = await ship(picked);
    assert.deepEqual([refused.status, refused.code], [409, "order_has_recalled"]);
    const parcel = { carrier: "UPS", tracking_number: "1Z" };
    const fulfilled = await service.admin.post("/api/shipping/fulfill", { so_id: picked, ...parcel });
    assert.equal(fulfilled.code, "order_has_recalled");
    const edited = await service.admin.put(`/api/admin/sales-orders/${picked}`, { status: "SHIPPED", ...parcel });
    assert.equal(edited.code, "order_has_recalled");
    const { caller } = await tokenCaller(service, {
      ...{ endpoints: ["station.dispatch"], warehouse_ids: [one.warehouse_id] },
    });
    const number = await db.value<string>("select so_number from sales_orders where so_id = $1", [picked]);
    const atStation = await caller.post(`/api/v1/station/orders/${number}/ship`, {
      ...{ tracking: "1Z", carrier: "UPS", operator_username: service.admin.username, idempotency_key: randomUUID() },
    });
    assert.equal(atStation.body.error_kind, "order_has_recalled");
    assert.deepEqual(pluck(await ordersOf(recall.recall_id, "picked"), "so_id"), [picked]);
    await db.run(
      `update sales_orders set shipping_address_line1 = '12 Elm St', shipping_address_city = 'Springfield'
       where so_id = $1`,
      [shipped],
    );
    const [toTell, ...others] = await ordersOf(recall.recall_id, "to_tell");
    assert.deepEqual([toTell.so_id, toTell.customer_address, others], [shipped, "12 Elm St, Springfield", []]);

    const early = await service.admin.post(`${RECALLS}/${recall.recall_id}/close`, {});
    assert.deepEqual([early.status, early.code, early.body.units.to_count], [409, "recall_units_open", 21]);

    for (const count_id of await countsOf(recall.recall_id)) await count(count_id);
    const counted = await read(recall.recall_id);
    assert.deepEqual([counted.units.found, counted.units.to_count, counted.units_open], [21, 0, 3]);

    const { picked: taken } = (await ordersOf(recall.recall_id, "open"))[0];
    assert.equal(taken, 0);
    const portions = await db.rows<{ pick_task_id: number }>(
      "select pick_task_id from wave_pick_breakdown where so_id = $1",
      [picked],
    );
    await service.admin.ok("POST", `/api/admin/sales-orders/${picked}/revert-status`, {
      ...{ new_status: "OPEN", release_pick_task_ids: pluck(portions, "pick_task_id") },
    });
    const told = await service.admin.ok("POST", `${RECALLS}/${recall.recall_id}/told`, {
      ...{ so_ids: [shipped], note: "by telephone" },
    });
    assert.deepEqual([told.units.picked, told.units.to_tell, told.units.told, told.units_open], [0, 0, 2, 0]);
    await until(async () => (await listedAs(handleOf(recall.recall_id))).stage === "to close");

    const tooMany = await service.admin.post(`${RECALLS}/${recall.recall_id}/destroy`, {
      ...{ inventory_id: two.inventory_id, quantity: 9, reason: "burnt" },
    });
    assert.deepEqual([tooMany.status, tooMany.code], [400, "insufficient_stock"]);
    const destroyed = await service.admin.ok("POST", `${RECALLS}/${recall.recall_id}/destroy`, {
      ...{ inventory_id: two.inventory_id, quantity: 5, reason: "burnt" },
    });
    assert.deepEqual([destroyed.units.destroyed, destroyed.units.found, destroyed.units.known], [5, 17, 24]);
    await service.admin.ok("POST", `${RECALLS}/${recall.recall_id}/close`, { reason: "done" });
    const closed = await read(recall.recall_id);
    assert.deepEqual([closed.status, closed.units_open, closed.close_reason], ["CLOSED", 0, "done"]);
    assert.deepEqual(await listedAs(handleOf(recall.recall_id)), {
      ...{ status: "COMPLETED", stage: "ended", outcome: "closed" },
    });
    assert.equal((await read(recall.recall_id)).lots[0].condition, "HOLD", "it is released by a decision of its own");
  });

  it("is answered before its lots are held; nothing of them is shipped from then on", async () => {
    const lot = await goods(2);
    const [here, there] = lot.places as [Goods["places"][0], Goods["places"][0]];
    const picked = await pickedOrder(lot, here.warehouse_id, 2);
    const recall_id = await transaction(async (tx) => {
      await tx.run("select from inventory where inventory_id = $1 for update", [there.inventory_id]);
      const opened = await service.admin.ok("POST", RECALLS, { lot_ids: [lot.lot_id], reason: "glass" });
      assert.equal((await read(opened.recall_id)).lots[0].condition, "AVAILABLE");
      const refused = await ship(picked);
      assert.deepEqual([refused.status, refused.code], [409, "order_has_recalled"]);
      return opened.recall_id as number;
    });
    await held(recall_id);
    await service.admin.ok("POST", `${RECALLS}/${recall_id}/close`, { force: true, reason: "false alarm" });
  });

  it("counts units once that come between its opening and the hold", async () => {
    const lot = await goods();
    const [{ warehouse_id, bin_id }] = lot.places as [Goods["places"][0]];
    const recall_id = await takeRecallId();
    await openRecall(recall_id, { lot_ids: [lot.lot_id], reason: "glass" }, actor(service.admin));
    const { po_id } = await purchaseOrder(warehouse_id, [{ item_id: lot.item_id, quantity: 2 }]);
    await service.admin.ok("POST", "/api/receiving/receive", {
      ...{ po_id, items: [{ item_id: lot.item_id, quantity: 2, bin_id, lot_number: "L-1" }] },
    });
    await holdRecalledLot(recall_id, lot.lot_id, actor(service.admin));
    const { units } = await read(recall_id);
    assert.deepEqual([units.known, units.to_count, units.adjusted_out], [10, 10, 0]);
  });

  it("says in the Temporal UI what is open, and a cancellation there closes it only when nothing is", async () => {
    const lot = await goods();
    const { recall_id } = await open([lot.lot_id]);
    const handle = handleOf(recall_id);
    assert.deepEqual(await listedAs(handle), { status: "RUNNING", stage: "recalling", outcome: undefined });
    assert.match(await detailsOf(handle), new RegExp(`of ${lot.sku}, lot L-1: 8 of 8 unit\\(s\\) are open`));
    await handle.cancel();
    await until(async () => /refused: units are open/.test(await detailsOf(handle)));
    assert.equal((await read(recall_id)).status, "OPEN");
    const forced = await service.admin.post(`${RECALLS}/${recall_id}/close`, { force: true });
    assert.deepEqual([forced.status, forced.code], [400, "recall_reason_missing"]);
    await service.admin.ok("POST", `${RECALLS}/${recall_id}/close`, { force: true, reason: "the rest is lost" });
    assert.equal((await read(recall_id)).close_reason, "the rest is lost");
    const again = await service.admin.post(`${RECALLS}/${recall_id}/close`, {});
    assert.deepEqual([again.status, again.code], [409, "recall_closed"]);
    const [{ inventory_id }] = lot.places as [Goods["places"][0]];
    for (const [step, body] of [
      ["told", { so_ids: [1] }],
      ["destroy", { inventory_id, reason: "burnt" }],
    ] as const)
      assert.equal((await service.admin.post(`${RECALLS}/${recall_id}/${step}`, body)).code, "recall_closed");
  });

  it("keeps its lots from a release and from a second recall", async () => {
    const lot = await goods();
    const { recall_id } = await open([lot.lot_id]);
    const release = () => service.admin.post(`/api/admin/lots/${lot.lot_id}/release`, { reason: "by mistake" });
    const refused = await release();
    assert.deepEqual([refused.status, refused.code], [409, "lot_recalled"]);
    const unknown = 2_147_483_647;
    const none = await service.admin.post(RECALLS, { lot_ids: [unknown], reason: "none" });
    assert.equal(none.code, "lot_not_found");
    const untold = await service.admin.post(`${RECALLS}/${recall_id}/told`, { so_ids: [unknown] });
    assert.equal(untold.code, "order_not_on_recall");
    for (const [step, body] of [
      ["told", { so_ids: [1] }],
      ["destroy", { inventory_id: 1, reason: "burnt" }],
      ["close", { reason: "over" }],
    ] as const)
      assert.equal((await service.admin.post(`${RECALLS}/${unknown}/${step}`, body)).code, "recall_not_found");
    const elsewhere = { inventory_id: unknown, reason: "burnt" };
    const whole = await service.admin.post(`${RECALLS}/${recall_id}/destroy`, elsewhere);
    assert.equal(whole.code, "stock_not_on_recall");
    const twice = await service.admin.post(RECALLS, { lot_ids: [lot.lot_id], reason: "again" });
    assert.deepEqual([twice.status, twice.code], [409, "lot_recalled"]);
    await service.admin.ok("POST", `${RECALLS}/${recall_id}/close`, { force: true, reason: "false alarm" });
    assert.equal((await release()).status, 200);
  });

  it("follows units that a count does not find, and what comes back", async () => {
    const lot = await goods();
    const [{ warehouse_id }] = lot.places as [Goods["places"][0]];
    const shipped = await shippedOrder(lot, warehouse_id, 3);
    const { recall_id } = await open([lot.lot_id]);
    const [count_id] = (await countsOf(recall_id)) as [number];
    await count(count_id, 4);
    assert.equal((await read(recall_id)).units.to_count, 5, "a difference waits for a decision");
    await service.admin.ok("POST", "/api/admin/adjustments/review", {
      decisions: (
        await db.rows<{ adjustment_id: number }>(
          "select adjustment_id from inventory_adjustments where cycle_count_id = $1",
          [count_id],
        )
      ).map(({ adjustment_id }) => ({ adjustment_id, action: "approve" })),
    });
    const { units } = await read(recall_id);
    assert.deepEqual([units.known, units.found, units.adjusted_out, units.to_tell], [8, 4, 1, 3]);
    const back = await service.admin.ok("POST", `/api/admin/sales-orders/${shipped}/create-rma`, {
      lines: [{ item_id: lot.item_id, quantity: 2 }],
    });
    const returns = await bin(warehouse_id);
    await service.admin.ok("POST", `/api/admin/sales-orders/${back.so_id}/receive-return`, {
      ...{ item_id: lot.item_id, quantity: 2, warehouse_id, bin_id: returns, lot_number: "L-1" },
    });
    const after = await read(recall_id);
    assert.deepEqual([after.units.returned, after.units.to_tell, after.units.known], [2, 1, 8]);
    const [whose] = await ordersOf(recall_id);
    assert.deepEqual([whose.so_id, whose.returned, whose.to_tell], [shipped, 2, 1]);
  });
});

describe("recalls and inspections while Temporal is away", () => {
  const service = testService({ env: { TEMPORAL_NAMESPACE: `gone-${randomUUID()}` } });

  it("are refused until it is there", async () => {
    const warehouse_id = await warehouse();
    const { item_id } = await item();
    const inventory_id = await stock(warehouse_id, await bin(warehouse_id), item_id, 8, "L-1");
    const recall_id = await db.value<number>(
      "insert into recalls (reason, opened_by) values ('glass', 'rita') returning recall_id",
    );
    const inspection_id = await db.value<number>(
      `insert into inspections (item_id, warehouse_id, quantity, reason, opened_by)
       values ($1, $2, 8, 'wet', 'rita') returning inspection_id`,
      [item_id, warehouse_id],
    );
    const lot_id = await db.value<number>("select lot_id from lots where item_id = $1", [item_id]);
    for (const [path, body] of [
      [RECALLS, { lot_ids: [lot_id], reason: "glass" }],
      [`${RECALLS}/${recall_id}/told`, { so_ids: [1] }],
      [`${RECALLS}/${recall_id}/destroy`, { inventory_id, reason: "burnt" }],
      [`${RECALLS}/${recall_id}/close`, { reason: "done" }],
      [`/api/admin/inspections/${inspection_id}/decide`, { decision: "release", reason: "dry" }],
    ] as const) {
      const refused = await service.admin.post(path, body);
      assert.deepEqual([refused.status, refused.body.error], [503, "workflow_engine_unavailable"], path);
    }
  });
});
