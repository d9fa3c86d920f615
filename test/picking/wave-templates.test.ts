import assert from "node:assert/strict";
import { releaseTemplate } from "../../activities/picking/wave-templates.js";
import { temporalClient } from "../../api/http/workflow-updates.js";
import { ensureRowSchedules } from "../../workers/row-schedules.js";
import type { Caller } from "../support/caller.js";
import { db } from "../support/db.js";
import { bin, item, salesOrder, stock, warehouse } from "../support/fixtures.js";
import { pickFloor } from "../support/pick-floor.js";
import { auditMark, auditSince } from "../support/records.js";
import { unique } from "../support/unique.js";
import { runBySchedule } from "../support/wave-runs.js";
import { detailsOf } from "../support/workflow-environment.js";

const TEMPLATES = "/api/admin/wave-templates";

describe("a wave template", () => {
  const { at } = pickFloor();
  let admin: Caller;
  let house: number;
  beforeEach(async () => {
    admin = at().service.admin;
    house = await warehouse();
  });

  const create = (fields: object = {}) =>
    admin.ok("POST", TEMPLATES, {
      ...{ warehouse_id: house, template_name: unique(), days: [1, 2, 3, 4, 5, 6, 7], times: ["14:00"] },
      ...fields,
    });
  const read = (template_id: number) => admin.ok("GET", `${TEMPLATES}/${template_id}`);
  async function ordered(onHand: number, quantity: number) {
    const { item_id } = await item();
    await stock(house, await bin(house), item_id, onHand);
    return salesOrder(house, [{ item_id, quantity }]);
  }
  const handleOf = (template_id: number) => temporalClient().schedule.getHandle(`wave-release-${template_id}`);
  const batchesHere = () => db.value<number>("select count(*)::int from pick_batches where warehouse_id = $1", [house]);

  it("is made, changed and deleted, and audited", async () => {
    const mark = await auditMark();
    const { template_id, external_id, warehouse_code, next_run_at, updated_at, ...fields } = await create({
      ...{ template_name: "Parcels", plan: { group: { by: "ship_method", max_orders: 5 } }, cut_off_minutes: 30 },
    });
    assert.ok(external_id && warehouse_code && updated_at && next_run_at > new Date().toISOString());
    assert.deepEqual(fields, {
      ...{ warehouse_id: house, template_name: "Parcels", days: [1, 2, 3, 4, 5, 6, 7], times: ["14:00"] },
      plan: { combine: true, filter: {}, group: { by: "ship_method", max_orders: 5 } },
      ...{ ship_within_days: null, cut_off_minutes: 30, is_active: true, last_run: null },
    });
    const changed = await admin.ok("PUT", `${TEMPLATES}/${template_id}`, { is_active: false, times: ["09:30"] });
    assert.deepEqual([changed.is_active, changed.times, changed.next_run_at], [false, ["09:30"], null]);
    const { wave_templates } = await admin.ok("GET", `${TEMPLATES}?warehouse_id=${house}`);
    assert.deepEqual(wave_templates, [changed]);
    await admin.ok("DELETE", `${TEMPLATES}/${template_id}`);
    assert.equal((await admin.get(`${TEMPLATES}/${template_id}`)).code, "template_not_found");
    const rows = (await auditSince(mark)).filter(({ entity_type }) => entity_type === "WAVE_TEMPLATE");
    assert.deepEqual(
      rows.map(({ action_type, entity_id }) => [action_type, entity_id]),
      ["CREATE", "UPDATE", "DELETE"].map((action) => [action, template_id]),
    );
  });

  it("is refused where its name is taken, its warehouse or its zone unknown, or its time no time", async () => {
    const { template_id } = await create({ template_name: "Parcels" });
    const other = await create();
    const refusal = async (sending: Promise<{ status: number; code?: string }>) => {
      const { status, code } = await sending;
      return [status, code];
    };
    const body = { warehouse_id: house, template_name: "Parcels", times: ["14:00"] };
    assert.deepEqual(await refusal(admin.post(TEMPLATES, body)), [409, "template_name_taken"]);
    const renamed = admin.put(`${TEMPLATES}/${other.template_id}`, { template_name: "Parcels" });
    assert.deepEqual(await refusal(renamed), [409, "template_name_taken"]);
    const lost = { ...body, warehouse_id: 999_999_999 };
    assert.deepEqual(await refusal(admin.post(TEMPLATES, lost)), [400, "unknown_warehouse"]);
    const plan = { filter: { zone_id: 999_999_999 } };
    const away = { ...body, template_name: "Zone", plan };
    assert.deepEqual(await refusal(admin.post(TEMPLATES, away)), [400, "unknown_zone"]);
    assert.deepEqual(await refusal(admin.put(`${TEMPLATES}/${template_id}`, { plan })), [400, "unknown_zone"]);
    for (const times of [["24:00"], ["9:00"], []])
      assert.deepEqual(await refusal(admin.post(TEMPLATES, { ...body, times })), [400, "validation_error"]);
    const missing = `${TEMPLATES}/999999999`;
    for (const sending of [admin.put(missing, { days: [1] }), admin.delete(missing), admin.post(`${missing}/run`)])
      assert.deepEqual(await refusal(sending), [404, "template_not_found"]);
  });

  it("says when it is released next, by the clock of its warehouse", async () => {
    await db.run("update warehouses set timezone = 'Asia/Tokyo' where warehouse_id = $1", [house]);
    const { next_run_at } = await create({ days: [3], times: ["06:15", "23:45"] });
    const next = new Date(next_run_at);
    const local = new Intl.DateTimeFormat("en-GB", {
      ...{ timeZone: "Asia/Tokyo", weekday: "short", hour: "2-digit", minute: "2-digit" },
    }).format(next);
    assert.match(local, /^Wed,? (06:15|23:45)$/);
    assert.ok(next.getTime() > Date.now() && next.getTime() < Date.now() + 8 * 86_400_000);
  });

  it("releases now what it plans, once for a key, and notes what came of it", async () => {
    const [fits, lacks] = [await ordered(5, 2), await ordered(1, 3)];
    const { template_id } = await create();
    const path = `${TEMPLATES}/${template_id}/run`;
    const keyed = admin.with({ "idempotency-key": unique() });
    const first = await keyed.post(path);
    assert.deepEqual(
      [first.status, first.body.batches.length, first.body.batches[0].so_ids, first.body.uncovered[0].so_id],
      [200, 1, [fits.so_id], lacks.so_id],
    );
    assert.deepEqual((await keyed.post(path)).body, first.body);
    assert.equal(await batchesHere(), 1);
    const { last_run } = await read(template_id);
    assert.deepEqual(
      { ...last_run, released_at: "" },
      {
        ...{ released_at: "", batches: 1, orders: 1, short: 1, late_minutes: 0 },
      },
    );
    const none = await admin.ok("POST", path);
    assert.deepEqual(none.batches, []);
  });

  it("releases nothing for anybody while its warehouse is not active", async () => {
    const { so_id } = await ordered(5, 1);
    const { template_id } = await create();
    const active = (is_active: boolean) =>
      db.run("update warehouses set is_active = $2 where warehouse_id = $1", [house, is_active]);
    await active(false);
    for (const sending of [
      admin.post(`${TEMPLATES}/${template_id}/run`),
      admin.post("/api/admin/waves/release", { warehouse_id: house }),
    ]) {
      const { status, code } = await sending;
      assert.deepEqual([status, code], [400, "release_warehouse_inactive"]);
    }
    assert.equal(await batchesHere(), 0);
    assert.equal((await read(template_id)).last_run, null);
    await active(true);
    const { batches } = await admin.ok("POST", `${TEMPLATES}/${template_id}/run`);
    assert.deepEqual(batches[0].so_ids, [so_id]);
  });

  it("releases orders that must leave within its days, by the day of the run", async () => {
    const [today, later, any] = [await ordered(5, 1), await ordered(5, 1), await ordered(5, 1)];
    await db.run("update sales_orders set ship_by_date = current_date where so_id = $1", [today.so_id]);
    await db.run("update sales_orders set ship_by_date = current_date + 5 where so_id = $1", [later.so_id]);
    const { template_id } = await create({ ship_within_days: 1 });
    const { batches } = await admin.ok("POST", `${TEMPLATES}/${template_id}/run`);
    assert.deepEqual(batches[0].so_ids, [today.so_id]);
    await admin.ok("PUT", `${TEMPLATES}/${template_id}`, { ship_within_days: null });
    const all = await admin.ok("POST", `${TEMPLATES}/${template_id}/run`);
    assert.deepEqual(all.batches[0].so_ids.toSorted(), [later.so_id, any.so_id].toSorted());
  });

  it("is released twice by nobody: a repeated run of the clock finds its batches", async () => {
    await ordered(5, 2);
    const { template_id } = await create({ cut_off_minutes: 5 });
    const command = unique();
    const runs = [await releaseTemplate(template_id, command, 3), await releaseTemplate(template_id, command, 3)];
    for (const run of runs)
      assert.deepEqual(run, { warehouse_id: house, cut_off_minutes: 5, batches: 1, orders: 1, short: 0 });
    assert.equal(await batchesHere(), 1);
    assert.equal((await read(template_id)).last_run.late_minutes, 3);
    await ordered(5, 2);
    const atCutOff = await releaseTemplate(template_id, unique(), 3, { batches: 1, orders: 1 });
    assert.deepEqual(atCutOff, { warehouse_id: house, cut_off_minutes: 5, batches: 1, orders: 1, short: 0 });
    const { batches, orders } = (await read(template_id)).last_run;
    assert.deepEqual([batches, orders], [2, 2]);
  });

  it("releases nothing by the clock while it or its warehouse is not active, and says which", async () => {
    await ordered(5, 2);
    const { template_id } = await create();
    const run = () => releaseTemplate(template_id, unique(), 0);
    await db.run("update warehouses set is_active = false where warehouse_id = $1", [house]);
    assert.deepEqual(await run(), { not_released: "warehouse_inactive" });
    assert.equal((await read(template_id)).next_run_at, null);
    await db.run("update warehouses set is_active = true where warehouse_id = $1", [house]);
    await admin.ok("PUT", `${TEMPLATES}/${template_id}`, { is_active: false });
    assert.deepEqual(await run(), { not_released: "paused" });
    await admin.ok("DELETE", `${TEMPLATES}/${template_id}`);
    assert.deepEqual(await run(), { not_released: "deleted" });
    assert.equal(await batchesHere(), 0);
  });

  describe("has a schedule", () => {
    it("by its times and days, in the time zone of its warehouse, and paused while it is not active", async () => {
      await db.run("update warehouses set timezone = 'America/New_York' where warehouse_id = $1", [house]);
      const { template_id } = await create({ days: [1, 5], times: ["06:15", "14:00"] });
      const described = await handleOf(template_id).describe();
      assert.equal(described.spec.timezone, "America/New_York");
      assert.deepEqual(
        described.spec.calendars?.map(({ hour, minute }) => [hour?.[0]?.start, minute?.[0]?.start]),
        [
          [6, 15],
          [14, 0],
        ],
      );
      assert.equal(described.state.paused, false);
      await admin.ok("PUT", `${TEMPLATES}/${template_id}`, { is_active: false });
      assert.equal((await handleOf(template_id).describe()).state.paused, true);
      await admin.ok("DELETE", `${TEMPLATES}/${template_id}`);
      await assert.rejects(handleOf(template_id).describe());
    });

    it("that a worker makes again where it was lost, and removes where the template is gone", async () => {
      const { config } = at().service;
      const { template_id } = await create();
      await ensureRowSchedules(temporalClient(), config);
      await handleOf(template_id).delete();
      await ensureRowSchedules(temporalClient(), config);
      assert.equal((await handleOf(template_id).describe()).state.paused, false);
      await db.run("delete from wave_templates where template_id = $1", [template_id]);
      await ensureRowSchedules(temporalClient(), config);
      await assert.rejects(handleOf(template_id).describe());
    });

    it("whose workflow releases, and says so in the Temporal UI", async () => {
      const { so_id } = await ordered(5, 2);
      const { template_id, template_name } = await create();
      const run = temporalClient().workflow.getHandle(await runBySchedule(template_id));
      assert.deepEqual(await run.result(), { ended: "completed", batches: 1, orders: 1, short: 0 });
      const details = await detailsOf(run);
      assert.match(details, new RegExp(`${template_name} in .* has ended: completed`));
      assert.match(details, /released at [\d: -]+ UTC: 1 order\(s\) in 1 batch\(es\), 0 short of stock/);
      const { batch_id } = await admin.ok("POST", "/api/picking/next-batch", { warehouse_id: house });
      const picked = "select so_id from pick_batch_orders where batch_id = $1";
      assert.equal(await db.value(picked, [batch_id]), so_id);
    });
  });
});
