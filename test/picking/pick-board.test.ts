import assert from "node:assert/strict";
import { temporalClient } from "../../api/http/workflow-updates.js";
import { waveWorkflowId } from "../../src/picking/wave.js";
import type { Answer, Caller } from "../support/caller.js";
import { db } from "../support/db.js";
import { bin, item, salesOrder, stock, warehouse } from "../support/fixtures.js";
import { pickFloor } from "../support/pick-floor.js";
import { pluck } from "../support/pluck.js";
import { auditMark, auditSince } from "../support/records.js";
import { transferOrder, twoSites, walk } from "../support/transfers.js";
import { until } from "../support/until.js";
import { detailsOf } from "../support/workflow-environment.js";

const statusAndCode = ({ status, code }: Answer) => [status, code];

const waveHandle = (batch_id: number) => temporalClient().workflow.getHandle(waveWorkflowId(batch_id));

describe("the board of pickers", () => {
  const { at, isRunning } = pickFloor();
  let house: number;
  let lead: Caller;
  let ann: Caller;
  beforeEach(async () => {
    house = await warehouse();
    lead = await at().service.user({ warehouse_ids: [house], page_keys: ["picking-batches"] });
    ann = await picker();
  });

  async function picker(functions = ["pick"], warehouse_id = house): Promise<Caller> {
    const user = await at().service.user({ warehouse_ids: [warehouse_id] });
    await db.run("update users set allowed_functions = $2 where user_id = $1", [user.userId, functions]);
    return user;
  }

  /** A wave of an order of so many items, that waits for a picker. */
  async function released(items: number, quantity = 3): Promise<number> {
    const lines = [];
    for (let i = 0; i < items; i++) {
      const { item_id } = await item();
      await stock(house, await bin(house, { pick_sequence: 10 * (i + 1) }), item_id, 9);
      lines.push({ item_id, quantity });
    }
    await salesOrder(house, lines);
    return (await lead.ok("POST", "/api/admin/waves/release", { warehouse_id: house })).batches[0].batch_id;
  }
  const assign = (batch_id: number, to = ann, by = lead) =>
    by.post(`/api/admin/pick-batches/${batch_id}/assign`, { user_id: to.userId });
  const board = async (of = ann) =>
    (await lead.ok("GET", `/api/admin/waves/board?warehouse_id=${house}`)).pickers.find(
      ({ username }: { username: string }) => username === of.username,
    );
  const tasksOf = async (batch_id: number) => (await ann.ok("GET", `/api/picking/batch/${batch_id}`)).tasks;
  async function pick(batch_id: number, many: number) {
    const pending = (await tasksOf(batch_id)).filter(({ status }: { status: string }) => status === "PENDING");
    for (const { pick_task_id, sku, quantity_to_pick: quantity_picked } of pending.slice(0, many))
      await ann.ok("POST", "/api/picking/confirm", { pick_task_id, scanned_barcode: sku, quantity_picked });
  }

  it("has who may pick, with the waves and the pace of each", async () => {
    const idle = await board();
    const nothing = { picks_last_hour: 0, units_last_hour: 0, last_pick_at: null, waves: [] };
    assert.deepEqual(idle, { user_id: ann.userId, username: ann.username, full_name: idle.full_name, ...nothing });
    assert.equal(await board(lead), undefined);
    const batch_id = await released(3);
    assert.equal((await assign(batch_id)).status, 200);
    await pick(batch_id, 1);
    const { waves, last_pick_at, ...pace } = await board();
    const tasks = await tasksOf(batch_id);
    assert.ok(last_pick_at);
    assert.deepEqual([pace.picks_last_hour, pace.units_last_hour, waves.length], [1, 3, 1]);
    const { batch_number, warehouse_code, started_at, ...wave } = waves[0];
    assert.ok(batch_number && warehouse_code && started_at);
    assert.deepEqual(wave, {
      ...{ batch_id, kind: "SO", completed_tasks: 1, total_tasks: 3, short_tasks: 0, warehouse_id: house },
      ...{ next_bin_code: tasks[1].bin_code, quiet_minutes: 0, blockers: [] },
    });
  });

  it("says what stands in the way: nobody scans, something was short, or nobody completes it", async () => {
    const batch_id = await released(2);
    await assign(batch_id);
    const blockers = async () => (await board()).waves[0].blockers;
    await db.run("update pick_batches set started_at = now() - interval '11 minutes' where batch_id = $1", [batch_id]);
    assert.deepEqual(await blockers(), ["idle"]);
    const [{ pick_task_id }] = await tasksOf(batch_id);
    await ann.ok("POST", "/api/picking/short", { pick_task_id, quantity_available: 1 });
    assert.deepEqual(await blockers(), ["short"]);
    await pick(batch_id, 9);
    assert.deepEqual(await blockers(), ["short", "not_completed"]);
    await ann.ok("POST", "/api/picking/complete-batch", { batch_id });
    const after = await board();
    assert.deepEqual([after.waves, after.picks_last_hour], [[], 2]);
    await db.run("update pick_tasks set picked_at = picked_at - interval '61 minutes' where batch_id = $1", [batch_id]);
    assert.equal((await board()).picks_last_hour, 0);
  });

  it("shows a lead the own warehouses alone", async () => {
    const other = await warehouse();
    const stranger = await at().service.user({ warehouse_ids: [other], page_keys: ["picking-batches"] });
    const batch_id = await released(1);
    await assign(batch_id);
    const { pickers } = await stranger.ok("GET", "/api/admin/waves/board");
    assert.ok(!pluck(pickers, "username").includes(ann.username));
    assert.deepEqual((await stranger.ok("GET", "/api/admin/waves")).waves, []);
    assert.deepEqual(statusAndCode(await assign(batch_id, ann, stranger)), [403, "warehouse_denied"]);
  });

  describe("a wave that waits", () => {
    it("is given to a picker, who gets it as the next one; its process begins", async () => {
      await released(1);
      const batch_id = await released(1);
      const mark = await auditMark();
      const { body, headers } = await assign(batch_id);
      const { batch_number } = body;
      assert.deepEqual(body, { batch_id, batch_number, assigned_to: ann.username });
      assert.equal(headers.get("x-service-workflow-id"), `pick-wave-${batch_id}`);
      const [row] = (await auditSince(mark)).filter(({ entity_type }) => entity_type === "PICK_BATCH");
      assert.deepEqual(
        [row?.user_id, row?.details],
        [lead.username, { batch_number, assigned_to: { old: null, new: ann.username } }],
      );
      assert.equal((await ann.ok("POST", "/api/picking/next-batch", { warehouse_id: house })).batch_id, batch_id);
      await until(() => isRunning(batch_id));
    });

    it("is given to nobody who may not pick there, and to one alone", async () => {
      const batch_id = await released(1);
      const elsewhere = await picker(["pick"], await warehouse());
      const packer = await picker(["pack"]);
      for (const one of [elsewhere, packer])
        assert.deepEqual(statusAndCode(await assign(batch_id, one)), [400, "may_not_pick"]);
      const gone = await picker();
      await db.run("update users set is_active = false where user_id = $1", [gone.userId]);
      assert.deepEqual(statusAndCode(await assign(batch_id, gone)), [400, "unknown_picker"]);
      const bob = await picker();
      const both = await Promise.all([assign(batch_id), assign(batch_id, bob)]);
      const statuses = both.map(statusAndCode).sort();
      assert.deepEqual(statuses, [
        [200, undefined],
        [409, "batch_assigned"],
      ]);
      assert.deepEqual(statusAndCode(await assign(2_000_000_000)), [404, "batch_not_found"]);
      await lead.ok("POST", `/api/admin/pick-batches/${batch_id}/delete`, {});
      assert.deepEqual(statusAndCode(await assign(batch_id)), [409, "batch_not_active"]);
    });
  });

  describe("a wave that somebody picks", () => {
    const handOver = (batch_id: number, to: Caller, by = lead) =>
      by.post(`/api/admin/pick-batches/${batch_id}/assign`, { user_id: to.userId, take_over: true });

    it("is handed over to another picker, who goes on where the first one was", async () => {
      const batch_id = await released(3);
      await assign(batch_id);
      await pick(batch_id, 1);
      const bob = await picker();
      assert.deepEqual(statusAndCode(await assign(batch_id, bob)), [409, "batch_assigned"]);
      const packer = await picker(["pack"]);
      assert.deepEqual(statusAndCode(await handOver(batch_id, packer)), [400, "may_not_pick"]);
      const mark = await auditMark();
      const { batch_number, ...taken } = (await handOver(batch_id, bob)).body;
      assert.deepEqual(taken, { batch_id, assigned_to: bob.username });
      const changes = (await auditSince(mark)).map(({ details }) => details);
      assert.deepEqual(changes, [{ batch_number, assigned_to: { old: ann.username, new: bob.username } }]);
      assert.deepEqual([(await board()).waves, (await board(bob)).waves[0].completed_tasks], [[], 1]);
      assert.equal((await bob.ok("POST", "/api/picking/next-batch", { warehouse_id: house })).batch_id, batch_id);
      assert.ok(await isRunning(batch_id));
    });

    it("stays whose it is where the same picker is named, and nothing is written", async () => {
      const batch_id = await released(1);
      await assign(batch_id);
      const mark = await auditMark();
      assert.equal((await handOver(batch_id, ann)).status, 200);
      assert.deepEqual(await auditSince(mark), []);
    });

    it("is taken from the device that has it, also when it comes back to its picker", async () => {
      const batch_id = await released(2);
      await assign(batch_id);
      const lease = `/api/picking/batch/${batch_id}/lease`;
      const { lease_id } = await ann.ok("POST", lease, { device: "K7Q2MX" });
      const bob = await picker();
      for (const one of [bob, ann]) assert.equal((await handOver(batch_id, one)).status, 200);
      const [{ pick_task_id, sku, quantity_to_pick: quantity_picked }] = await tasksOf(batch_id);
      const scan = { pick_task_id, scanned_barcode: sku, quantity_picked, lease_id };
      const { status, code, body } = await ann.post("/api/picking/confirm", scan);
      assert.deepEqual([status, code, body.by], [409, "lease_lost", lead.username]);
      assert.equal((await ann.post(lease, { device: "K7Q2MX" })).status, 200);
    });

    it("tells by its process whose it is", async () => {
      const batch_id = await released(2);
      await assign(batch_id);
      await until(() => isRunning(batch_id).catch(() => false));
      const bob = await picker();
      const { headers } = await handOver(batch_id, bob);
      assert.equal(headers.get("x-service-workflow-id"), `pick-wave-${batch_id}`);
      await until(async () => (await detailsOf(waveHandle(batch_id))).includes(`${bob.username} picks`));
    });

    it("is what nobody had, too; a walk of a transfer order stays with its picker", async () => {
      const batch_id = await released(1);
      assert.equal((await handOver(batch_id, ann)).status, 200);
      const packer = await picker(["pack"]);
      assert.deepEqual(statusAndCode(await handOver(batch_id, packer)), [400, "may_not_pick"]);
      const { admin } = at().service;
      const sites = await twoSites();
      const { item_id } = await sites.goods(3);
      const { to_id } = await transferOrder(admin, sites, [{ item_id, quantity: 1 }]);
      const { batch_id: transfer } = await walk(admin, to_id);
      assert.deepEqual(statusAndCode(await handOver(transfer, ann, admin)), [409, "transfer_batch"]);
    });
  });

  it("has a list of the waves beside it, as they went", async () => {
    const [done, cancelled, waits] = [await released(2), await released(1), await released(1)];
    await assign(done);
    const [{ pick_task_id }] = await tasksOf(done);
    await ann.ok("POST", "/api/picking/short", { pick_task_id, quantity_available: 1 });
    await pick(done, 9);
    await ann.ok("POST", "/api/picking/complete-batch", { batch_id: done });
    await lead.ok("POST", `/api/admin/pick-batches/${cancelled}/delete`, {});
    const list = async (query = "") =>
      (await lead.ok("GET", `/api/admin/waves?warehouse_id=${house}${query}`)).waves as { batch_id: number }[];
    const ids = async (query: string) => pluck(await list(query), "batch_id");
    const all = await list();
    assert.deepEqual(pluck(all, "batch_id"), [waits, cancelled, done]);
    const went = all.at(-1) as Record<string, unknown>;
    for (const field of ["batch_number", "warehouse_code", "created_at", "started_at", "completed_at"])
      assert.ok(went[field], field);
    assert.deepEqual(went, {
      ...went,
      ...{ batch_id: done, kind: "SO", to_number: null, warehouse_id: house, status: "COMPLETED" },
      ...{ assigned_to: ann.username, total_orders: 1, total_tasks: 2, total_units: 6, picked_units: 4 },
      ...{ short_tasks: 1, walk: null },
    });
    assert.deepEqual(await ids("&status=CANCELLED"), [cancelled]);
    assert.deepEqual(await ids(`&assigned_to=${ann.username}`), [done]);
    assert.deepEqual(await ids("&sort=batch_id"), [done, cancelled, waits]);
    await db.run("update pick_batches set completed_at = '2026-03-05T12:00:00Z' where batch_id = $1", [done]);
    assert.deepEqual(await ids("&date_from=2026-03-05&date_to=2026-03-05"), [done]);
    assert.deepEqual(await ids("&date_from=2026-03-06&date_to=2026-03-07"), []);
  });
});
