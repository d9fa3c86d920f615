import assert from "node:assert/strict";
import { collectAvailability } from "../../activities/outbound/channels/collect.js";
import type { Caller } from "../support/caller.js";
import { channel } from "../support/channels.js";
import { db } from "../support/db.js";
import * as fixtures from "../support/fixtures.js";
import { assertInvariants } from "../support/invariants.js";
import { orderActions } from "../support/order-actions.js";
import { unique } from "../support/unique.js";
import { statusOf, waitingOrder } from "../support/waiting.js";

describe("what lies in reserve bins", () => {
  const { at } = orderActions();
  let house: number;
  let desk: Caller;
  beforeEach(async () => {
    house = await fixtures.warehouse();
    desk = at().service.admin;
  });
  afterEach(() => assertInvariants());

  /** Ten units of an item in reserve, and an empty bin that is picked from. */
  async function reserve(units = 10) {
    const made = await fixtures.item();
    const face = await fixtures.bin(house, { pick_sequence: 50 });
    const bin_id = await fixtures.bin(house, { pick_sequence: 10, is_reserve: true });
    return { ...made, face, bin_id, inventory_id: await fixtures.stock(house, bin_id, made.item_id, units) };
  }
  async function order(item_id: number, quantity: number) {
    const lines = [{ item_id, quantity_ordered: quantity }];
    const body = { so_number: `R-${unique()}`, warehouse_id: house, lines };
    const { sales_order } = await desk.ok("POST", "/api/admin/sales-orders", body);
    return sales_order as { so_id: number; so_number: string };
  }
  const plan = () => desk.ok("POST", "/api/admin/waves/plan", { warehouse_id: house });

  it("is reserved for orders, and no wave picks it", async () => {
    const { item_id, sku, inventory_id } = await reserve();
    const { so_id, so_number } = await order(item_id, 4);
    assert.deepEqual(await fixtures.stockOf(inventory_id), { on_hand: 10, allocated: 4 });
    const lines = [{ sku, item_name: `Item ${sku}`, needed: 4, missing: 4 }];
    const planned = await plan();
    assert.deepEqual([planned.batches, planned.uncovered], [[], [{ so_id, so_number, lines }]]);
    const wave = await desk.post("/api/picking/wave-create", { so_ids: [so_id], warehouse_id: house });
    assert.deepEqual([wave.status, wave.body.unpickable[0].lines[0].available], [409, 0]);
  });

  it("is picked once it is carried to a bin that is picked from", async () => {
    const { item_id, bin_id, face } = await reserve();
    const { so_id } = await order(item_id, 4);
    await desk.ok("POST", "/api/transfers/move", { item_id, from_bin_id: bin_id, to_bin_id: face, quantity: 10 });
    assert.deepEqual((await plan()).batches[0].so_ids, [so_id]);
  });

  it("is offered by no short pick", async () => {
    const { item_id, face } = await reserve();
    await fixtures.stock(house, face, item_id, 2);
    const { so_id } = await fixtures.salesOrder(house, [{ item_id, quantity: 2 }]);
    const wave = await desk.ok("POST", "/api/picking/wave-create", { so_ids: [so_id], warehouse_id: house });
    const short = await desk.ok("POST", "/api/picking/short", {
      pick_task_id: wave.first_pick.pick_task_id,
      quantity_available: 0,
    });
    assert.equal(short.next_pick ?? null, null);
    const places = await db.rows<{ bin_id: number }>("select bin_id from pick_tasks where batch_id = $1", [
      wave.batch_id,
    ]);
    assert.deepEqual(places, [{ bin_id: face }]);
  });

  it("is told to channels", async () => {
    const { sku } = await reserve();
    const { channel_id } = await channel(desk, { sku_scope: { skus: [sku] } });
    while (await collectAvailability());
    const told = await db.value<number>("select available as v from channel_items where channel_id = $1", [channel_id]);
    assert.equal(told, 10);
  });

  it("opens the orders that wait for it", async () => {
    const { item_id, bin_id } = await reserve(1);
    const { so_id } = await waitingOrder(house, [{ item_id, quantity: 5 }]);
    await desk.ok("POST", "/api/admin/adjustments/direct", {
      ...{ item_id, bin_id, warehouse_id: house, quantity: 4, adjustment_type: "ADD", reason: "found" },
    });
    assert.equal(await statusOf(so_id), "OPEN");
  });

  it("is no unit that a new order could be picked from", async () => {
    const { item_id, inventory_id } = await reserve();
    const { so_id } = await fixtures.salesOrder(house, [{ item_id, quantity: 3 }]);
    const ready = async () => {
      const { sales_orders } = await desk.ok("GET", `/api/admin/sales-orders?warehouse_id=${house}&work=ready_to_pick`);
      return sales_orders.map((one: { so_id: number }) => one.so_id);
    };
    assert.deepEqual(await ready(), []);
    await db.run(
      "update bins set is_reserve = false where bin_id = (select bin_id from inventory where inventory_id = $1)",
      [inventory_id],
    );
    assert.deepEqual(await ready(), [so_id]);
  });

  it("has a warehouse sell that has no other bins", async () => {
    await reserve();
    await db.run("update bins set is_active = is_reserve where warehouse_id = $1", [house]);
    const { warehouses } = await desk.ok("GET", "/api/warehouses/list");
    const mine = warehouses.find((one: { id: number }) => one.id === house);
    assert.equal(mine.is_sellable, true);
  });
});

describe("put-away with pick faces", () => {
  const { at } = orderActions();

  it("suggests another bin of the item than a face that would be too full", async () => {
    const house = await fixtures.warehouse();
    const { item_id } = await fixtures.item();
    const face = await fixtures.bin(house);
    const reserve = await fixtures.bin(house, { is_reserve: true });
    const desk = at().service.admin;
    await desk.ok("POST", "/api/admin/preferred-bins", { item_id, bin_id: face, min_units: 2, max_units: 10 });
    const suggested = async (quantity: number) => {
      const path = `/api/putaway/suggest/${item_id}?warehouse_id=${house}&quantity=${quantity}`;
      return (await desk.ok("GET", path)).suggested_bin?.bin_id ?? null;
    };
    await fixtures.stock(house, face, item_id, 4);
    assert.deepEqual([await suggested(6), await suggested(7)], [face, face]);
    await desk.ok("POST", "/api/admin/preferred-bins", { item_id, bin_id: reserve, priority: 2 });
    assert.deepEqual([await suggested(6), await suggested(7)], [face, reserve]);
    await desk.ok("POST", "/api/admin/put-away-rules", { warehouse_id: house, priority: 1, rule_name: "any" });
    assert.deepEqual([await suggested(6), await suggested(7)], [face, reserve]);
  });
});
