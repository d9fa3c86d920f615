import assert from "node:assert/strict";
import { cancelWave } from "../../activities/picking/end-wave.js";
import { completeWave } from "../../activities/picking/index.js";
import { confirmPick, shortPick } from "../../activities/picking/scan.js";
import { statusAndError } from "../support/caller.js";
import { db } from "../support/db.js";
import { desk } from "../support/desk.js";
import * as fixtures from "../support/fixtures.js";
import { auditMark, auditSince } from "../support/records.js";
import { actor, pickedOrder, startWave } from "../support/walk.js";

describe("a sales order's lines", () => {
  const { at, order, reserved, linesOf, trusted } = desk();

  const waveOver = (so_id: number) => startWave(at().service.admin, at().here, [so_id]);

  describe("adding", () => {
    it("puts an item behind the others, and then holds what is free of it", async () => {
      const { path, so_id, so_number } = await order();
      const { item_id, sku } = await fixtures.item();
      const { here, clerk } = at();
      const bin_id = await fixtures.bin(here);
      const inventory = await fixtures.stock(here, bin_id, item_id, 10);
      const mark = await auditMark();
      const answer = await clerk.post(`${path}/lines`, { item_id, quantity_ordered: 4 });
      assert.equal(answer.status, 201);
      const { so_line_id, ...line } = answer.body;
      assert.deepEqual(line, {
        ...{ so_id, item_id, sku, quantity_ordered: 4 },
        ...{ quantity_allocated: 0, quantity_picked: 0, quantity_packed: 0 },
        ...{ quantity_shipped: 0, line_number: 2 },
      });
      assert.equal((await linesOf(path)).at(-1)?.so_line_id, so_line_id);
      assert.equal((await fixtures.stockOf(inventory)).allocated, 4);
      assert.deepEqual(await auditSince(mark), [
        {
          ...{ action_type: "UPDATE", entity_type: "SO", entity_id: so_id },
          ...{ user_id: clerk.username, warehouse_id: here },
          details: {
            ...{ so_number, so_line_id, item_id, field: `line[${sku}]` },
            ...{ old_value: null, new_value: "4" },
          },
        },
      ]);
    });

    it("refuses an item that is on the order, also when two add it at once", async () => {
      const { path } = await order();
      const { item_id, sku } = await fixtures.item();
      const body = { item_id, quantity_ordered: 1 };
      const answers = await Promise.all([1, 2, 3].map(() => at().clerk.post(`${path}/lines`, body)));
      assert.deepEqual(answers.map((answer) => answer.status).sort(), [201, 400, 400]);
      const again = await at().clerk.post(`${path}/lines`, body);
      assert.deepEqual(statusAndError(again), [400, `${sku} is already on the order`]);
    });

    it("refuses an unknown item", async () => {
      const { path } = await order();
      const body = { item_id: 999999, quantity_ordered: 1 };
      assert.deepEqual(statusAndError(await at().clerk.post(`${path}/lines`, body)), [400, "Item 999999 not found"]);
    });

    it("refuses an order that is done with, and takes one that is picked", async () => {
      const { item_id } = await fixtures.item();
      const body = { item_id, quantity_ordered: 1 };
      for (const status of ["SHIPPED", "CANCELLED", "REFUNDED"]) {
        const { path, so_number } = await order({ status });
        assert.deepEqual(statusAndError(await at().service.admin.post(`${path}/lines`, body)), [
          400,
          `Sales order ${so_number} is ${status}: its lines cannot be changed`,
        ]);
      }
      const { path } = await order({ status: "PICKED" });
      await (await trusted()).ok("POST", `${path}/lines`, body);
    });
  });

  describe("changing", () => {
    it("lowers what is ordered and frees what is reserved beyond it, the youngest claim first", async () => {
      const { line, path, item_id, bins, so_id, so_number, sku, so_line_id } = await reserved(10, 6, 3);
      const mark = await auditMark();
      const { clerk, here } = at();
      assert.deepEqual(await clerk.ok("PATCH", line, { quantity_ordered: 4 }), {
        ...{ so_line_id, quantity_ordered: 4, released_allocation: 5 },
      });
      assert.equal((await linesOf(path))[0]?.quantity_allocated, 4);
      const held = await Promise.all(bins.map((bin) => fixtures.stockOf(bin.inventory_id)));
      assert.equal(
        held.reduce((sum, { allocated }) => sum + allocated, 0),
        4,
      );
      assert.deepEqual(await auditSince(mark), [
        {
          ...{ action_type: "UPDATE", entity_type: "SO", entity_id: so_id },
          ...{ user_id: clerk.username, warehouse_id: here },
          details: {
            ...{ so_number, so_line_id, item_id },
            field: `line[${sku}].quantity_ordered`,
            ...{ old_value: "10", new_value: "4" },
          },
        },
      ]);
    });

    it("raises what is ordered and holds it, and writes nothing when it is the same", async () => {
      const { line, path } = await reserved(5, 20);
      const { clerk } = at();
      await clerk.ok("PATCH", line, { quantity_ordered: 8 });
      const [raised] = await linesOf(path);
      assert.deepEqual([raised?.quantity_ordered, raised?.quantity_allocated], [8, 8]);
      const mark = await auditMark();
      const same = await clerk.ok("PATCH", line, { quantity_ordered: 8 });
      assert.equal(same.released_allocation, 0);
      assert.deepEqual(await auditSince(mark), []);
    });

    it("refuses less than is picked", async () => {
      const { service, here } = at();
      const item = await fixtures.item();
      const { so_id } = await pickedOrder(service.admin, here, [{ item, quantity: 5 }]);
      const path = `/api/admin/sales-orders/${so_id}`;
      const [line] = await linesOf(path);
      const answer = await service.admin.patch(`${path}/lines/${line?.so_line_id}`, { quantity_ordered: 4 });
      assert.deepEqual(statusAndError(answer), [400, `${item.sku}: 5 unit(s) are already picked, packed or shipped`]);
    });

    it("may follow what a short pick left, and then the order ships", async () => {
      const { service, here } = at();
      const item = await fixtures.item();
      const { so_id } = await pickedOrder(service.admin, here, [{ item, quantity: 5, found: 2 }]);
      const path = `/api/admin/sales-orders/${so_id}`;
      const [line] = await linesOf(path);
      await service.admin.ok("PATCH", `${path}/lines/${line?.so_line_id}`, { quantity_ordered: 2 });
      await service.admin.ok("PUT", path, { status: "SHIPPED", tracking_number: "1Z" });
    });
  });

  describe("deleting", () => {
    it("takes the line away and frees what is reserved for it", async () => {
      const { line, path, bins, so_line_id, so_id, sku } = await reserved(7, 4, 2);
      const mark = await auditMark();
      assert.deepEqual(await at().clerk.ok("DELETE", line), { so_line_id, deleted: true, released_allocation: 6 });
      assert.deepEqual(await linesOf(path), []);
      for (const { inventory_id } of bins) assert.equal((await fixtures.stockOf(inventory_id)).allocated, 0);
      const [audit, ...others] = await auditSince(mark);
      assert.deepEqual(others, []);
      assert.deepEqual([audit?.entity_id, audit?.details.field], [so_id, `line[${sku}]`]);
      assert.deepEqual([audit?.details.old_value, audit?.details.new_value], ["7", null]);
    });

    it("refuses a line for which something was picked", async () => {
      const { service, here } = at();
      const item = await fixtures.item();
      const { so_id } = await pickedOrder(service.admin, here, [{ item, quantity: 5 }]);
      const path = `/api/admin/sales-orders/${so_id}`;
      const [line] = await linesOf(path);
      const answer = await service.admin.delete(`${path}/lines/${line?.so_line_id}`);
      assert.deepEqual(statusAndError(answer), [
        400,
        `${item.sku} is already picked, packed or shipped: the line cannot be deleted`,
      ]);
    });

    it("takes its part out of walks that ended", async () => {
      const { service, here } = at();
      const one = await reserved(4, 20);
      const [bin] = one.bins;
      const other = await fixtures.salesOrder(here, [{ item_id: one.item_id, quantity: 3 }]);
      const plan = await startWave(service.admin, here, [one.so_id, other.so_id]);
      await cancelWave(plan.batch_id, actor(service.admin));
      const short = await startWave(service.admin, here, [one.so_id]);
      await shortPick(
        { pick_task_id: short.first_pick?.pick_task_id as number, quantity_available: 0 },
        actor(service.admin),
      );
      await completeWave(short.batch_id, actor(service.admin));
      await service.admin.ok("DELETE", one.line);
      assert.deepEqual(
        await db.rows(
          `select status, quantity_to_pick, w.quantity, w.so_id from pick_tasks left join wave_pick_breakdown w
            using (pick_task_id)
           where inventory_id = $1`,
          [bin?.inventory_id],
        ),
        [{ status: "SKIPPED", quantity_to_pick: 3, quantity: 3, so_id: other.so_id }],
      );
    });
  });

  describe("while a walk for the order is under way", () => {
    it("cannot be added, raised, deleted or lowered below what is being picked", async () => {
      const { path, line, so_id, so_number } = await reserved(5, 20);
      const { item_id } = await fixtures.item();
      const { batch_number, batch_id } = await waveOver(so_id);
      const { clerk } = at();
      const answers = [
        await clerk.post(`${path}/lines`, { item_id, quantity_ordered: 1 }),
        await clerk.patch(line, { quantity_ordered: 6 }),
        await clerk.patch(line, { quantity_ordered: 4 }),
        await clerk.delete(line),
        await clerk.patch(`${line}/allocation`, { delta: -1 }),
      ];
      for (const answer of answers)
        assert.deepEqual(statusAndError(answer), [
          400,
          `Sales order ${so_number} is being picked in ${batch_number}: complete or cancel that batch first`,
        ]);
      await cancelWave(batch_id, actor(at().service.admin));
      await clerk.ok("DELETE", line);
    });

    it("can be lowered to what was picked less than planned, so that the walk can be completed", async () => {
      const { line, so_id, sku } = await reserved(5, 20);
      const { service, clerk } = at();
      const by = service.admin;
      const { batch_id, first_pick } = await waveOver(so_id);
      await confirmPick(
        { pick_task_id: first_pick?.pick_task_id as number, scanned_barcode: sku, quantity_picked: 3 },
        actor(by),
      );
      await clerk.ok("PATCH", line, { quantity_ordered: 3 });
      await completeWave(batch_id, actor(by));
    });

    it("stay true when a picker scans at the same moment", async () => {
      for (let i = 0; i < 8; i++) {
        const { line, so_id, sku } = await reserved(5, 20);
        const { service, clerk } = at();
        const { first_pick } = await waveOver(so_id);
        const pick_task_id = first_pick?.pick_task_id as number;
        const [, lowered] = await Promise.all([
          confirmPick({ pick_task_id, scanned_barcode: sku, quantity_picked: 3 }, actor(service.admin)),
          clerk.patch(line, { quantity_ordered: 3 }),
        ]);
        assert.ok([200, 400].includes(lowered.status));
      }
    });
  });

  it("are those of the order, of a warehouse of the user, in a status that the user may edit", async () => {
    const { clerk, elsewhere } = at();
    const mine = await order();
    const away = await order({ warehouse_id: elsewhere });
    const picked = await order({ status: "PICKED" });
    const { item_id } = await fixtures.item();
    const asks: [string, string, object][] = [
      ["PATCH", "", { quantity_ordered: 1 }],
      ["DELETE", "", {}],
      ["PATCH", "/allocation", { delta: 1 }],
    ];
    const idOf = async (path: string) => (await linesOf(path))[0]?.so_line_id;
    for (const [method, place, body] of asks) {
      const ask = async (path: string, so_line_id: number | undefined) =>
        statusAndError(await clerk.call(method, `${path}/lines/${so_line_id}${place}`, body));
      const unknown = "/api/admin/sales-orders/999999";
      assert.deepEqual(await ask(unknown, 1), [404, "Sales order not found"]);
      const missing = [404, "Sales order line not found"];
      assert.deepEqual(await ask(mine.path, 999999), missing);
      assert.deepEqual(await ask(mine.path, await idOf(away.path)), missing);
      assert.deepEqual(await ask(away.path, await idOf(away.path)), [403, "Access denied for this warehouse"]);
      assert.deepEqual(await ask(picked.path, await idOf(picked.path)), [
        403,
        `Sales order ${picked.so_number} is PICKED: you may not edit it`,
      ]);
    }
    const add = async (path: string) => (await clerk.post(`${path}/lines`, { item_id, quantity_ordered: 1 })).status;
    assert.equal(await add("/api/admin/sales-orders/999999"), 404);
    assert.equal(await add(away.path), 403);
    assert.equal(await add(picked.path), 403);
  });
});
