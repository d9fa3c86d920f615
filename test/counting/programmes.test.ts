import assert from "node:assert/strict";
import { makeDueCounts } from "../../activities/counting/programmes.js";
import { temporalClient } from "../../api/http/workflow-updates.js";
import { ensureRowSchedules } from "../../workers/row-schedules.js";
import type { Caller } from "../support/caller.js";
import { db } from "../support/db.js";
import { bin, item, salesOrder, stock, warehouse } from "../support/fixtures.js";
import { assertInvariants } from "../support/invariants.js";
import { auditMark, auditSince } from "../support/records.js";
import { testService } from "../support/service.js";
import { unique } from "../support/unique.js";
import { runOf } from "../support/wave-runs.js";
import { detailsOf } from "../support/workflow-environment.js";

const PROGRAMMES = "/api/admin/count-programmes";
const COUNT = "/api/inventory/cycle-count";
const EVERY_DAY = [1, 2, 3, 4, 5, 6, 7];
const NOTHING = { doubt: 0, class_a: 0, class_b: 0, class_c: 0, empty: 0 };

describe("a count programme", () => {
  const service = testService({ worker: true });
  let admin: Caller;
  let house: number;
  beforeEach(async () => {
    admin = service.admin;
    house = await warehouse();
  });
  afterEach(() => assertInvariants());

  const create = (fields: object = {}) =>
    admin.ok("POST", PROGRAMMES, { warehouse_id: house, per_day: 10, start_time: "06:00", days: EVERY_DAY, ...fields });
  const read = (programme_id: number) => admin.ok("GET", `${PROGRAMMES}/${programme_id}`);
  const run = (programme_id: number, by = admin) => by.ok("POST", `${PROGRAMMES}/${programme_id}/run`);

  /** A bin with ten units of an item of the class. */
  async function shelf(item_class: "A" | "B" | "C" = "C", pick_sequence = 100) {
    const bin_id = await bin(house, { pick_sequence });
    const { item_id, sku } = await item();
    await stock(house, bin_id, item_id, 10);
    await db.run("insert into item_classes (warehouse_id, item_id, item_class, picks) values ($1, $2, $3, 1)", [
      ...[house, item_id, item_class],
    ]);
    return { bin_id, item_id, sku };
  }
  const empty = () => bin(house);
  /** Counts the bin, and says that it was so many days ago. */
  async function counted(bin_id: number, days: number) {
    const { counts } = await admin.ok("POST", `${COUNT}/create`, { warehouse_id: house, bin_ids: [bin_id] });
    await submit(counts[0].count_id);
    await db.run("update cycle_counts set completed_at = now() - make_interval(days => $2) where count_id = $1", [
      ...[counts[0].count_id, days],
    ]);
  }
  /** Submits what is expected, or so many units less. */
  async function submit(count_id: number, less = 0) {
    const { lines } = await admin.ok("GET", `${COUNT}/${count_id}`);
    return admin.ok("POST", `${COUNT}/submit`, {
      count_id,
      lines: lines.map((line: { count_line_id: number; expected_quantity: number }) => ({
        ...{ count_line_id: line.count_line_id, counted_quantity: line.expected_quantity - less },
      })),
    });
  }
  const binsOf = ({ counts }: { counts: { bin_id: number }[] }) => counts.map(({ bin_id }) => bin_id);

  it("is made, changed and deleted, and audited", async () => {
    const mark = await auditMark();
    const { programme_id, external_id, warehouse_code, next_run_at, updated_at, ...fields } = await create({
      ...{ interval_days_c: null, empty_interval_days: 60 },
    });
    assert.ok(external_id && warehouse_code && updated_at && next_run_at > new Date().toISOString());
    assert.deepEqual(fields, {
      ...{ warehouse_id: house, interval_days_a: 30, interval_days_b: 90, interval_days_c: null },
      ...{ empty_interval_days: 60, per_day: 10, days: EVERY_DAY, start_time: "06:00" },
      ...{ is_active: true, last_run: null },
    });
    const changed = await admin.ok("PUT", `${PROGRAMMES}/${programme_id}`, { is_active: false, per_day: 3 });
    assert.deepEqual([changed.is_active, changed.per_day, changed.next_run_at], [false, 3, null]);
    const { count_programmes } = await admin.ok("GET", `${PROGRAMMES}?warehouse_id=${house}`);
    assert.deepEqual(count_programmes, [changed]);
    await admin.ok("DELETE", `${PROGRAMMES}/${programme_id}`);
    assert.equal((await admin.get(`${PROGRAMMES}/${programme_id}`)).code, "count_programme_not_found");
    const rows = (await auditSince(mark)).filter(({ entity_type }) => entity_type === "COUNT_PROGRAMME");
    assert.deepEqual(
      rows.map(({ action_type, entity_id }) => [action_type, entity_id]),
      ["CREATE", "UPDATE", "DELETE"].map((action) => [action, programme_id]),
    );
  });

  it("is refused where the warehouse has one or is unknown, its time is no time, or it is not there", async () => {
    await create();
    const refusal = async (sending: Promise<{ status: number; code?: string }>) => {
      const { status, code } = await sending;
      return [status, code];
    };
    const body = { warehouse_id: house, per_day: 10, start_time: "06:00" };
    assert.deepEqual(await refusal(admin.post(PROGRAMMES, body)), [409, "count_programme_exists"]);
    const lost = { ...body, warehouse_id: 999_999_999 };
    assert.deepEqual(await refusal(admin.post(PROGRAMMES, lost)), [400, "unknown_warehouse"]);
    for (const wrong of [{ start_time: "24:00" }, { per_day: 0 }, { days: [] }, { interval_days_a: 0 }])
      assert.deepEqual(await refusal(admin.post(PROGRAMMES, { ...body, ...wrong })), [400, "validation_error"]);
    const missing = `${PROGRAMMES}/999999999`;
    for (const sending of [admin.put(missing, { per_day: 1 }), admin.delete(missing), admin.post(`${missing}/run`)])
      assert.deepEqual(await refusal(sending), [404, "count_programme_not_found"]);
  });

  it("counts what is due by its class, the longest overdue first, and what was never counted before", async () => {
    const [fresh, late, later, never] = [await shelf("A"), await shelf("B"), await shelf("A"), await shelf("C")];
    await counted(fresh.bin_id, 29);
    await counted(late.bin_id, 91);
    await counted(later.bin_id, 35);
    const { programme_id } = await create();
    const ran = await run(programme_id);
    assert.deepEqual(binsOf(ran), [never.bin_id, later.bin_id, late.bin_id]);
    assert.deepEqual(ran.made, { ...NOTHING, class_a: 1, class_b: 1, class_c: 1 });
    assert.equal(ran.waiting, 0);
  });

  it("goes by the most picked item in a bin, and never counts a class without interval", async () => {
    const [mixed, slow] = [await shelf("A"), await shelf("C")];
    const { item_id } = await item();
    await stock(house, mixed.bin_id, item_id, 3);
    const { programme_id } = await create({ interval_days_c: null });
    const ran = await run(programme_id);
    assert.deepEqual(binsOf(ran), [mixed.bin_id]);
    assert.ok(!binsOf(ran).includes(slow.bin_id));
    assert.equal(ran.counts[0].lines, 2);
  });

  it("checks empty bins last, and only where it is told how often", async () => {
    const [bare, full] = [await empty(), await shelf("C")];
    const { programme_id } = await create({ per_day: 1 });
    assert.deepEqual(binsOf(await run(programme_id)), [full.bin_id]);
    await admin.ok("PUT", `${PROGRAMMES}/${programme_id}`, { per_day: 5 });
    assert.deepEqual(binsOf(await run(programme_id)), []);
    await admin.ok("PUT", `${PROGRAMMES}/${programme_id}`, { empty_interval_days: 30 });
    const ran = await run(programme_id);
    assert.deepEqual([binsOf(ran), ran.made], [[bare], { ...NOTHING, empty: 1 }]);
    await submit(ran.counts[0].count_id);
    assert.deepEqual(binsOf(await run(programme_id)), []);
  });

  it("leaves out bins that are not in use", async () => {
    const [closed, zoned, open] = [await shelf("A"), await shelf("A"), await shelf("A")];
    await db.run("update bins set is_active = false where bin_id = $1", [closed.bin_id]);
    await db.run("update zones set is_active = false where zone_id = (select zone_id from bins where bin_id = $1)", [
      zoned.bin_id,
    ]);
    const { programme_id } = await create();
    assert.deepEqual(binsOf(await run(programme_id)), [open.bin_id]);
  });

  it("makes so many counts a day and lets the others wait, whatever runs it again", async () => {
    for (let i = 0; i < 4; i++) await shelf("A", i);
    const { programme_id } = await create({ per_day: 3 });
    const first = await run(programme_id);
    assert.deepEqual([first.counts.length, first.waiting], [3, 1]);
    const again = await run(programme_id);
    assert.deepEqual([again.counts, again.waiting], [[], 1]);
    await db.run("update cycle_counts set created_at = created_at - interval '1 day' where warehouse_id = $1", [house]);
    const next = await run(programme_id);
    assert.deepEqual([next.counts.length, next.waiting], [1, 0]);
    const { last_run } = await read(programme_id);
    assert.deepEqual(
      { ...last_run, ran_at: "" },
      { ran_at: "", made: { ...NOTHING, class_a: 1 }, waiting: 0, late_minutes: 0 },
    );
  });

  it("makes each count once for a key", async () => {
    const [one, two] = [await shelf("A", 1), await shelf("A", 2)];
    const { programme_id } = await create();
    const keyed = admin.with({ "idempotency-key": unique() });
    const first = await run(programme_id, keyed);
    assert.deepEqual(binsOf(first), [one.bin_id, two.bin_id]);
    assert.deepEqual(await run(programme_id, keyed), first);
    assert.equal(await db.value("select count(*)::int from cycle_counts where warehouse_id = $1", [house]), 2);
  });

  it("makes no more counts than a day has, and none twice, however many run it at once", async () => {
    for (let i = 0; i < 6; i++) await shelf("A", i);
    const { programme_id } = await create({ per_day: 4 });
    const runs = await Promise.all(Array.from({ length: 5 }, () => run(programme_id)));
    const bins = runs.flatMap(binsOf);
    assert.deepEqual([bins.length, new Set(bins).size], [4, 4]);
  });

  it("leaves out a bin whose count is open, or waits for a decision", async () => {
    const { bin_id } = await shelf("A");
    const { programme_id } = await create();
    const [count] = (await run(programme_id)).counts;
    assert.deepEqual(binsOf(await run(programme_id)), []);
    const { summary } = await submit(count.count_id, 1);
    await db.run("update cycle_counts set completed_at = now() - interval '40 days' where count_id = $1", [
      count.count_id,
    ]);
    assert.deepEqual(binsOf(await run(programme_id)), []);
    const decisions = [{ adjustment_id: summary.adjustments[0].adjustment_id, action: "approve" }];
    await admin.ok("POST", "/api/admin/adjustments/review", { decisions });
    assert.deepEqual(binsOf(await run(programme_id)), [bin_id]);
  });

  it("counts bins first that a picker found short and nobody has counted since", async () => {
    const setting = (value: string) =>
      admin.ok("PUT", "/api/admin/settings", { settings: { short_pick_creates_count: value } });
    const [short, other] = [await shelf("A", 2), await shelf("A", 1)];
    await counted(short.bin_id, 1);
    const { so_id } = await salesOrder(house, [{ item_id: short.item_id, quantity: 5 }]);
    const { first_pick } = await admin.ok("POST", "/api/picking/wave-create", { so_ids: [so_id], warehouse_id: house });
    await setting("false");
    const { pick_task_id } = first_pick;
    await admin
      .ok("POST", "/api/picking/short", { pick_task_id, quantity_available: 2 })
      .finally(() => setting("true"));
    const { programme_id } = await create();
    const ran = await run(programme_id);
    assert.deepEqual(binsOf(ran), [short.bin_id, other.bin_id]);
    assert.deepEqual(ran.made, { ...NOTHING, doubt: 1, class_a: 1 });
    await submit(ran.counts[0].count_id);
    assert.deepEqual(binsOf(await run(programme_id)), []);
  });

  it("counts bins first with units in doubt whose count was cancelled", async () => {
    const [doubted, other] = [await shelf("C", 2), await shelf("A", 1)];
    await counted(doubted.bin_id, 1);
    await db.run("update inventory set quantity_doubted = 4 where bin_id = $1", [doubted.bin_id]);
    const { programme_id } = await create();
    assert.deepEqual(binsOf(await run(programme_id)), [doubted.bin_id, other.bin_id]);
  });

  it("counts bins first out of which more was to be taken than the books have, until they are counted", async () => {
    const [moved, away] = [await shelf("C", 1), await shelf("C", 2)];
    const [taken, sent] = [await shelf("C", 3), await shelf("C", 4)];
    const places = [moved, away, taken, sent];
    const [calm, to_bin_id] = [await shelf("A"), await empty()];
    for (const { bin_id } of places) await counted(bin_id, 1);
    const { programme_id } = await create();
    const short = async (path: string, body: object) => {
      const { status, code } = await admin.post(path, { ...body, quantity: 11 });
      assert.deepEqual([status, code], [400, "insufficient_stock"]);
    };
    const move = ({ item_id, bin_id }: typeof moved) => ({ item_id, from_bin_id: bin_id, to_bin_id });
    await short("/api/transfers/move", move(moved));
    await short("/api/putaway/confirm", move(away));
    await short("/api/admin/adjustments/direct", {
      ...{ item_id: taken.item_id, bin_id: taken.bin_id, warehouse_id: house },
      ...{ adjustment_type: "REMOVE", reason: "broken" },
    });
    const within = { from_warehouse_id: house, to_warehouse_id: house };
    await short("/api/admin/inter-warehouse-transfer", { ...move(sent), ...within });
    const ran = await run(programme_id);
    assert.deepEqual(binsOf(ran), [...places.map(({ bin_id }) => bin_id), calm.bin_id]);
    assert.deepEqual(ran.made, { ...NOTHING, doubt: 4, class_a: 1 });
    for (const { count_id } of ran.counts) await submit(count_id);
    assert.deepEqual(binsOf(await run(programme_id)), []);
  });

  it("hears nothing of what is refused where there is none", async () => {
    const { bin_id, item_id } = await shelf("A");
    const body = { item_id, from_bin_id: bin_id, to_bin_id: await empty(), quantity: 11 };
    assert.equal((await admin.post("/api/transfers/move", body)).code, "insufficient_stock");
    assert.deepEqual(await db.rows("select from bin_shortages where bin_id = $1", [bin_id]), []);
  });

  it("does not take a cancelled count for one that was made", async () => {
    const { bin_id } = await shelf("A");
    const { counts } = await admin.ok("POST", `${COUNT}/create`, { warehouse_id: house, bin_ids: [bin_id] });
    await db.run("update cycle_counts set status = 'COMPLETED', completed_at = now() where count_id = $1", [
      counts[0].count_id,
    ]);
    const { programme_id } = await create();
    assert.deepEqual(binsOf(await run(programme_id)), [bin_id]);
  });

  it("makes counts that are nobody's, blind at the scanner, and say why they were made", async () => {
    const { bin_id } = await shelf("A");
    const counter = await service.user({ warehouse_ids: [house] });
    const { programme_id } = await create();
    const mark = await auditMark();
    const [count] = (await run(programme_id)).counts;
    assert.deepEqual([count.bin_id, count.assigned_to, count.status], [bin_id, null, "PENDING"]);
    const [made] = (await auditSince(mark)).filter(({ entity_type }) => entity_type === "CYCLE_COUNT");
    assert.deepEqual(made?.details, { bin_id, lines: 1, reason: "count programme", due: "class_a", programme_id });
    const shown = await counter.ok("GET", `${COUNT}/${count.count_id}`);
    assert.deepEqual([shown.show_expected, shown.lines[0].expected_at_creation], [false, null]);
    const { counts } = await admin.ok("POST", `${COUNT}/create`, { warehouse_id: house, bin_ids: [bin_id] });
    assert.equal((await counter.ok("GET", `${COUNT}/${counts[0].count_id}`)).show_expected, true);
  });

  it("says when it makes counts next, by the clock of its warehouse", async () => {
    await db.run("update warehouses set timezone = 'Asia/Tokyo' where warehouse_id = $1", [house]);
    const { next_run_at } = await create({ days: [3], start_time: "06:15" });
    const next = new Date(next_run_at);
    const local = new Intl.DateTimeFormat("en-GB", {
      ...{ timeZone: "Asia/Tokyo", weekday: "short", hour: "2-digit", minute: "2-digit" },
    }).format(next);
    assert.match(local, /^Wed,? 06:15$/);
    assert.ok(next.getTime() > Date.now() && next.getTime() < Date.now() + 8 * 86_400_000);
  });

  it("makes nothing twice by the clock, and nothing where it was switched off", async () => {
    await shelf("A");
    const { programme_id } = await create();
    const command = unique();
    const countsOf = async () => {
      const made = await makeDueCounts(programme_id, command, 3);
      return "counts" in made ? made.counts : [];
    };
    const first = await countsOf();
    assert.deepEqual([first.length, await countsOf()], [1, first]);
    assert.equal(await db.value("select count(*)::int from cycle_counts where warehouse_id = $1", [house]), 1);
    assert.equal((await read(programme_id)).last_run.late_minutes, 3);
    await admin.ok("PUT", `${PROGRAMMES}/${programme_id}`, { is_active: false });
    const nothing = async () => {
      const made = await makeDueCounts(programme_id, unique(), 0);
      return "nothing_made" in made && made.nothing_made;
    };
    assert.equal(await nothing(), "paused");
    await admin.ok("PUT", `${PROGRAMMES}/${programme_id}`, { is_active: true });
    await db.run("update warehouses set is_active = false where warehouse_id = $1", [house]);
    assert.equal(await nothing(), "warehouse_inactive");
    await admin.ok("DELETE", `${PROGRAMMES}/${programme_id}`);
    assert.equal(await nothing(), "deleted");
  });

  describe("says how much was seen and how right it was", () => {
    const progress = (programme_id: number) => admin.ok("GET", `${PROGRAMMES}/${programme_id}/progress`);
    const none = { numerator: 0, denominator: 0, percent: null };
    const groupOf = (answer: { groups: { group: string }[] }, group: string) => {
      const { group: _, ...found } = answer.groups.find((one) => one.group === group) as { group: string };
      return found;
    };

    it("by the class of the bins", async () => {
      const [right, wrong, late] = [await shelf("A"), await shelf("A"), await shelf("A")];
      await shelf("C");
      const { item_id } = await item();
      await stock(house, right.bin_id, item_id, 4);
      await counted(right.bin_id, 2);
      const { counts } = await admin.ok("POST", `${COUNT}/create`, { warehouse_id: house, bin_ids: [wrong.bin_id] });
      await submit(counts[0].count_id, 3);
      await counted(late.bin_id, 100);
      const { programme_id } = await create({ interval_days_c: null });
      const shown = await progress(programme_id);
      assert.deepEqual(groupOf(shown, "A"), {
        ...{ interval_days: 30, bins: 3, stock_rows: 4, overdue: 1, counts: 2, units_off: 3 },
        seen: { numerator: 2, denominator: 3, percent: "66.66" },
        right: { numerator: 2, denominator: 3, percent: "66.66" },
      });
      assert.deepEqual(groupOf(shown, "C"), {
        ...{
          interval_days: null,
          bins: 1,
          stock_rows: 1,
          overdue: 0,
          counts: 0,
          units_off: 0,
          seen: none,
          right: none,
        },
      });
      assert.deepEqual(
        [shown.house.bins, shown.house.seen, shown.open_counts, shown.due, shown.in_doubt],
        [4, { numerator: 2, denominator: 3, percent: "66.66" }, 1, 1, 0],
      );
    });

    it("of bins that should be empty, too", async () => {
      const [bare, filled] = [await empty(), await empty()];
      const { item_id } = await item();
      const { counts } = await admin.ok("POST", `${COUNT}/create`, { warehouse_id: house, bin_ids: [bare, filled] });
      await submit(counts[0].count_id);
      const lines = [{ item_id, counted_quantity: 2, unexpected: true }];
      await admin.ok("POST", `${COUNT}/submit`, { count_id: counts[1].count_id, lines });
      const { programme_id } = await create({ empty_interval_days: 60 });
      assert.deepEqual(groupOf(await progress(programme_id), "empty"), {
        ...{ interval_days: 60, bins: 2, stock_rows: 0, overdue: 0, counts: 2, units_off: 2 },
        seen: { numerator: 2, denominator: 2, percent: "100.00" },
        right: { numerator: 1, denominator: 2, percent: "50.00" },
      });
    });

    it("of bins in doubt and of nothing, and only of a programme that is there", async () => {
      const { programme_id } = await create();
      assert.deepEqual((await progress(programme_id)).house, {
        ...{ bins: 0, stock_rows: 0, overdue: 0, counts: 0, units_off: 0, seen: none, right: none },
      });
      const { bin_id } = await shelf("B");
      await db.run("update inventory set quantity_doubted = 4 where bin_id = $1", [bin_id]);
      const { in_doubt, due, open_counts } = await progress(programme_id);
      assert.deepEqual([in_doubt, due, open_counts], [1, 1, 0]);
      const { code } = await admin.get(`${PROGRAMMES}/999999999/progress`);
      assert.equal(code, "count_programme_not_found");
    });
  });

  describe("has a schedule", () => {
    const handleOf = (programme_id: number) => temporalClient().schedule.getHandle(`count-programme-${programme_id}`);

    it("by its time and days, in the time zone of its warehouse, and paused while it is not active", async () => {
      await db.run("update warehouses set timezone = 'America/New_York' where warehouse_id = $1", [house]);
      const { programme_id } = await create({ days: [1, 5], start_time: "06:15" });
      const { spec, state } = await handleOf(programme_id).describe();
      assert.equal(spec.timezone, "America/New_York");
      assert.deepEqual(
        spec.calendars?.map(({ hour, minute, dayOfWeek }) => [hour?.[0]?.start, minute?.[0]?.start, dayOfWeek?.length]),
        [[6, 15, 2]],
      );
      assert.equal(state.paused, false);
      await admin.ok("PUT", `${PROGRAMMES}/${programme_id}`, { is_active: false });
      assert.equal((await handleOf(programme_id).describe()).state.paused, true);
      await admin.ok("DELETE", `${PROGRAMMES}/${programme_id}`);
      await assert.rejects(handleOf(programme_id).describe());
    });

    it("that a worker makes again where it was lost, and removes where the programme is gone", async () => {
      const { config } = service;
      const { programme_id } = await create();
      await ensureRowSchedules(temporalClient(), config);
      await handleOf(programme_id).delete();
      await ensureRowSchedules(temporalClient(), config);
      assert.equal((await handleOf(programme_id).describe()).state.paused, false);
      await db.run("delete from count_programmes where programme_id = $1", [programme_id]);
      await ensureRowSchedules(temporalClient(), config);
      await assert.rejects(handleOf(programme_id).describe());
    });

    it("whose workflow makes the counts, starts theirs, and says so in the Temporal UI", async () => {
      await shelf("A");
      await empty();
      const { programme_id, warehouse_code } = await create({ per_day: 1, empty_interval_days: 30 });
      const ended = temporalClient().workflow.getHandle(await runOf(`count-programme-${programme_id}`));
      assert.deepEqual(await ended.result(), { ended: "completed", counts: 1, waiting: 1 });
      const details = await detailsOf(ended);
      assert.match(details, new RegExp(`Count programme of ${warehouse_code} has ended: completed`));
      assert.match(details, /1 count\(s\) made: 1 of class A; 1 bin\(s\) are due and wait\. /);
      assert.match(details, /Seen within their intervals: 0 of 2 \(0\.00 %\) bin\(s\); right in 90 days: 0 of 0 line/);
      const count_id = await db.value<number>("select count_id from cycle_counts where warehouse_id = $1", [house]);
      const count = temporalClient().workflow.getHandle(`cycle-count-${count_id}`);
      assert.equal((await count.describe()).status.name, "RUNNING");
      await submit(count_id as number);
      assert.deepEqual(await count.result(), { count_id, ended: "no variance" });
    });
  });
});
