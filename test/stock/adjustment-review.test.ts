import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { temporalClient } from "../../api/http/workflow-updates.js";
import type { Answer, Caller } from "../support/caller.js";
import { db } from "../support/db.js";
import { assertEventsMatchSchemas } from "../support/events.js";
import * as fixtures from "../support/fixtures.js";
import { assertInvariants } from "../support/invariants.js";
import { pluckAll } from "../support/pluck.js";
import { auditMark, auditSince } from "../support/records.js";
import { testService } from "../support/service.js";
import { startWave } from "../support/walk.js";

const PENDING = "/api/admin/adjustments/pending";
const REVIEW = "/api/admin/adjustments/review";
const COUNTS = "/api/admin/cycle-counts";

type Action = "approve" | "reject";

describe("reviewing adjustments", () => {
  const service = testService({ worker: true });
  let here: number;
  let elsewhere: number;
  let reviewer: Caller;
  let counter: Caller;
  before(async () => {
    [here, elsewhere] = [await fixtures.warehouse(), await fixtures.warehouse()];
    const page_keys = ["count-approvals", "cycle-counts"];
    reviewer = await service.user({ warehouse_ids: [here], page_keys });
    counter = await service.user({ warehouse_ids: [here], page_keys });
  });
  afterEach(() => assertInvariants());

  /** A bin with 10 units of each of some items. */
  async function shelf(items = 1, warehouse_id = here) {
    const bin_id = await fixtures.bin(warehouse_id);
    const goods = [];
    for (let i = 0; i < items; i++) {
      const made = await fixtures.item();
      await fixtures.stock(warehouse_id, bin_id, made.item_id, 10);
      goods.push(made);
    }
    return { bin_id, goods };
  }

  /** A count of a bin that found these quantities of its items, 10 of each being expected. */
  async function counted(...found: number[]) {
    const { bin_id, goods } = await shelf(found.length);
    const path = "/api/inventory/cycle-count";
    const { counts } = await counter.ok("POST", `${path}/create`, { warehouse_id: here, bin_ids: [bin_id] });
    const { count_id, bin_code } = counts[0];
    const { lines } = await counter.ok("GET", `${path}/${count_id}`);
    const { summary } = await counter.ok("POST", `${path}/submit`, {
      count_id,
      lines: found.map((counted_quantity, i) => ({
        count_line_id: lines.find((line: { item_id: number }) => line.item_id === goods[i]?.item_id).count_line_id,
        counted_quantity,
      })),
    });
    const ids: number[] = summary.adjustments.map((a: { adjustment_id: number }) => a.adjustment_id);
    return { bin_id, bin_code, goods, count_id, lines, ids };
  }
  /** An adjustment that no count made, of a bin with 10 units. */
  async function plain(change: number, warehouse_id = here) {
    const { bin_id, goods } = await shelf(1, warehouse_id);
    const { item_id } = goods[0] ?? assert.fail();
    const adjustment_id = await fixtures.pendingAdjustment(...([warehouse_id, bin_id, item_id, change] as const));
    return { adjustment_id, bin_id, item_id };
  }

  const decisions = (action: Action, ...ids: (number | undefined)[]) =>
    ids.map((adjustment_id) => ({ adjustment_id, action }));
  /** How many were decided; the answer also says what each is now. */
  const review = async (by: Caller, ...decided: object[]) => {
    const { decisions: now, ...counts } = await by.ok("POST", REVIEW, { decisions: decided });
    const rows = await db.rows(
      `select adjustment_id, status, quantity_change from inventory_adjustments
       where adjustment_id = any($1) order by 1`,
      [now.map((one: { adjustment_id: number }) => one.adjustment_id)],
    );
    assert.deepEqual(now, rows);
    return counts;
  };
  const ask = (by: Caller, ...decided: object[]) => by.post(REVIEW, { decisions: decided });
  const told = ({ status, body }: Answer) => [status, body.error ?? body];
  const endOf = async (count_id: number) => {
    const process = temporalClient().workflow.getHandle(`cycle-count-${count_id}`);
    return ((await process.result()) as { ended: string }).ended;
  };
  const onHand = (bin_id: number) =>
    db.column<number>("select quantity_on_hand as units from inventory where bin_id = $1 order by item_id", [bin_id]);
  const statusOf = async (...ids: (number | undefined)[]) =>
    await db.column<string>(
      "select status from inventory_adjustments where adjustment_id = any($1) order by adjustment_id",
      [ids],
    );
  const eventsOf = (adjustment_id: number | undefined) =>
    db.column<string>(
      `select event_type from integration_events
         where entity_type = 'inventory_adjustment' and entity_id = $1 order by outbox_id`,
      [adjustment_id],
    );
  const separation = (value: "true" | "false") =>
    service.admin.ok("PUT", "/api/admin/settings", { settings: { require_count_approval_separation: value } });

  describe("what waits", () => {
    it("is shown whole, the oldest first, and what was counted", async () => {
      const count = await counted(8);
      const other = await plain(-3);
      const { adjustments } = await reviewer.ok("GET", PENDING);
      const [first, second] = adjustments.slice(-2);
      const { sku, item_id } = count.goods[0] ?? assert.fail();
      const { external_id, adjusted_at, warehouse_code, ...shown } = first;
      assert.deepEqual(shown, {
        ...{ adjustment_id: count.ids[0], item_id, bin_id: count.bin_id },
        ...{ warehouse_id: here, quantity_change: -2, status: "PENDING" },
        ...{ reason_code: "CYCLE_COUNT", reason_detail: null },
        ...{ adjusted_by: counter.username, cycle_count_id: count.count_id, superseded_by_count_id: null },
        ...{ sku, item_name: `Item ${sku}`, bin_code: count.bin_code },
        ...{ expected_quantity: 10, counted_quantity: 8 },
      });
      assert.deepEqual(
        [
          second.adjustment_id,
          second.reason_detail,
          second.cycle_count_id,
          second.expected_quantity,
          second.counted_quantity,
        ],
        [other.adjustment_id, "not in its place", null, null, null],
      );
    });

    it("is that of the user's warehouses", async () => {
      const { adjustment_id } = await plain(1, elsewhere);
      const seen = async (by: Caller) =>
        (await by.ok("GET", PENDING)).adjustments.some(
          (a: { adjustment_id: number }) => a.adjustment_id === adjustment_id,
        );
      assert.deepEqual([await seen(reviewer), await seen(service.admin)], [false, true]);
    });
  });

  describe("of counts", () => {
    it("approves through the count's process: stock, events, audit", async () => {
      const count = await counted(8, 13);
      const mark = await auditMark();
      const answer = await reviewer.post(REVIEW, { decisions: decisions("approve", ...count.ids) });
      const decided = count.ids.map((adjustment_id, i) => ({
        ...{ adjustment_id, status: "APPROVED", quantity_change: [-2, 3][i] },
      }));
      assert.deepEqual(told(answer), [200, { approved: 2, rejected: 0, decisions: decided }]);
      assert.equal(answer.headers.get("x-service-workflow-id"), `cycle-count-${count.count_id}`);
      assert.deepEqual(await onHand(count.bin_id), [8, 13]);
      assert.equal(await endOf(count.count_id), "approved");
      assert.deepEqual(await eventsOf(count.ids[0]), ["cycle_count.adjusted", "inventoryadjusted.completed"]);
      assert.deepEqual(pluckAll(await auditSince(mark), "action_type", "user_id"), [
        ["ADJUST", reviewer.username],
        ["ADJUST", reviewer.username],
      ]);
    });

    it("approves some and rejects others of one count, and the rest waits", async () => {
      const count = await counted(8, 13, 9);
      const [a, b, c] = count.ids;
      assert.deepEqual(await review(reviewer, ...decisions("approve", a), ...decisions("reject", b)), {
        approved: 1,
        rejected: 1,
      });
      assert.deepEqual(await onHand(count.bin_id), [8, 10, 10]);
      assert.deepEqual(await statusOf(a, b, c), ["APPROVED", "REJECTED", "PENDING"]);
      await review(reviewer, ...decisions("reject", c));
      assert.equal(await endOf(count.count_id), "approved");
    });

    it("ends a count that nobody believes as rejected, without an event", async () => {
      const count = await counted(8);
      await review(reviewer, ...decisions("reject", ...count.ids));
      assert.equal(await endOf(count.count_id), "rejected");
      assert.deepEqual(await onHand(count.bin_id), [10]);
      assert.deepEqual(await eventsOf(count.ids[0]), []);
    });

    it("decides on many counts in one call", async () => {
      const counts = [];
      for (let i = 0; i < 10; i++) counts.push(await counted(9));
      const ids = counts.flatMap((count) => count.ids);
      assert.deepEqual(await review(reviewer, ...decisions("approve", ...ids)), { approved: 10, rejected: 0 });
      for (const { bin_id } of counts) assert.deepEqual(await onHand(bin_id), [9]);
    });

    it("leaves what pick tasks are about to take, and can be asked again", async () => {
      const count = await counted(1);
      const { item_id } = count.goods[0] ?? assert.fail();
      const { so_id } = await fixtures.salesOrder(here, [{ item_id, quantity: 5 }]);
      const { batch_id } = await startWave(service.admin, here, [so_id]);
      const waiting = await plain(1);
      const asked = decisions("approve", ...count.ids, waiting.adjustment_id);
      const refused = await ask(reviewer, ...asked);
      assert.equal(refused.status, 400);
      assert.match(refused.body.error, /are promised to pick tasks/);
      assert.deepEqual(await statusOf(...count.ids, waiting.adjustment_id), ["PENDING", "PENDING"]);
      await service.admin.ok("POST", "/api/picking/cancel-batch", { batch_id });
      assert.deepEqual(await review(reviewer, ...asked), { approved: 2, rejected: 0 });
    });

    it("asks for the process of a count that lost it", async () => {
      const count = await counted(8);
      const process = temporalClient().workflow.getHandle(`cycle-count-${count.count_id}`);
      await process.terminate("lost");
      await review(reviewer, ...decisions("approve", ...count.ids));
      assert.deepEqual(await onHand(count.bin_id), [8]);
      assert.equal(await endOf(count.count_id), "approved");
    });

    it("decides nothing while the engine is out of reach", async () => {
      const count = await counted(8);
      const other = await plain(-3);
      const asked = decisions("approve", other.adjustment_id, ...count.ids);
      await service.withoutTemporal(async () => {
        const answer = await ask(reviewer, ...asked);
        assert.deepEqual(told(answer), [503, "workflow_engine_unavailable"]);
        const left = answer.body.decisions.map(({ status }: { status: string }) => status);
        assert.deepEqual(left, ["PENDING", "PENDING"]);
        assert.equal(answer.headers.get("retry-after"), "1");
      });
      assert.deepEqual(await statusOf(...count.ids, other.adjustment_id), ["PENDING", "PENDING"]);
      assert.equal((await review(reviewer, ...asked)).approved, 2);
    });

    it("lets nobody approve an own count where the service asks for two", async () => {
      const own = await counted(8);
      const other = await plain(-3);
      const ids = [...own.ids, other.adjustment_id];
      await separation("true");
      const answer = await ask(counter, ...decisions("approve", ...ids));
      assert.deepEqual(told(answer), [403, "A cycle count is approved by somebody other than its counter"]);
      assert.deepEqual(await statusOf(...ids), ["PENDING", "PENDING"]);
      assert.deepEqual(await review(counter, ...decisions("reject", own.ids[0])), { approved: 0, rejected: 1 });
      await separation("false");
      const free = await counted(8);
      await review(counter, ...decisions("approve", ...free.ids));
      assert.deepEqual(await statusOf(...free.ids), ["APPROVED"]);
    });
  });

  describe("that no count made", () => {
    it("approves with stock, an event and an audit row", async () => {
      const { adjustment_id, bin_id, item_id } = await plain(-3);
      const mark = await auditMark();
      assert.deepEqual(await review(reviewer, ...decisions("approve", adjustment_id)), { approved: 1, rejected: 0 });
      assert.deepEqual(await onHand(bin_id), [7]);
      assert.deepEqual(await eventsOf(adjustment_id), ["inventoryadjusted.completed"]);
      assert.deepEqual(pluckAll(await auditSince(mark), "action_type", "details"), [
        [
          "ADJUST",
          { adjustment_id, item_id, bin_id, quantity_change: -3, reason_code: "SHORT", reason: "not in its place" },
        ],
      ]);
    });

    it("rejects with an audit row and nothing else", async () => {
      const { adjustment_id, bin_id, item_id } = await plain(-3);
      const mark = await auditMark();
      await review(reviewer, ...decisions("reject", adjustment_id));
      assert.deepEqual(await onHand(bin_id), [10]);
      assert.deepEqual(await auditSince(mark), [
        {
          ...{ action_type: "UPDATE", entity_type: "INVENTORY_ADJUSTMENT" },
          ...{ entity_id: adjustment_id, user_id: reviewer.username },
          warehouse_id: here,
          details: { status: "REJECTED", item_id, bin_id, quantity_change: -3 },
        },
      ]);
    });

    it("takes no more than there is, and says how much it took", async () => {
      const { adjustment_id, bin_id, item_id } = await plain(-8);
      const second = await fixtures.pendingAdjustment(...([here, bin_id, item_id, -8] as const));
      await review(reviewer, ...decisions("approve", adjustment_id, second));
      assert.deepEqual(await onHand(bin_id), [0]);
      const rows = await db.rows(
        "select quantity_change from inventory_adjustments where bin_id = $1 order by adjustment_id",
        [bin_id],
      );
      assert.deepEqual(rows, [{ quantity_change: -8 }, { quantity_change: -2 }]);
    });
  });

  it("passes over what is decided, unknown or another warehouse's", async () => {
    const [done, far] = [await plain(1), await plain(1, elsewhere)];
    const count = await counted(8);
    const ids = [done.adjustment_id, ...count.ids];
    await review(reviewer, ...decisions("approve", ...ids));
    const again = [...ids, far.adjustment_id, 1_999_999_999];
    assert.deepEqual(await review(reviewer, ...decisions("reject", ...again)), { approved: 0, rejected: 0 });
    assert.deepEqual(await statusOf(...ids, far.adjustment_id), ["APPROVED", "PENDING", "APPROVED"]);
  });

  it("takes the first decision on an adjustment that is named twice", async () => {
    const { adjustment_id } = await plain(1);
    const both = [...decisions("reject", adjustment_id), ...decisions("approve", adjustment_id)];
    assert.deepEqual(await review(reviewer, ...both), { approved: 0, rejected: 1 });
  });

  it("needs decisions that it knows", async () => {
    for (const wrong of [[], decisions("approve", 0), [{ adjustment_id: 1, action: "shrug" }], [{ adjustment_id: 1 }]])
      assert.deepEqual(told(await ask(reviewer, ...wrong)), [400, "validation_error"]);
  });

  describe("by several at once", () => {
    it("applies each adjustment once, whoever made it", async () => {
      const count = await counted(8, 13);
      const other = await plain(-3);
      const ids = [...count.ids, other.adjustment_id];
      const answers = await Promise.all(
        Array.from({ length: 8 }, (_, i) => review(i % 2 ? reviewer : service.admin, ...decisions("approve", ...ids))),
      );
      const approved = answers.reduce((sum, answer) => sum + answer.approved, 0);
      assert.equal(approved, 3);
      assert.deepEqual(await onHand(count.bin_id), [8, 13]);
      assert.deepEqual(await onHand(other.bin_id), [7]);
    });

    it("approves or rejects, not both", async () => {
      const count = await counted(8);
      const other = await plain(-3);
      const ids = [...count.ids, other.adjustment_id];
      const answers = await Promise.all([
        review(reviewer, ...decisions("approve", ...ids)),
        review(service.admin, ...decisions("reject", ...ids)),
      ]);
      const sum = (action: "approved" | "rejected") => answers.reduce((all, answer) => all + answer[action], 0);
      assert.equal(sum("approved") + sum("rejected"), 2);
      const statuses = await statusOf(...ids);
      assert.deepEqual(
        [await onHand(count.bin_id), await onHand(other.bin_id)],
        [[statuses[0] === "APPROVED" ? 8 : 10], [statuses[1] === "APPROVED" ? 7 : 10]],
      );
    });
  });

  it("that was cut off goes on under its key, and answers for all of it", async () => {
    const count = await counted(1);
    const promised = await counted(1);
    const { item_id } = promised.goods[0] ?? assert.fail();
    const { so_id } = await fixtures.salesOrder(here, [{ item_id, quantity: 5 }]);
    const { batch_id } = await startWave(service.admin, here, [so_id]);
    const keyed = reviewer.with({ "idempotency-key": randomUUID() });
    const asked = decisions("approve", ...count.ids, ...promised.ids);
    const cut = await ask(keyed, ...asked);
    assert.equal(cut.status, 400);
    assert.deepEqual(cut.body.decisions, [
      ...count.ids.map((adjustment_id) => ({ adjustment_id, status: "APPROVED", quantity_change: -9 })),
      ...promised.ids.map((adjustment_id) => ({ adjustment_id, status: "PENDING", quantity_change: -9 })),
    ]);
    assert.deepEqual(await onHand(count.bin_id), [1]);
    await service.admin.ok("POST", "/api/picking/cancel-batch", { batch_id });
    assert.deepEqual(await review(keyed, ...asked), { approved: 2, rejected: 0 });
  });

  describe("counts", () => {
    it("are shown with their lines, newest first", async () => {
      const older = await counted(10);
      const count = await counted(8, 10);
      const { cycle_counts } = await reviewer.ok("GET", COUNTS);
      const [first, second] = cycle_counts;
      assert.deepEqual([second.count_id, second.status], [older.count_id, "COMPLETED"]);
      const { external_id, created_at, completed_at, lines, warehouse_code, ...rest } = first;
      assert.deepEqual(rest, {
        ...{ warehouse_id: here, count_id: count.count_id, bin_id: count.bin_id, bin_code: count.bin_code },
        ...{ status: "VARIANCE", assigned_to: counter.username },
      });
      assert.ok(completed_at >= created_at);
      assert.deepEqual(
        lines,
        [8, 10].map((counted_quantity, i) => ({
          count_line_id: count.lines[i].count_line_id,
          ...{ sku: count.lines[i].sku, item_name: count.lines[i].item_name },
          ...{ expected_quantity: 10, counted_quantity, unexpected: false },
          variance: counted_quantity - 10,
        })),
      );
    });

    it("are shown one by one with their adjustments, in the user's warehouses", async () => {
      const count = await counted(8, 10);
      const path = `${COUNTS}/${count.count_id}`;
      const before = await reviewer.ok("GET", path);
      const listed = await reviewer.ok("GET", `${COUNTS}?page=1`);
      const { adjustments, ...rest } = before;
      assert.deepEqual(rest, listed.cycle_counts[0]);
      assert.deepEqual(pluckAll(adjustments, "adjustment_id", "quantity_change"), [[count.ids[0], -2]]);
      await review(reviewer, ...decisions("reject", count.ids[0]));
      assert.equal((await reviewer.ok("GET", path)).adjustments[0].status, "REJECTED");
      assert.deepEqual(told(await reviewer.get(`${COUNTS}/999999`)), [404, "Cycle count not found"]);
      const stranger = await service.user({ warehouse_ids: [elsewhere], page_keys: ["cycle-counts"] });
      assert.deepEqual(told(await stranger.get(path)), [403, "Access denied for this warehouse"]);
    });

    it("are those of the user's warehouses, page by page", async () => {
      const stranger = await service.user({ warehouse_ids: [elsewhere], page_keys: ["cycle-counts"] });
      assert.equal((await stranger.ok("GET", COUNTS)).total, 0);
      const page = (n: number) => service.admin.ok("GET", `${COUNTS}?per_page=1&page=${n}&warehouse_id=${here}`);
      const [one, two] = [await page(1), await page(2)];
      assert.ok(one.cycle_counts[0].count_id > two.cycle_counts[0].count_id);
      assert.equal(one.pages, one.total);
      const second = await service.admin.ok("GET", `${COUNTS}?page=2`);
      assert.deepEqual([second.page, second.per_page], [2, 50]);
    });

    it("are all shown to whoever asks for no page, however many", async () => {
      const many = await fixtures.warehouse();
      const bin_id = await fixtures.bin(many);
      await db.run(
        `insert into cycle_counts (warehouse_id, bin_id, status, assigned_to, created_at, completed_at)
         select $1, $2, 'COMPLETED', 'ann', now() - make_interval(mins => n), now() from generate_series(1, 1100) n`,
        [many, bin_id],
      );
      const ann = await service.user({ warehouse_ids: [many], page_keys: ["cycle-counts"] });
      for (const [by, query] of [
        [ann, ""],
        [service.admin, `?warehouse_id=${many}`],
      ] as const) {
        const { cycle_counts, ...paging } = await by.ok("GET", COUNTS + query);
        assert.deepEqual([cycle_counts.length, paging], [1100, { total: 1100, page: 1, per_page: 1100, pages: 1 }]);
        const times = cycle_counts.map(({ created_at }: { created_at: string }) => created_at);
        assert.deepEqual(times, times.toSorted().reverse());
      }
      const { cycle_counts } = await ann.ok("GET", `${COUNTS}?per_page=2`);
      assert.deepEqual(cycle_counts, (await ann.ok("GET", COUNTS)).cycle_counts.slice(0, 2));
      const nobody = await service.user({ page_keys: ["cycle-counts"] });
      const none = { cycle_counts: [], total: 0, page: 1, per_page: 1, pages: 1 };
      assert.deepEqual(await nobody.ok("GET", COUNTS), none);
    });

    it("make events that fit their schema", assertEventsMatchSchemas);
  });
});
