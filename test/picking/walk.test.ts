import assert from "node:assert/strict";
import { releaseIfIdle } from "../../activities/picking/index.js";
import { temporalClient } from "../../api/http/workflow-updates.js";
import type { Caller } from "../support/caller.js";
import { db } from "../support/db.js";
import { item, salesOrder, stockOf, warehouse } from "../support/fixtures.js";
import { newUpc } from "../support/gtins.js";
import { pickFloor } from "../support/pick-floor.js";
import { pluck } from "../support/pluck.js";
import type { TestService } from "../support/service.js";
import { until } from "../support/until.js";

describe("walking a pick wave", () => {
  const {
    at,
    shelved,
    wave,
    startWave,
    next,
    confirm,
    complete,
    cancel,
    orderStatus,
    linesOf,
    endOf,
    isRunning,
    pickAll,
  } = pickFloor();
  let service: TestService;
  let picker: Caller;
  let warehouse_id: number;
  beforeEach(() => {
    ({ service, picker, warehouse_id } = at());
  });

  describe("scanning", () => {
    /** A wave of one task. */
    async function oneTask(quantity = 5) {
      const goods = await shelved(20);
      const order = await salesOrder(warehouse_id, [{ item_id: goods.item_id, quantity }]);
      const { batch_id, first_pick } = await startWave(order.so_id);
      return { ...goods, ...order, batch_id, task: first_pick.pick_task_id as number };
    }

    it("takes the UPC, an alias or the SKU, and refuses another item by naming the expected one", async () => {
      for (const barcode of ["upc", "alias", "sku"] as const) {
        const w = await oneTask();
        await db.run(`update items set barcode_aliases = '["ALIAS-1"]' where item_id = $1`, [w.item_id]);
        const wrong = await confirm(w.task, "ANOTHER", 5);
        assert.deepEqual([wrong.status, wrong.body.error], [400, `Wrong item: expected ${w.sku}`]);
        const scanned = { upc: w.upc as string, alias: "ALIAS-1", sku: w.sku }[barcode];
        assert.equal((await confirm(w.task, scanned, 5)).status, 200);
      }
    });

    it("takes the item's own code in any form, whoever else has it", async () => {
      const w = await oneTask();
      const upc = newUpc();
      await db.run("update items set upc = $2 where item_id = $1", [w.item_id, `0${upc}`]);
      await item({ upc });
      const label = `]C10100${upc}10LOT-7`;
      assert.equal((await confirm(w.task, label, 5)).status, 200);
      const next = await oneTask();
      await db.run("update items set upc = $2 where item_id = $1", [next.item_id, `0${upc}`]);
      assert.equal((await confirm(next.task, upc, 5)).status, 200);
    });

    it("refuses a label that names another lot than the task's stock", async () => {
      const w = await oneTask();
      const upc = newUpc();
      await db.run("update items set upc = $2 where item_id = $1", [w.item_id, upc]);
      await db.run("update inventory set lot_number = 'LOT-7' where inventory_id = $1", [w.inventory_id]);
      const wrong = await confirm(w.task, `]C10100${upc}10LOT-8`, 5);
      assert.deepEqual([wrong.status, wrong.body.error], [400, "Wrong lot: expected LOT-7, scanned LOT-8"]);
      assert.equal((await confirm(w.task, `]C10100${upc}10LOT-7`, 5)).status, 200);
    });

    it("refuses too many units, unknown tasks, tasks that are done and other warehouses", async () => {
      const w = await oneTask();
      assert.deepEqual((await confirm(w.task, w.upc as string, 6)).body, { error: "Only 5 to pick, 6 given" });
      assert.equal((await confirm(2_000_000_000, "x", 1)).status, 400);
      assert.equal((await confirm(w.task, w.upc as string, 0)).body.error, "validation_error");
      const stranger = await service.user({ warehouse_ids: [await warehouse()] });
      const body = { pick_task_id: w.task, scanned_barcode: w.upc, quantity_picked: 5 };
      assert.equal((await stranger.post("/api/picking/confirm", body)).status, 403);
      assert.equal((await stranger.get(`/api/picking/batch/${w.batch_id}`)).status, 403);
      assert.equal((await stranger.get(`/api/picking/batch/${w.batch_id}/next`)).status, 403);
      await confirm(w.task, w.upc as string, 5);
      for (const again of [
        await confirm(w.task, w.upc as string, 5),
        await picker.post("/api/picking/short", { pick_task_id: w.task }),
      ])
        assert.deepEqual(again.body, { error: "Pick task is already PICKED", status: "PICKED" });
    });

    it("refuses short picks of unknown tasks and of more than there is to pick", async () => {
      const w = await oneTask();
      const short = (pick_task_id: number, quantity_available: number) =>
        picker.post("/api/picking/short", { pick_task_id, quantity_available });
      assert.deepEqual((await short(2_000_000_000, 1)).body, { error: "Pick task 2000000000 does not exist" });
      assert.deepEqual((await short(w.task, 6)).body, { error: "Only 5 to pick, 6 given" });
      assert.deepEqual(await stockOf(w.inventory_id), { on_hand: 20, allocated: 5 });
    });

    it("shares a short pick first come first served, and lets the wave complete", async () => {
      const goods = await shelved(20);
      const one = await salesOrder(warehouse_id, [{ item_id: goods.item_id, quantity: 4 }]);
      const two = await salesOrder(warehouse_id, [{ item_id: goods.item_id, quantity: 4 }]);
      const { batch_id, first_pick } = await startWave(one.so_id, two.so_id);
      const { body } = await picker.post("/api/picking/short", {
        pick_task_id: first_pick.pick_task_id,
        quantity_available: 5,
      });
      assert.deepEqual(body.task, {
        pick_task_id: first_pick.pick_task_id,
        status: "SHORT",
        sku: goods.sku,
        quantity_to_pick: 8,
        quantity_picked: 5,
        shortage: 3,
        bin_code: first_pick.bin_code,
      });
      assert.deepEqual(await linesOf(one.so_id), [{ picked: 4, allocated: 4, status: "PICKED" }]);
      assert.deepEqual(await linesOf(two.so_id), [{ picked: 1, allocated: 1, status: "PENDING" }]);
      assert.deepEqual(await stockOf(goods.inventory_id), { on_hand: 15, allocated: 0 });
      const audits = await db.rows<{ entity_id: number; details: Record<string, unknown> }>(
        `select entity_id, details from audit_log where details->>'type' = 'SHORT_PICK' and entity_id = any($1)
          order by log_id`,
        [[one.so_id, two.so_id]],
      );
      assert.deepEqual(
        audits.map((a) => [a.entity_id, a.details.shortage]),
        [
          [one.so_id, 0],
          [two.so_id, 3],
        ],
      );
      const done = await complete(batch_id);
      assert.deepEqual([done.status, done.body.summary?.total_shorts], [200, 1]);
    });

    it("does not complete a line that was picked less than ordered without a short pick", async () => {
      const w = await oneTask(5);
      await confirm(w.task, w.upc as string, 3);
      const refused = await complete(w.batch_id);
      assert.equal(refused.status, 400);
      assert.match(refused.body.error, new RegExp(w.sku));
      assert.equal(await orderStatus(w.so_id), "OPEN");
      assert.ok(await isRunning(w.batch_id));
      assert.equal((await cancel(w.batch_id)).status, 200);
    });
  });

  describe("ending a walk", () => {
    async function started() {
      const goods = await shelved(20);
      const order = await salesOrder(warehouse_id, [{ item_id: goods.item_id, quantity: 5 }]);
      const { batch_id } = await startWave(order.so_id);
      return { ...goods, ...order, batch_id };
    }

    it("completes only when every task is done, and only once", async () => {
      const w = await started();
      assert.deepEqual((await complete(w.batch_id)).body, { error: "1 pick task(s) are still pending" });
      await pickAll(w.batch_id);
      const answers = await Promise.all([complete(w.batch_id), complete(w.batch_id), complete(w.batch_id)]);
      assert.deepEqual(answers.map((a) => a.status).sort(), [200, 409, 409]);
      await endOf(w.batch_id);
      const again = await complete(w.batch_id);
      assert.deepEqual([again.status, again.body], [409, { error: "batch_not_active", status: "COMPLETED" }]);
      assert.deepEqual((await cancel(w.batch_id)).body, { error: "batch_not_active", status: "COMPLETED" });
      const events = await db.rows(
        "select 1 from integration_events where entity_id = $1 and event_type = 'pick.confirmed'",
        [w.so_id],
      );
      assert.equal(events.length, 1);
    });

    it("cancels: picked units go back to their bins and the order stays open", async () => {
      const w = await started();
      await pickAll(w.batch_id);
      assert.equal((await stockOf(w.inventory_id)).on_hand, 15);
      assert.equal((await cancel(w.batch_id)).status, 200);
      assert.deepEqual(await stockOf(w.inventory_id), {
        on_hand: 20,
        // Its order holds them again.
        allocated: 5,
      });
      assert.equal(await orderStatus(w.so_id), "OPEN");
      assert.equal((await endOf(w.batch_id)).ended, "cancelled");
      assert.deepEqual(await picker.ok("GET", "/api/picking/active-batch"), { active: false });
      const actions = await db.rows<{ action_type: string }>(
        "select action_type from audit_log where entity_type = 'SO' and entity_id = $1 order by log_id",
        [w.so_id],
      );
      assert.deepEqual(pluck(actions, "action_type"), ["PICK", "SO_PICK_RELEASED"]);
    });

    it("answers 400 or 404 for a batch that does not exist", async () => {
      assert.equal((await complete(1_999_999_999)).status, 400);
      assert.equal((await cancel(1_999_999_999)).status, 404);
      assert.equal((await picker.get("/api/picking/batch/1999999999")).status, 404);
      assert.deepEqual((await picker.get("/api/picking/batch/1999999999/next")).body, {
        message: "All tasks complete",
      });
    });

    it("ends a wave whose process the engine has lost, from its rows", async () => {
      const w = await started();
      await temporalClient().workflow.getHandle(`pick-wave-${w.batch_id}`).terminate("lost");
      await pickAll(w.batch_id);
      const done = await complete(w.batch_id);
      assert.equal(done.status, 200, JSON.stringify(done.body));
      assert.equal(await orderStatus(w.so_id), "PICKED");
    });
  });

  describe("a wave left idle", () => {
    const idleHours = (hours: string) =>
      service.admin.ok("PUT", "/api/admin/settings", { settings: { batch_idle_release_hours: hours } });
    afterEach(() => idleHours("12"));

    async function started() {
      const goods = await shelved(20);
      const order = await salesOrder(warehouse_id, [{ item_id: goods.item_id, quantity: 5 }]);
      const { batch_id } = await startWave(order.so_id);
      return { ...goods, batch_id };
    }

    it("is released when its rows show no scan for long enough, unless the setting is 0", async () => {
      const w = await started();
      const look = (n: number) => releaseIfIdle(w.batch_id, `look-${w.batch_id}-${n}`);
      await db.run("update pick_batches set started_at = now() - interval '13 hours' where batch_id = $1", [
        w.batch_id,
      ]);
      await idleHours("0");
      assert.deepEqual(await look(1), { again_ms: null });
      await idleHours("12");
      const { pick_task_id, upc } = await next(w.batch_id);
      await confirm(pick_task_id, upc, 5);
      const { again_ms } = await look(2);
      assert.ok(again_ms && again_ms > 11.9 * 3_600_000);
      await db.run("update pick_tasks set picked_at = now() - interval '12 hours 1 minute' where pick_task_id = $1", [
        pick_task_id,
      ]);
      assert.equal((await look(3)).ended, "idle");
      const release = await db.row<{ user_id: string; reason: string }>(
        `select user_id, details->>'reason' as reason from audit_log
         where entity_type = 'PICK_BATCH' and action_type = 'CANCEL' and entity_id = $1`,
        [w.batch_id],
      );
      assert.deepEqual(release, { user_id: "system", reason: "idle" });
      assert.deepEqual(await stockOf(w.inventory_id), { on_hand: 20, allocated: 5 });
      assert.equal((await look(4)).ended, "cancelled");
    });
  });

  it("scans on while the engine is away, and says so where a step needs it", async () => {
    const goods = await shelved(20);
    const order = await salesOrder(warehouse_id, [{ item_id: goods.item_id, quantity: 5 }]);
    const { batch_id, first_pick } = await startWave(order.so_id);
    await service.withoutTemporal(async () => {
      assert.equal((await confirm(first_pick.pick_task_id, goods.upc as string, 5)).status, 200);
      const answers = await Promise.all([
        complete(batch_id),
        cancel(batch_id),
        picker.post("/api/picking/give-back", { batch_id }),
        wave([order.so_id]),
        picker.post("/api/picking/create-batch", { so_identifiers: [order.so_number], warehouse_id }),
      ]);
      for (const { status, body, headers } of answers) {
        assert.deepEqual([status, body.error, headers.get("retry-after")], [503, "workflow_engine_unavailable", "1"]);
      }
    });
    await until(async () => (await complete(batch_id)).status === 200);
  });
});
