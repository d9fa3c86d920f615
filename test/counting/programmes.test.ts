import assert from "node:assert/strict";
import type { Caller } from "../support/caller.js";
import { db } from "../support/db.js";
import { bin, item, salesOrder, stock, warehouse } from "../support/fixtures.js";
import { assertInvariants } from "../support/invariants.js";
import { auditMark, auditSince } from "../support/records.js";
import { testService } from "../support/service.js";
import { unique } from "../support/unique.js";

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
});
