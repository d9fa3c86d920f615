import assert from "node:assert/strict";
import { statusAndBody } from "../support/caller.js";
import { db } from "../support/db.js";
import { stockOf, warehouse } from "../support/fixtures.js";
import { orderActions } from "../support/order-actions.js";
import { pluckAll } from "../support/pluck.js";
import { transferOrder, twoSites, walk as walkTransfer } from "../support/transfers.js";

describe("walks as the desk sees them", () => {
  const { at, ordered, shelved, startWave, next, confirm, endOf, orderStatus } = orderActions();
  const list = async (query = "", by = at().service.admin) =>
    (await by.ok("GET", `/api/admin/pick-batches${query}`)).pick_batches;
  const end = (batch_id: number, by = at().service.admin) => by.post(`/api/admin/pick-batches/${batch_id}/delete`);

  async function walk(quantity = 5) {
    const goods = await shelved(quantity);
    const order = await ordered({ item_id: goods.item_id, quantity });
    const { batch_id, batch_number } = await startWave(order.so_id);
    return { ...goods, ...order, batch_id: batch_id as number, batch_number };
  }

  it("are listed while they go on, with how far they are", async () => {
    const { batch_id, batch_number, so_number } = await walk();
    const task = await next(batch_id);
    const mine = async () =>
      (await list(`?warehouse_id=${at().warehouse_id}`)).filter(
        (batch: { batch_id: number }) => batch.batch_id === batch_id,
      );
    const [shown] = await mine();
    const { created_at, started_at, warehouse_code, ...batch } = shown;
    assert.deepEqual(batch, {
      ...{ batch_id, batch_number, kind: "SO", orders: [so_number] },
      ...{ to_number: null, assigned_to: at().picker.username, warehouse_id: at().warehouse_id },
      ...{ completed_tasks: 0, total_tasks: 1, status: "OPEN" },
    });
    assert.ok(Date.parse(created_at) <= Date.now() && Date.parse(started_at) <= Date.now());
    await confirm(task.pick_task_id, task.upc, 5);
    assert.equal((await mine())[0].completed_tasks, 1);
    await at().picker.ok("POST", "/api/picking/complete-batch", { batch_id });
    assert.deepEqual(await mine(), []);
  });

  it("are listed for the user's warehouses and the one asked for", async () => {
    const { batch_id } = await walk();
    const { service, warehouse_id } = at();
    const page_keys = ["picking-batches"];
    const ids = async (warehouse_ids: number[], query = "") => {
      const clerk = await service.user({ page_keys, warehouse_ids });
      return (await list(query, clerk)).map((batch: { batch_id: number }) => batch.batch_id);
    };
    const other = await warehouse();
    assert.ok((await ids([warehouse_id])).includes(batch_id));
    assert.deepEqual(await ids([other]), []);
    assert.deepEqual(await ids([warehouse_id, other], `?warehouse_id=${other}`), []);
  });

  it("are ended from the desk: all stays the order's, their process ends, the picker is refused", async () => {
    const { batch_id, batch_number, so_id, so_number, inventory_id } = await walk();
    const task = await next(batch_id);
    await confirm(task.pick_task_id, task.upc, 5);
    const answer = await end(batch_id);
    assert.deepEqual(statusAndBody(answer), [
      200,
      { message: "Batch cancelled", batch_id, batch_number, released_orders: [so_number] },
    ]);
    assert.equal(answer.headers.get("x-service-workflow-id"), `pick-wave-${batch_id}`);
    assert.equal((await endOf(batch_id)).ended, "cancelled");
    assert.deepEqual(await stockOf(inventory_id), { on_hand: 5, allocated: 5 });
    assert.equal(await orderStatus(so_id), "OPEN");
    const late = await at().picker.post("/api/picking/complete-batch", { batch_id });
    assert.deepEqual([late.status, late.body], [409, { error: "batch_not_active", status: "CANCELLED" }]);
    const again = await end(batch_id);
    assert.deepEqual([again.status, again.body.error], [409, "batch_not_active"]);
  });

  it("are not ended when there is none, in other warehouses, of a transfer order, and without the engine", async () => {
    const { service, warehouse_id } = at();
    assert.equal((await end(999_999_999)).status, 404);
    const { batch_id } = await walk();
    const stranger = await service.user({ page_keys: ["picking-batches"] });
    assert.deepEqual((await end(batch_id, stranger)).body, { error: "Access denied for this warehouse" });
    await service.withoutTemporal(async () => assert.equal((await end(batch_id)).status, 503));
    const transfer = await db.row<{ batch_id: number }>(
      "insert into pick_batches (batch_number, kind, warehouse_id) values ('BATCH-TO-1', 'TO', $1) returning batch_id",
      [warehouse_id],
    );
    const refused = await end(transfer?.batch_id ?? 0);
    assert.deepEqual(statusAndBody(refused), [
      409,
      { error: "BATCH-TO-1 picks a transfer order: cancel that order instead" },
    ]);
  });

  describe("short picks", () => {
    const shortPicks = (query = "", by = at().service.admin) => by.ok("GET", `/api/admin/short-picks${query}`);
    async function short(found = 2, reason?: string) {
      const made = await walk();
      const { pick_task_id, bin_code } = await next(made.batch_id);
      await at().picker.ok("POST", "/api/picking/short", { pick_task_id, quantity_available: found, reason });
      return { ...made, bin_code };
    }

    it("tell who found what where and why, the newest first", async () => {
      await short();
      const { batch_id, sku, bin_code } = await short(2, "damaged");
      const { short_picks, total } = await shortPicks();
      const { log_id, timestamp, warehouse_code, ...newest } = short_picks[0];
      assert.equal(short_picks[1].reason, null);
      assert.deepEqual(newest, {
        ...{ user: at().picker.username, sku, bin_code, batch_id, warehouse_id: at().warehouse_id },
        ...{ qty_expected: 5, qty_picked: 2, shortage: 3, reason: "damaged" },
      });
      assert.ok(log_id > 0 && Date.parse(timestamp) <= Date.now());
      assert.equal(total, short_picks.length);
    });

    it("are those of the last days, of a warehouse, and of the user's warehouses", async () => {
      await short();
      const { service, warehouse_id } = at();
      const count = async (query: string, warehouse_ids?: number[]) => {
        const page_keys = ["sales-orders"];
        const by = warehouse_ids ? await service.user({ page_keys, warehouse_ids }) : service.admin;
        return (await shortPicks(query, by)).total;
      };
      const other = await warehouse();
      const all = await count("");
      assert.ok(all > 0);
      assert.equal(await count(`?warehouse_id=${warehouse_id}`), all);
      assert.equal(await count(`?warehouse_id=${other}`), 0);
      assert.equal(await count("", [warehouse_id]), all);
      assert.equal(await count("", [other]), 0);
      await db.run(
        `insert into audit_log (action_type, entity_type, entity_id, user_id, warehouse_id, details, created_at)
         select 'PICK', 'SO', 1, 'ann', $1, details, now() - interval '40 days' from audit_log
         where details->>'type' = 'SHORT_PICK' limit 1`,
        [warehouse_id],
      );
      assert.equal(await count(""), all);
      assert.equal(await count("?days=41"), all + 1);
    });

    it("are at most 100, and counted all", async () => {
      await short();
      await db.run(
        `insert into audit_log (action_type, entity_type, entity_id, user_id, warehouse_id, details)
         select 'PICK', 'SO', 1, 'bob', $1, s.details from generate_series(1, 120),
           (select details from audit_log where details->>'type' = 'SHORT_PICK' limit 1) s`,
        [at().warehouse_id],
      );
      const { short_picks, total } = await shortPicks();
      assert.equal(short_picks.length, 100);
      assert.ok(total > 120);
    });

    it("are also those of a transfer order's walk", async () => {
      const { service } = at();
      const sites = await twoSites();
      const goods = await sites.goods(5);
      const { to_id } = await transferOrder(service.admin, sites, [{ item_id: goods.item_id, quantity: 5 }]);
      const { batch_id, tasks } = await walkTransfer(service.admin, to_id);
      const [task] = tasks;
      await service.admin.ok("POST", "/api/picking/short", { pick_task_id: task?.pick_task_id, quantity_available: 1 });
      const { short_picks } = await shortPicks(`?warehouse_id=${sites.source}`);
      assert.deepEqual(pluckAll(short_picks, "sku", "batch_id", "qty_picked", "shortage"), [
        [goods.sku, batch_id, 1, 4],
      ]);
    });
  });
});
