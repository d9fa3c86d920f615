import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import type { Answer, Caller } from "../support/caller.js";
import { db } from "../support/db.js";
import { bin, salesOrder, stock } from "../support/fixtures.js";
import { pickFloor } from "../support/pick-floor.js";
import { transferOrder, twoSites, walk } from "../support/transfers.js";

const statusAndCode = ({ status, code }: Answer) => [status, code];

describe("a wave that a device has", () => {
  const { at, shelved, startWave, confirm, cancel, endOf, next } = pickFloor();

  async function wave(units = 2) {
    const goods = await shelved(10);
    const { so_id } = await salesOrder(at().warehouse_id, [{ item_id: goods.item_id, quantity: units }]);
    const { batch_id, first_pick } = await startWave(so_id);
    return { ...goods, so_id, batch_id: batch_id as number, task: first_pick.pick_task_id as number };
  }
  const lease = (batch_id: number, device = "ONE", by = at().picker, more: object = {}) =>
    by.post(`/api/picking/batch/${batch_id}/lease`, { device, ...more });
  const leased = async (batch_id: number, device = "ONE", by = at().picker, more: object = {}) => {
    const answer = await lease(batch_id, device, by, more);
    assert.equal(answer.status, 200, JSON.stringify(answer));
    return answer.body;
  };
  const scan = (pick_task_id: number, sku: string, lease_id: string, by: Caller = at().picker, more: object = {}) =>
    by.post("/api/picking/confirm", { pick_task_id, scanned_barcode: sku, quantity_picked: 2, lease_id, ...more });
  const shown = async (batch_id: number) =>
    (await at().service.admin.ok("GET", `/api/picking/batch/${batch_id}`)).lease;
  const end = (batch_id: number) => at().service.admin.post(`/api/admin/pick-batches/${batch_id}/end-lease`);
  const colleague = () => at().service.user({ warehouse_ids: [at().warehouse_id] });
  const expire = (batch_id: number) =>
    db.run("update pick_leases set expires_at = now() - interval '1 second' where batch_id = $1", [batch_id]);
  const audits = (batch_id: number) =>
    db.rows<{ user_id: string; details: object }>(
      `select user_id, details from audit_log where entity_type = 'PICK_BATCH' and entity_id = $1
         and details ? 'device' order by log_id`,
      [batch_id],
    );

  it("gets all that its walk needs, with every code of the items", async () => {
    const { batch_id, task, item_id, sku } = await wave();
    await db.run("update items set upc = '4006381333931', barcode_aliases = $2 where item_id = $1", [
      item_id,
      JSON.stringify(["036000291452", "own-code"]),
    ]);
    const { tasks, lease_id, expires_at, heard_at, ...more } = await leased(batch_id);
    const [{ codes, ...first }] = tasks;
    assert.equal(tasks.length, 1);
    assert.deepEqual(first, await next(batch_id));
    assert.equal(first.pick_task_id, task);
    assert.deepEqual(
      codes.toSorted(),
      [
        ...["00036000291452", "0036000291452", "036000291452", "04006381333931", "4006381333931"],
        ...["own-code", sku].toSorted(),
      ].toSorted(),
    );
    assert.equal(more.batch_id, batch_id);
    assert.equal(Date.parse(expires_at) - Date.parse(heard_at), 120 * 60_000);
    assert.ok(lease_id);
    assert.deepEqual(Object.keys(more).sort(), ["batch_id", "batch_number", "device", "taken_at", "username"]);
  });

  it("numbers the tasks that are left as the walk does", async () => {
    const [one, two] = [await shelved(10, 1), await shelved(10, 2)];
    const { so_id } = await salesOrder(at().warehouse_id, [
      { item_id: one.item_id, quantity: 2 },
      { item_id: two.item_id, quantity: 1 },
    ]);
    const { batch_id, first_pick } = await startWave(so_id);
    const numbers = async () =>
      (await leased(batch_id)).tasks.map((task: { pick_number: number; total_picks: number }) => [
        task.pick_number,
        task.total_picks,
      ]);
    assert.deepEqual(await numbers(), [
      [1, 2],
      [2, 2],
    ]);
    await confirm(first_pick.pick_task_id, one.sku, 2);
    assert.deepEqual(await numbers(), [[2, 2]]);
  });

  it("keeps its lease, which goes on when it is heard", async () => {
    await at().service.admin.ok("PUT", "/api/admin/settings", { settings: { pick_lease_minutes: "30" } });
    const { batch_id, task, sku } = await wave();
    const first = await leased(batch_id);
    assert.equal(Date.parse(first.expires_at) - Date.parse(first.heard_at), 30 * 60_000);
    const again = await leased(batch_id);
    assert.equal(again.lease_id, first.lease_id);
    assert.ok(again.expires_at > first.expires_at);
    assert.equal(again.taken_at, first.taken_at);
    const scanned_at = "2026-11-29T10:04:00.000Z";
    const done = await scan(task, sku, first.lease_id, at().picker, { scanned_at });
    assert.equal(done.status, 200, JSON.stringify(done));
    const { device, username, expires_at } = await shown(batch_id);
    assert.deepEqual([device, username], ["ONE", at().picker.username]);
    assert.ok(expires_at > again.expires_at);
    const details = await db.value<{ scanned_at: string }>(
      "select details from audit_log where action_type = 'PICK' and (details->>'pick_task_id')::int = $1",
      [task],
    );
    assert.equal(details?.scanned_at, scanned_at);
    await at().service.admin.ok("PUT", "/api/admin/settings", { settings: { pick_lease_minutes: "120" } });
  });

  it("is known at the desk, and only while it has the wave", async () => {
    const { batch_id } = await wave();
    assert.equal(await shown(batch_id), null);
    await leased(batch_id);
    const { device, username, taken_at, heard_at, expires_at } = await shown(batch_id);
    assert.deepEqual([device, username], ["ONE", at().picker.username]);
    assert.ok(taken_at <= heard_at && heard_at < expires_at);
    await expire(batch_id);
    assert.equal(await shown(batch_id), null);
    await leased(batch_id);
    await cancel(batch_id);
    assert.equal(await shown(batch_id), null);
  });

  it("is left the wave by other devices and people, unless they take it over", async () => {
    const { batch_id, task, sku } = await wave();
    const other = await colleague();
    const { picker } = at();
    assert.deepEqual(statusAndCode(await lease(batch_id, "TWO", other)), [409, "batch_of_another"]);
    const mine = await leased(batch_id);
    for (const by of [picker, other]) {
      const refused = await lease(batch_id, "TWO", by);
      assert.deepEqual(statusAndCode(refused), [409, "batch_leased"]);
      assert.deepEqual([refused.body.device, refused.body.username], ["ONE", picker.username]);
    }
    const theirs = await leased(batch_id, "TWO", other, { take_over: true });
    assert.notEqual(theirs.lease_id, mine.lease_id);
    const lost = await scan(task, sku, mine.lease_id);
    assert.deepEqual(statusAndCode(lost), [409, "lease_lost"]);
    assert.deepEqual([lost.body.by, lost.body.since], [other.username, theirs.taken_at]);
    const short = { pick_task_id: task, quantity_available: 1, lease_id: mine.lease_id };
    assert.deepEqual(statusAndCode(await picker.post("/api/picking/short", short)), [409, "lease_lost"]);
    assert.equal((await scan(task, sku, theirs.lease_id, other)).status, 200);
    assert.equal((await other.ok("GET", "/api/picking/active-batch")).batch_id, batch_id);
    assert.deepEqual(await audits(batch_id), [
      {
        user_id: picker.username,
        details: { batch_number: mine.batch_number, device: { old: null, new: "ONE" } },
      },
      {
        user_id: other.username,
        details: {
          batch_number: mine.batch_number,
          device: { old: "ONE", new: "TWO" },
          assigned_to: { old: picker.username, new: other.username },
        },
      },
    ]);
  });

  it("loses the wave of a transfer order that somebody else takes", async () => {
    const { admin } = at().service;
    const sites = await twoSites();
    const mug = await sites.goods(5);
    const { to_id } = await transferOrder(admin, sites, [{ item_id: mug.item_id, quantity: 2 }]);
    const { batch_id } = await walk(admin, to_id);
    const mine = await leased(batch_id, "ONE", admin);
    const other = await at().service.user({ warehouse_ids: [sites.source] });
    await other.ok("POST", `/api/picking/batch/${batch_id}/take`);
    assert.equal(await shown(batch_id), null);
    const { pick_task_id, sku } = await other.ok("GET", `/api/picking/batch/${batch_id}/next`);
    const lost = await scan(pick_task_id, sku, mine.lease_id, admin);
    assert.deepEqual([...statusAndCode(lost), lost.body.by], [409, "lease_lost", other.username]);
    assert.deepEqual(statusAndCode(await lease(batch_id, "ONE", admin)), [409, "batch_of_another"]);
    await leased(batch_id, "TWO", other);
  });

  it("may be late: an expired lease counts as long as nobody took the wave", async () => {
    const { batch_id, task, sku } = await wave();
    const mine = await leased(batch_id);
    await expire(batch_id);
    assert.equal((await scan(task, sku, mine.lease_id)).status, 200);
    assert.equal((await shown(batch_id)).device, "ONE");
    await expire(batch_id);
    const next = await leased(batch_id, "TWO");
    assert.notEqual(next.lease_id, mine.lease_id);
    assert.deepEqual(statusAndCode(await lease(batch_id)), [409, "batch_leased"]);
  });

  it("loses its lease at the desk, and may take it again", async () => {
    const { batch_id, task, sku } = await wave();
    const mine = await leased(batch_id);
    const ended = await end(batch_id);
    assert.deepEqual(ended.body, { message: "Lease ended", batch_id, batch_number: mine.batch_number });
    assert.equal(await shown(batch_id), null);
    const lost = await scan(task, sku, mine.lease_id);
    assert.deepEqual([...statusAndCode(lost), lost.body.by], [409, "lease_lost", at().service.admin.username]);
    assert.deepEqual(statusAndCode(await end(batch_id)), [409, "no_lease"]);
    const again = await leased(batch_id);
    assert.notEqual(again.lease_id, mine.lease_id);
    assert.deepEqual(statusAndCode(await scan(task, sku, mine.lease_id)), [409, "lease_lost"]);
    assert.equal((await scan(task, sku, again.lease_id)).status, 200);
    assert.deepEqual(
      (await audits(batch_id)).map(({ details }) => (details as { device: object }).device),
      [
        { old: null, new: "ONE" },
        { old: "ONE", new: null },
        { old: null, new: "ONE" },
      ],
    );
  });

  it("gives its lease back, whereupon the next device is not asked", async () => {
    const { batch_id, task, sku } = await wave();
    const mine = await leased(batch_id);
    const back = (lease_id = mine.lease_id, by = at().picker, batch = batch_id) =>
      by.post(`/api/picking/batch/${batch}/give-back-lease`, { lease_id });
    const refused = [await back(randomUUID()), await back(mine.lease_id, await colleague())];
    for (const one of refused) assert.deepEqual(statusAndCode(one), [409, "no_lease"]);
    assert.equal((await shown(batch_id)).device, "ONE");
    assert.deepEqual((await back()).body, { message: "Lease ended", batch_id, batch_number: mine.batch_number });
    assert.equal(await shown(batch_id), null);
    assert.deepEqual(statusAndCode(await back()), [409, "no_lease"]);
    assert.deepEqual(statusAndCode(await scan(task, sku, mine.lease_id)), [409, "lease_lost"]);
    const theirs = await leased(batch_id, "TWO");
    assert.deepEqual(statusAndCode(await back()), [409, "no_lease"]);
    assert.equal((await scan(task, sku, theirs.lease_id)).status, 200);
    assert.deepEqual(
      (await audits(batch_id)).map(({ user_id, details }) => [user_id, (details as { device: object }).device]),
      [
        { old: null, new: "ONE" },
        { old: "ONE", new: null },
        { old: null, new: "TWO" },
      ].map((device) => [at().picker.username, device]),
    );
    assert.deepEqual(statusAndCode(await back(theirs.lease_id, at().picker, 999_999_999)), [404, "batch_not_found"]);
    await cancel(batch_id);
    assert.deepEqual(statusAndCode(await back(theirs.lease_id)), [409, "batch_not_active"]);
  });

  it("is told that its lease is none, where it made it up", async () => {
    const { task, sku } = await wave();
    const lost = await scan(task, sku, randomUUID());
    assert.deepEqual([...statusAndCode(lost), lost.body.since], [409, "lease_lost", null]);
  });

  it("is told what happened to the wave meanwhile", async () => {
    const { batch_id, task, sku } = await wave();
    const { lease_id } = await leased(batch_id);
    assert.equal((await confirm(task, sku, 2)).status, 200);
    const late = await scan(task, sku, lease_id);
    assert.deepEqual([...statusAndCode(late), late.body.status], [400, "task_not_pending", "PICKED"]);
    await cancel(batch_id);
    await endOf(batch_id);
    assert.deepEqual(statusAndCode(await scan(task, sku, lease_id)), [400, "task_not_pending"]);
    for (const refused of [await lease(batch_id), await end(batch_id)])
      assert.deepEqual(statusAndCode(refused), [409, "batch_not_active"]);
  });

  it("is refused a wave that is not there, or nobody's yet", async () => {
    for (const refused of [await lease(999_999_999), await end(999_999_999)])
      assert.deepEqual(statusAndCode(refused), [404, "batch_not_found"]);
    const { batch_id } = await wave();
    await at().picker.ok("POST", "/api/picking/give-back", { batch_id });
    assert.deepEqual(statusAndCode(await lease(batch_id)), [409, "batch_waits"]);
    for (const body of [{}, { device: "" }, { device: "X".repeat(65) }, { device: "ONE", take_over: "yes" }])
      assert.equal((await at().picker.post(`/api/picking/batch/${batch_id}/lease`, body)).status, 400);
  });

  it("sends the label of another lot, which the service reads", async () => {
    const { warehouse_id } = at();
    const goods = await shelved(10);
    const bin_id = await bin(warehouse_id);
    await stock(warehouse_id, bin_id, goods.item_id, 5, "LOT-1");
    await db.run("update items set upc = '4006381333931' where item_id = $1", [goods.item_id]);
    await db.run("update inventory set expiry_date = '2098-01-01' where lot_number = 'LOT-1'");
    const { so_id } = await salesOrder(warehouse_id, [{ item_id: goods.item_id, quantity: 2 }]);
    const { batch_id } = await startWave(so_id);
    const { lease_id, tasks } = await leased(batch_id);
    assert.equal(tasks[0].lot_number, "LOT-1");
    const label = (lot: string) => `]C1010400638133393110${lot}`;
    const wrong = await scan(tasks[0].pick_task_id, label("LOT-2"), lease_id);
    assert.deepEqual(statusAndCode(wrong), [400, "wrong_lot"]);
    assert.equal((await scan(tasks[0].pick_task_id, label("LOT-1"), lease_id)).status, 200);
  });
});
