import assert from "node:assert/strict";
import type { Caller } from "../support/caller.js";
import { db } from "../support/db.js";
import * as fixtures from "../support/fixtures.js";
import { testService } from "../support/service.js";
import { transferOrder } from "../support/transfers.js";

describe("the work that waits on the floor", () => {
  const service = testService({ worker: true });
  let warehouse_id: number;
  let shelf: number;
  let person: Caller;
  let item_id: number;
  beforeEach(async () => {
    warehouse_id = await fixtures.warehouse();
    shelf = await fixtures.bin(warehouse_id);
    person = await service.user({ warehouse_ids: [warehouse_id] });
    item_id = (await fixtures.item()).item_id;
    await fixtures.stock(warehouse_id, shelf, item_id, 1000);
  });

  const work = () => person.ok("GET", `/api/work?warehouse_id=${warehouse_id}`);
  const numbersOf = ({ next }: { next: { number: string }[] }) => next.map(({ number }) => number);
  const order = async (status = "OPEN", quantity = 2) => {
    const made = await fixtures.salesOrder(warehouse_id, [{ item_id, quantity }]);
    await db.run("update sales_orders set status = $2 where so_id = $1", [made.so_id, status]);
    return made;
  };

  it("is nothing in an empty warehouse", async () => {
    const { warehouse_id: where, ...functions } = await work();
    assert.equal(where, warehouse_id);
    const { pick, ...others } = functions;
    assert.deepEqual(pick, { total: 0, next: [], looked_at: 0, covered: 0, ready: [] });
    for (const [name, waiting] of Object.entries(others)) assert.deepEqual(waiting, { total: 0, next: [] }, name);
  });

  it("names open orders that nobody picks, the most urgent first, without a page of the desk", async () => {
    const [late, urgent, soon, taken] = [await order(), await order(), await order("OPEN", 3), await order()];
    await db.run("update sales_orders set priority = 5 where so_id = $1", [urgent.so_id]);
    await db.run("update sales_orders set ship_by_date = '2026-05-06' where so_id = $1", [soon.so_id]);
    await person.ok("POST", "/api/picking/wave-create", { so_ids: [taken.so_id], warehouse_id });
    const { pick } = await work();
    assert.equal(pick.total, 3);
    assert.deepEqual(numbersOf(pick), [urgent.so_number, soon.so_number, late.so_number]);
    const { since, ...row } = pick.next[1];
    assert.ok(since);
    assert.deepEqual(row, { id: soon.so_id, number: soon.so_number, name: "Customer", units: 3, due: "2026-05-06" });
  });

  it("leaves out returns, what is held, and what is shipped or cancelled", async () => {
    for (const status of ["OPEN", "PICKED", "PACKED"]) {
      const { so_id } = await order(status);
      await db.run("update sales_orders set hold_reason = 'on_hold_in_shop' where so_id = $1", [so_id]);
    }
    for (const status of ["SHIPPED", "CANCELLED", "REFUNDED"]) await order(status);
    const { so_id } = await order();
    await db.run("update sales_orders set order_type = 'return' where so_id = $1", [so_id]);
    const { pick, pack, ship } = await work();
    assert.deepEqual([pick.total, pack.total, ship.total], [0, 0, 0]);
    await db.run("update sales_orders set status = 'CANCELLED' where hold_reason is not null");
  });

  it("gives picked orders to packers, and to shippers where nobody packs", async () => {
    const [picked, packed] = [await order("PICKED"), await order("PACKED")];
    const before = await work();
    assert.deepEqual([numbersOf(before.pack), numbersOf(before.ship)], [[picked.so_number], [packed.so_number]]);
    await db.run("update sales_orders set status = 'SHIPPED' where so_id = $1", [packed.so_id]);
    const packing = (on: boolean) =>
      service.admin.ok("PUT", "/api/admin/settings", { settings: { require_packing_before_shipping: String(on) } });
    await packing(false);
    const after = await work();
    await packing(true);
    assert.deepEqual([after.pack.total, numbersOf(after.ship)], [0, [picked.so_number]]);
  });

  it("names what is expected, to put away, to count and to send elsewhere", async () => {
    const dock = await fixtures.bin(warehouse_id, { type: "Staging" });
    await fixtures.stock(warehouse_id, dock, item_id, 7);
    const { po_number } = (
      await service.admin.ok("POST", "/api/admin/purchase-orders", {
        ...{ po_number: "PO-WORK", warehouse_id, expected_date: "2026-05-07" },
        lines: [{ item_id, quantity_ordered: 9 }],
      })
    ).purchase_order;
    await person.ok("POST", "/api/inventory/cycle-count/create", { warehouse_id, bin_ids: [shelf] });
    const destination = await fixtures.warehouse();
    const { to_number } = await transferOrder(service.admin, { source: warehouse_id, destination }, [
      { item_id, quantity: 4 },
    ]);
    const { receive, putaway, count, transfer } = await work();
    const short = ({ total, next: [first] }: { total: number; next: Record<string, unknown>[] }) => [
      ...[total, first?.number, first?.units, first?.due],
    ];
    assert.deepEqual(short(receive), [1, po_number, 9, "2026-05-07"]);
    assert.deepEqual([putaway.total, putaway.next[0].units], [1, 7]);
    assert.deepEqual([count.total, count.next[0].units], [1, 1]);
    assert.deepEqual(short(transfer), [1, to_number, 4, null]);
  });

  it("names the orders to pick that have all their units in bins", async () => {
    const covered = [await order(), await order()];
    const lacking = await order("OPEN", 5000);
    await db.run("update sales_orders set priority = 5 where so_id = any($1)", [[lacking.so_id, covered[1]?.so_id]]);
    const { pick } = await work();
    assert.deepEqual([pick.total, pick.looked_at, pick.covered], [3, 3, 2]);
    assert.deepEqual(numbersOf(pick), [covered[1]?.so_number, lacking.so_number, covered[0]?.so_number]);
    assert.deepEqual(pick.ready, [pick.next[0], pick.next[2]]);
    const first = await person.ok("GET", `/api/work?warehouse_id=${warehouse_id}&limit=1`);
    assert.deepEqual([first.pick.covered, first.pick.ready], [2, [pick.next[0]]]);
  });

  it("names batches that wait for a picker, and those that somebody picks", async () => {
    const [first, second] = [await order(), await order()];
    const begin = async (so_id: number) =>
      (await person.ok("POST", "/api/picking/wave-create", { so_ids: [so_id], warehouse_id })).batch_id;
    const waits = await begin(first.so_id);
    await db.run("update sales_orders set ship_by_date = '2026-05-08' where so_id = $1", [first.so_id]);
    await db.run(
      "update pick_batches set assigned_to = null, assigned_user_id = null, status = 'OPEN' where batch_id = $1",
      [waits],
    );
    const picked = await begin(second.so_id);
    const { pick, wave, walk } = await work();
    assert.equal(pick.total, 0);
    assert.deepEqual([wave.total, wave.next[0].id, wave.next[0].name], [1, waits, null]);
    assert.deepEqual([wave.next[0].units, wave.next[0].due], [2, "2026-05-08"]);
    assert.deepEqual([walk.total, walk.next[0].id, walk.next[0].due], [1, picked, null]);
    assert.ok(walk.next[0].name);
  });

  it("names transfers that wait to be approved here", async () => {
    const source = await fixtures.warehouse();
    const { to_id, to_number } = await transferOrder(service.admin, { source, destination: warehouse_id }, [
      { item_id, quantity: 4 },
    ]);
    assert.equal((await work()).transfer_in.total, 0);
    await db.run("insert into transfer_order_approvals (to_id, submitted_by) values ($1, 'ann')", [to_id]);
    const { transfer_in } = await work();
    assert.deepEqual([transfer_in.total, numbersOf(transfer_in)], [1, [to_number]]);
    await db.run("delete from transfer_order_approvals where to_id = $1", [to_id]);
  });

  it("counts only what the caller's functions are for, and names as many as are asked for", async () => {
    const packer = await service.user({ warehouse_ids: [warehouse_id] });
    await db.run("update users set allowed_functions = '{pack}' where user_id = $1", [packer.userId]);
    for (const status of ["OPEN", "OPEN", "PICKED", "PICKED"]) await order(status);
    const asked = (who: Caller, more: string) => who.ok("GET", `/api/work?warehouse_id=${warehouse_id}&${more}`);
    const mine = await asked(packer, "mine=true&limit=1");
    assert.deepEqual([mine.pick, mine.pack.total, mine.pack.next.length], [{ total: 0, next: [] }, 2, 1]);
    assert.equal((await asked(packer, "limit=1")).pick.total, 2);
    const all = await asked(service.admin, "mine=true");
    assert.deepEqual([all.pick.total, all.pack.total], [2, 2]);
  });

  it("is for users of the warehouse, and names the first 50 of each", async () => {
    const stranger = await service.user();
    assert.equal((await stranger.get(`/api/work?warehouse_id=${warehouse_id}`)).status, 403);
    assert.equal((await service.anyone.get(`/api/work?warehouse_id=${warehouse_id}`)).status, 401);
    assert.equal((await person.get("/api/work")).status, 400);
    for (let made = 0; made < 52; made++) await order();
    const { pick } = await work();
    assert.deepEqual([pick.total, pick.next.length], [52, 50]);
  });
});
