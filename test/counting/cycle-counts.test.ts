import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { temporalClient } from "../../api/http/workflow-updates.js";
import type { CountReviewed } from "../../src/counting/workflow.js";
import type { Actor } from "../../src/platform/actor.js";
import { type Caller, statusAndError } from "../support/caller.js";
import { db } from "../support/db.js";
import { assertEventsMatchSchemas } from "../support/events.js";
import { bin, item, stock, warehouse } from "../support/fixtures.js";
import { assertInvariants } from "../support/invariants.js";
import { pluck, pluckAll } from "../support/pluck.js";
import { auditMark, auditSince } from "../support/records.js";
import { testService } from "../support/service.js";
import { actor } from "../support/walk.js";

describe("cycle counts", () => {
  const service = testService({ worker: true });
  let here: number;
  let elsewhere: number;
  let counter: Caller;
  before(async () => {
    here = await warehouse();
    elsewhere = await warehouse();
    counter = await service.user({ warehouse_ids: [here] });
  });
  afterEach(() => assertInvariants());

  const CREATE = "/api/inventory/cycle-count/create";
  const SUBMIT = "/api/inventory/cycle-count/submit";
  const show = (count_id: number) => counter.ok("GET", `/api/inventory/cycle-count/${count_id}`);
  const create = (...bin_ids: number[]) => counter.ok("POST", CREATE, { warehouse_id: here, bin_ids });
  const handle = (count_id: number) => temporalClient().workflow.getHandle(`cycle-count-${count_id}`);
  const endOf = async (count_id: number) => ((await handle(count_id).result()) as { ended: string }).ended;

  /** A bin with units of some items. */
  async function shelf(...quantities: number[]) {
    const bin_id = await bin(here);
    const goods = [];
    for (const quantity of quantities) {
      const made = await item();
      await stock(here, bin_id, made.item_id, quantity);
      goods.push(made);
    }
    return { bin_id, goods };
  }

  /** A count of a bin with units of some items, and its lines. */
  async function started(...quantities: number[]) {
    const { bin_id, goods } = await shelf(...quantities);
    const { counts } = await create(bin_id);
    const { count_id, bin_code } = counts[0];
    const { lines } = await show(count_id);
    return { bin_id, bin_code, goods, count_id, lines };
  }
  type Started = Awaited<ReturnType<typeof started>>;

  /** The submission that these quantities were found, line by line. */
  const found = ({ count_id, lines }: Started, ...quantities: number[]) => ({
    count_id,
    lines: quantities.map((counted_quantity, i) => ({ count_line_id: lines[i].count_line_id, counted_quantity })),
  });
  const submit = (body: object) => counter.ok("POST", SUBMIT, body);

  /** What an admin decides, as the admin routes will ask for it. */
  async function decide(
    count_id: number,
    decision: "approve" | "reject",
    { by = service.admin, ids }: { by?: Caller; ids?: number[] } = {},
  ): Promise<CountReviewed> {
    const args: [Actor, number[]?] = ids ? [actor(by), ids] : [actor(by)];
    return handle(count_id).executeUpdate<CountReviewed, [Actor, number[]?]>(decision, {
      args,
      updateId: randomUUID(),
    });
  }
  const refusal = (error: Error): string => (error.cause instanceof Error ? refusal(error.cause) : error.message);

  const onHand = (bin_id: number, item_id: number) =>
    db.value<number>(
      "select coalesce(sum(quantity_on_hand), 0) as units from inventory where bin_id = $1 and item_id = $2",
      [bin_id, item_id],
    );
  const adjustmentsOf = (count_id: number) =>
    db.rows<{ item_id: number; quantity_change: number; status: string }>(
      `select item_id, quantity_change, status from inventory_adjustments
       where cycle_count_id = $1 order by adjustment_id`,
      [count_id],
    );
  const setting = (key: string, value: string) =>
    service.admin.ok("PUT", "/api/admin/settings", { settings: { [key]: value } });

  describe("create", () => {
    it("makes a count for each bin with a line for each item in it, whatever its lots", async () => {
      const [a, b, empty] = [await shelf(5, 7), await shelf(2), await shelf()];
      for (const { item_id } of a.goods) await stock(here, a.bin_id, item_id, 4, "LOT-1");
      await stock(here, b.bin_id, (await item()).item_id, 0);
      const mark = await auditMark();
      const { message, counts } = await create(b.bin_id, a.bin_id, empty.bin_id, b.bin_id);
      assert.equal(message, "Created 3 cycle count(s)");
      assert.deepEqual(
        counts.map((c: Record<string, unknown>) => [c.bin_id, c.status, c.lines, c.assigned_to] as const),
        [
          [b.bin_id, "PENDING", 1, counter.username],
          [a.bin_id, "PENDING", 2, counter.username],
          [empty.bin_id, "PENDING", 0, counter.username],
        ],
      );
      const { lines } = await show(counts[1].count_id);
      assert.deepEqual(pluck(lines, "expected_quantity"), [9, 11]);
      assert.deepEqual(
        pluckAll(await auditSince(mark), "action_type", "entity_type", "entity_id", "details"),
        counts.map((c: { count_id: number; bin_id: number; lines: number }) => [
          "CREATE",
          "CYCLE_COUNT",
          c.count_id,
          { bin_id: c.bin_id, lines: c.lines },
        ]),
      );
    });

    it("names the process of the first count", async () => {
      const body = { warehouse_id: here, bin_ids: [(await shelf(5)).bin_id] };
      const { body: answer, headers } = await counter.post(CREATE, body);
      assert.equal(headers.get("x-service-workflow-id"), `cycle-count-${answer.counts[0].count_id}`);
    });

    it("makes none when one bin is not there or is another warehouse's", async () => {
      const { bin_id } = await shelf(5);
      for (const wrong of [1_999_999_999, await bin(elsewhere)]) {
        const { status, body } = await counter.post(CREATE, { warehouse_id: here, bin_ids: [bin_id, wrong] });
        assert.deepEqual([status, body.error], [404, `Bin ${wrong} not found`]);
      }
      assert.deepEqual(await db.rows("select from cycle_counts where bin_id = $1", [bin_id]), []);
    });

    it("asks for a warehouse that is there and that the user may use", async () => {
      const { bin_id } = await shelf(5);
      const unknown = await service.admin.post(CREATE, { warehouse_id: 1_999_999_999, bin_ids: [bin_id] });
      assert.deepEqual([unknown.status, unknown.body.error], [404, "Warehouse not found"]);
      const denied = await counter.post(CREATE, { warehouse_id: elsewhere, bin_ids: [await bin(elsewhere)] });
      assert.equal(denied.status, 403);
    });
  });

  describe("read", () => {
    it("shows the count with its lines", async () => {
      const c = await started(5);
      const goods = c.goods[0] ?? assert.fail();
      const shown = await show(c.count_id);
      assert.deepEqual(shown, {
        cycle_count: {
          count_id: c.count_id,
          external_id: shown.cycle_count.external_id,
          bin_id: c.bin_id,
          bin_code: c.bin_code,
          bin_barcode: c.bin_code,
          warehouse_id: here,
          status: "PENDING",
          assigned_to: counter.username,
          created_at: shown.cycle_count.created_at,
        },
        show_expected: true,
        lines: [
          {
            count_line_id: shown.lines[0].count_line_id,
            item_id: goods.item_id,
            sku: goods.sku,
            item_name: `Item ${goods.sku}`,
            upc: goods.upc,
            expected_quantity: 5,
            expected_at_creation: 5,
            counted_quantity: null,
            variance: null,
            scanned: false,
            unexpected: false,
          },
        ],
      });
    });

    it("lets scanners hide what is expected while counts are blind", async () => {
      const c = await started(5);
      await setting("count_show_expected", "false");
      const blind = await show(c.count_id);
      await setting("count_show_expected", "true");
      assert.deepEqual(
        [blind.show_expected, blind.lines[0].expected_quantity, blind.lines[0].expected_at_creation],
        [false, 5, null],
      );
      assert.equal((await show(c.count_id)).show_expected, true);
    });

    it("lists those of a warehouse that wait to be counted, in the order of a walk", async () => {
      const site = await warehouse();
      const [last, first] = [await bin(site, { pick_sequence: 20 }), await bin(site, { pick_sequence: 10 })];
      await stock(site, last, (await item()).item_id, 5);
      const made = await service.admin.ok("POST", CREATE, { warehouse_id: site, bin_ids: [last, first] });
      const open = async () =>
        (await service.admin.ok("GET", `/api/inventory/cycle-counts/open?warehouse_id=${site}`)).counts;
      assert.deepEqual(pluckAll(await open(), "bin_id", "status", "lines", "assigned_to"), [
        [first, "PENDING", 0, service.admin.username],
        [last, "PENDING", 1, service.admin.username],
      ]);
      await service.admin.ok("POST", SUBMIT, { count_id: made.counts[1].count_id, lines: [] });
      assert.deepEqual(pluck(await open(), "bin_id"), [last]);
      assert.equal((await counter.get(`/api/inventory/cycle-counts/open?warehouse_id=${site}`)).status, 403);
    });

    it("answers 404 for no count", async () => {
      assert.equal((await counter.get("/api/inventory/cycle-count/1999999999")).status, 404);
    });
  });

  describe("submit", () => {
    it("completes a count that found what was expected, and ends its process", async () => {
      const c = await started(5, 7);
      const mark = await auditMark();
      assert.deepEqual(await submit(found(c, 5, 7)), {
        message: "Cycle count submitted",
        count_id: c.count_id,
        bin_code: c.bin_code,
        status: "COMPLETED",
        summary: { total_lines: 2, lines_with_variance: 0, lines_matched: 2, adjustments: [] },
      });
      assert.deepEqual(await auditSince(mark), [
        {
          action_type: "COUNT",
          entity_type: "BIN",
          entity_id: c.bin_id,
          user_id: counter.username,
          warehouse_id: here,
          details: {
            cycle_count_id: c.count_id,
            status: "COMPLETED",
            total_lines: 2,
            lines_with_variance: 0,
            lines_matched: 2,
          },
        },
      ]);
      assert.equal(await endOf(c.count_id), "no variance");
      const { cycle_count, lines } = await show(c.count_id);
      assert.equal(cycle_count.status, "COMPLETED");
      assert.deepEqual(pluckAll(lines, "counted_quantity", "variance", "scanned"), [
        [5, 0, true],
        [7, 0, true],
      ]);
      const counted = await db.rows("select from inventory where bin_id = $1 and last_counted_at is not null", [
        c.bin_id,
      ]);
      assert.equal(counted.length, 2);
    });

    it("leaves stock as it is and asks for approval where it found something else", async () => {
      const c = await started(5, 7);
      const [, second] = c.lines;
      const { status, summary } = await submit(found(c, 5, 4));
      assert.equal(status, "VARIANCE");
      const [adjustment] = summary.adjustments;
      assert.deepEqual(summary, {
        total_lines: 2,
        lines_with_variance: 1,
        lines_matched: 1,
        adjustments: [
          { sku: second.sku, expected: 7, counted: 4, variance: -3, adjustment_id: adjustment.adjustment_id },
        ],
      });
      assert.deepEqual(
        await db.rows(
          `select item_id, bin_id, warehouse_id, quantity_change, reason_code, status, adjusted_by, cycle_count_id
           from inventory_adjustments where adjustment_id = $1`,
          [adjustment.adjustment_id],
        ),
        [
          {
            item_id: second.item_id,
            bin_id: c.bin_id,
            warehouse_id: here,
            quantity_change: -3,
            reason_code: "CYCLE_COUNT",
            status: "PENDING",
            adjusted_by: counter.username,
            cycle_count_id: c.count_id,
          },
        ],
      );
      assert.equal(await onHand(c.bin_id, second.item_id), 7);
    });

    it("takes an unexpected item, and one that is named twice only once", async () => {
      const c = await started(5);
      const stray = await item();
      const [expected] = c.lines;
      const { summary } = await submit({
        count_id: c.count_id,
        lines: [
          { count_line_id: expected.count_line_id, counted_quantity: 4 },
          { item_id: stray.item_id, sku: stray.sku, unexpected: true, counted_quantity: 2 },
          { item_id: stray.item_id, unexpected: true, counted_quantity: 3 },
          { item_id: expected.item_id, unexpected: true, counted_quantity: 6 },
        ],
      });
      const [first, second] = summary.adjustments;
      assert.deepEqual(summary, {
        total_lines: 2,
        lines_with_variance: 2,
        lines_matched: 0,
        adjustments: [
          { sku: expected.sku, expected: 5, counted: 6, variance: 1, adjustment_id: first.adjustment_id },
          {
            sku: stray.sku,
            expected: 0,
            counted: 3,
            variance: 3,
            adjustment_id: second.adjustment_id,
            unexpected: true,
          },
        ],
      });
      assert.deepEqual(pluck(await adjustmentsOf(c.count_id), "quantity_change"), [1, 3]);
      const { lines } = await show(c.count_id);
      assert.deepEqual(pluckAll(lines, "item_id", "unexpected"), [
        [expected.item_id, false],
        [stray.item_id, true],
      ]);
    });

    it("is refused once the count was submitted, and repeats its answer for the same Idempotency-Key", async () => {
      const c = await started(5);
      const keyed = counter.with({ "idempotency-key": randomUUID() });
      const first = await keyed.ok("POST", SUBMIT, found(c, 5));
      assert.equal(await endOf(c.count_id), "no variance");
      assert.deepEqual(await keyed.ok("POST", SUBMIT, found(c, 5)), first);
      assert.deepEqual(statusAndError(await counter.post(SUBMIT, found(c, 5))), [400, "Cycle count is COMPLETED"]);
      const open = await started(5);
      await submit(found(open, 4));
      assert.deepEqual(statusAndError(await counter.post(SUBMIT, found(open, 4))), [400, "Cycle count is VARIANCE"]);
      assert.equal((await adjustmentsOf(open.count_id)).length, 1);
    });

    it("refuses a line of another count, an unknown item and an unknown count, and changes nothing", async () => {
      const [c, other] = [await started(5), await started(6)];
      const wrongLine = await counter.post(SUBMIT, { ...found(other, 6), count_id: c.count_id });
      assert.equal(wrongLine.status, 400);
      assert.match(wrongLine.body.error, /is not on this cycle count/);
      const wrongItem = await counter.post(SUBMIT, {
        count_id: c.count_id,
        lines: [{ unexpected: true, item_id: 1_999_999_999, counted_quantity: 1 }],
      });
      assert.deepEqual([wrongItem.status, wrongItem.body.error], [404, "Item not found"]);
      assert.equal((await counter.post(SUBMIT, { ...found(c, 5), count_id: 1_999_999_999 })).status, 404);
      assert.equal((await show(c.count_id)).cycle_count.status, "PENDING");
    });

    it("refuses what is no count", async () => {
      const c = await started(5);
      const [{ count_line_id, item_id }] = c.lines;
      for (const wrong of [
        [{ counted_quantity: 5 }],
        [{ count_line_id }],
        [{ count_line_id, counted_quantity: -1 }],
        [{ count_line_id, counted_quantity: 1_000_001 }],
        [{ unexpected: true, counted_quantity: 5 }],
        [{ unexpected: true, item_id, counted_quantity: 5, sku: "s".repeat(129) }],
      ]) {
        const { status, body } = await counter.post(SUBMIT, { count_id: c.count_id, lines: wrong });
        assert.deepEqual([status, body.error], [400, "validation_error"], JSON.stringify(wrong));
      }
    });

    it("lets exactly one of 16 win", async () => {
      const c = await started(5);
      const answers = await Promise.all(Array.from({ length: 16 }, () => counter.post(SUBMIT, found(c, 3))));
      assert.deepEqual(
        answers.map(({ status }) => status).toSorted(),
        [200, ...Array(15).fill(400)],
        JSON.stringify(answers.map(({ body }) => body)),
      );
      assert.equal((await adjustmentsOf(c.count_id)).length, 1);
    });

    it("goes on from the rows when the engine has lost the process", async () => {
      const c = await started(5);
      await handle(c.count_id).terminate("lost");
      assert.equal((await submit(found(c, 4))).status, "VARIANCE");
      await handle(c.count_id).terminate("lost again");
      assert.deepEqual(statusAndError(await counter.post(SUBMIT, found(c, 4))), [400, "Cycle count is VARIANCE"]);
      await decide(c.count_id, "approve");
      assert.equal(await endOf(c.count_id), "approved");
    });
  });

  describe("an admin's decision", () => {
    it("to approve makes stock what was counted, with its audit rows and events", async () => {
      const c = await started(5, 7);
      const stray = await item();
      const [first, second] = c.lines;
      const body = found(c, 8, 4);
      const { summary } = await submit({
        ...body,
        lines: [...body.lines, { item_id: stray.item_id, unexpected: true, counted_quantity: 2 }],
      });
      const mark = await auditMark();
      assert.deepEqual(await decide(c.count_id, "approve"), { resolved: 3, pending: 0, approved: 3 });
      assert.equal(await endOf(c.count_id), "approved");
      assert.deepEqual(
        [
          await onHand(c.bin_id, first.item_id),
          await onHand(c.bin_id, second.item_id),
          await onHand(c.bin_id, stray.item_id),
        ],
        [8, 4, 2],
      );
      assert.deepEqual(pluck(await adjustmentsOf(c.count_id), "status"), ["APPROVED", "APPROVED", "APPROVED"]);
      const [audit, ...more] = await auditSince(mark);
      assert.equal(more.length, 2);
      assert.deepEqual(audit, {
        action_type: "ADJUST",
        entity_type: "ITEM",
        entity_id: first.item_id,
        user_id: "admin",
        warehouse_id: here,
        details: {
          adjustment_id: summary.adjustments[0].adjustment_id,
          item_id: first.item_id,
          bin_id: c.bin_id,
          quantity_change: 3,
          reason_code: "CYCLE_COUNT",
          cycle_count_id: c.count_id,
        },
      });
      const events = await db.rows(
        `select event_type, aggregate_type, aggregate_external_id = case when aggregate_type = 'cycle_count'
                  then c.external_id else a.external_id end as owns, event_data(e)->'quantity_delta' as delta,
                event_data(e)->'counted_quantity' as counted, event_data(e)->'system_quantity' as system,
                event_data(e)->>'counted_by_user_external_id' = u.external_id::text as names_counter
         from integration_events e join inventory_adjustments a on a.adjustment_id = e.entity_id
         join cycle_counts c on c.count_id = a.cycle_count_id join users u on u.username = a.adjusted_by
         where count_id = $1 and item_id = $2 order by outbox_id`,
        [c.count_id, second.item_id],
      );
      assert.deepEqual(events, [
        {
          event_type: "cycle_count.adjusted",
          aggregate_type: "cycle_count",
          owns: true,
          delta: -3,
          counted: 4,
          system: 7,
          names_counter: true,
        },
        {
          event_type: "inventoryadjusted.completed",
          aggregate_type: "inventory",
          owns: true,
          delta: -3,
          counted: null,
          system: null,
          names_counter: null,
        },
      ]);
      await assertEventsMatchSchemas();
    });

    it("waits until the count was submitted", async () => {
      const c = await started(5);
      for (const decision of ["approve", "reject"] as const) {
        await assert.rejects(decide(c.count_id, decision), (error: Error) => {
          assert.match(refusal(error), /PENDING: there is nothing to decide/);
          return true;
        });
      }
      assert.equal((await submit(found(c, 5))).status, "COMPLETED");
    });

    for (const [left, change] of [
      [2, -2],
      [0, 0],
    ] as const)
      it(`never takes more than is left, and says how much it took: of ${left} unit(s) left`, async () => {
        const c = await started(5);
        const [{ item_id }] = c.lines;
        await submit(found(c, 1));
        await counter.ok("POST", "/api/transfers/move", {
          ...{ item_id, from_bin_id: c.bin_id, to_bin_id: await bin(here), quantity: 5 - left },
        });
        await decide(c.count_id, "approve");
        assert.equal(await onHand(c.bin_id, item_id), 0);
        assert.deepEqual(await adjustmentsOf(c.count_id), [{ item_id, quantity_change: change, status: "APPROVED" }]);
      });
  });

  it("says so when the engine is away, and half-writes nothing", async () => {
    const c = await started(5);
    const { bin_id } = await shelf(3);
    await service.withoutTemporal(async () => {
      for (const answer of await Promise.all([
        counter.post(CREATE, { warehouse_id: here, bin_ids: [bin_id] }),
        counter.post(SUBMIT, found(c, 4)),
      ])) {
        assert.deepEqual(
          [answer.status, answer.body.error, answer.headers.get("retry-after")],
          [503, "workflow_engine_unavailable", "1"],
        );
      }
      assert.equal((await show(c.count_id)).cycle_count.status, "PENDING");
    });
    assert.deepEqual(await db.rows("select from cycle_counts where bin_id = $1", [bin_id]), []);
    assert.equal((await submit(found(c, 4))).status, "VARIANCE");
  });
});
