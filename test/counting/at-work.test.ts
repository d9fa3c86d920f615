import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import fc from "fast-check";
import { approveCount, createCounts, submitCount } from "../../activities/counting/index.js";
import { adjustDirectly } from "../../activities/stock/adjustments.js";
import { moveBetweenBins } from "../../activities/stock/transfers.js";
import { takeCountIds } from "../../src/counting/queries.js";
import { transaction } from "../../src/platform/db/db.js";
import { DomainError } from "../../src/platform/problem.js";
import { db } from "../support/db.js";
import { bin, item, stock, warehouse } from "../support/fixtures.js";
import { assertInvariants } from "../support/invariants.js";
import { patient } from "../support/machine-speed.js";
import { testService } from "../support/service.js";
import { actor } from "../support/walk.js";

const RUNS = Number(process.env.TEST_ACTION_SEQUENCES ?? 60);

describe("a count of a bin that is worked in", () => {
  const service = testService();
  let here: number;
  before(async () => {
    here = await warehouse();
  });
  afterEach(() => assertInvariants());

  const by = () => actor(service.admin);
  const show = (count_id: number) => service.admin.ok("GET", `/api/inventory/cycle-count/${count_id}`);
  async function countOf(bin_id: number) {
    const countIds = await takeCountIds(1);
    await createCounts({ warehouseId: here, binIds: [bin_id], countIds }, by());
    const [count_id] = countIds as [number];
    return { count_id, lines: (await show(count_id)).lines };
  }
  const unitsIn = async (bin_id: number, item_id: number) =>
    (await db.value<number>(
      "select coalesce(sum(quantity_on_hand), 0) as units from inventory where bin_id = $1 and item_id = $2",
      [bin_id, item_id],
    )) ?? 0;
  const move = (
    item_id: number,
    from_bin_id: number,
    to_bin_id: number,
    quantity: number,
    lot_number: string | null = null,
  ) => moveBetweenBins({ item_id, from_bin_id, to_bin_id, quantity, lot_number }, by());

  it("finds no variance in what was moved out of it meanwhile, and shows what was expected at first", async () => {
    const [{ item_id }, bin_id] = [await item(), await bin(here)];
    await stock(here, bin_id, item_id, 100);
    const { count_id, lines } = await countOf(bin_id);
    await move(item_id, bin_id, await bin(here), 30);
    const { count_line_id } = lines[0];
    const counted = { count_line_id, counted_quantity: 70, unexpected: false };
    const { status } = await submitCount({ count_id, lines: [counted] }, by());
    assert.equal(status, "COMPLETED");
    assert.equal(await unitsIn(bin_id, item_id), 70);
    const [line] = (await show(count_id)).lines;
    assert.deepEqual([line.expected_at_creation, line.expected_quantity, line.variance], [100, 70, 0]);
  });

  it("finds the variance against the books of its moment, which adjustment and event say too", async () => {
    const [{ item_id }, bin_id] = [await item(), await bin(here)];
    await stock(here, bin_id, item_id, 100);
    const { count_id, lines } = await countOf(bin_id);
    await move(item_id, bin_id, await bin(here), 30);
    const { count_line_id } = lines[0];
    const { summary } = await submitCount(
      { count_id, lines: [{ count_line_id, counted_quantity: 68, unexpected: false }] },
      by(),
    );
    const [found] = summary.adjustments;
    assert.deepEqual([found?.expected, found?.variance], [70, -2]);
    const listed = await service.admin.ok("GET", "/api/admin/adjustments/pending");
    const pending = listed.adjustments.find(
      (one: { adjustment_id: number }) => one.adjustment_id === found?.adjustment_id,
    );
    assert.equal(pending.expected_quantity, 70);
    await move(item_id, bin_id, await bin(here), 10);
    await approveCount({ count_id }, by());
    assert.equal(await unitsIn(bin_id, item_id), 58);
    const [event] = await db.rows<{ system: number; delta: number }>(
      `select (event_data(e)->>'system_quantity')::int as system, (event_data(e)->>'quantity_delta')::int as delta
       from integration_events e where event_type = 'cycle_count.adjusted' and entity_id = $1`,
      [found?.adjustment_id],
    );
    assert.deepEqual(event, { system: 70, delta: -2 });
  });

  it("takes an item that came in after it was made as not on the list, but as expected", async () => {
    const [{ item_id }, bin_id, other] = [await item(), await bin(here), await bin(here)];
    await stock(here, other, item_id, 5);
    const { count_id } = await countOf(bin_id);
    await move(item_id, other, bin_id, 5);
    const lines = [{ item_id, unexpected: true, counted_quantity: 5 }];
    const { status } = await submitCount({ count_id, lines }, by());
    assert.equal(status, "COMPLETED");
    const [line] = (await show(count_id)).lines;
    assert.deepEqual([line.unexpected, line.expected_at_creation, line.expected_quantity], [true, 0, 5]);
  });

  it("expects nothing of an item whose stock row is gone", async () => {
    const [{ item_id }, bin_id] = [await item(), await bin(here)];
    const inventory_id = await stock(here, bin_id, item_id, 5);
    const { count_id, lines } = await countOf(bin_id);
    await db.run("delete from inventory where inventory_id = $1", [inventory_id]);
    const { count_line_id } = lines[0];
    const { status } = await submitCount(
      { count_id, lines: [{ count_line_id, counted_quantity: 0, unexpected: false }] },
      by(),
    );
    assert.equal(status, "COMPLETED");
  });

  it("sees all lots that somebody brought while it waited for one of them", async () => {
    const [{ item_id }, bin_id] = [await item(), await bin(here)];
    await stock(here, bin_id, item_id, 5, "A");
    const { count_id, lines } = await countOf(bin_id);
    const { count_line_id } = lines[0];
    const submitted = await transaction(async (tx) => {
      await tx.run("update inventory set quantity_on_hand = 6 where item_id = $1", [item_id]);
      await tx.run(
        `insert into inventory (item_id, bin_id, warehouse_id, lot_number, quantity_on_hand)
          values ($1, $2, $3, 'B', 7)`,
        [item_id, bin_id, here],
      );
      const waiting = submitCount(
        { count_id, lines: [{ count_line_id, counted_quantity: 13, unexpected: false }] },
        by(),
      );
      waiting.catch(() => {});
      for (;;) {
        const blocked = await db.row<{ count: number }>(
          "select count(*) from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'",
        );
        if (blocked?.count) break;
      }
      return { waiting };
    });
    assert.equal((await submitted.waiting).status, "COMPLETED");
  });

  it("answers a repeat under its Idempotency-Key as at first, whatever moved since", async () => {
    const [{ item_id }, bin_id] = [await item(), await bin(here)];
    await stock(here, bin_id, item_id, 9);
    const { count_id, lines } = await countOf(bin_id);
    const once = { ...by(), commandId: randomUUID() };
    const { count_line_id } = lines[0];
    const body = { count_id, lines: [{ count_line_id, counted_quantity: 7, unexpected: false }] };
    const first = await submitCount(body, once);
    await move(item_id, bin_id, await bin(here), 2);
    assert.deepEqual(await submitCount(body, once), first);
    const made = await db.rows("select from inventory_adjustments where cycle_count_id = $1", [count_id]);
    assert.equal(made.length, 1);
  });

  const step = fc.record({
    does: fc.constantFrom("in", "out", "add", "remove", "create", "submit"),
    item: fc.nat(1),
    lot: fc.constantFrom(null, "A"),
    quantity: fc.integer({ min: 1, max: 6 }),
  });

  it(`changes no exact stock, whatever happens between its updates (${RUNS} sequences)`, async function () {
    this.timeout(patient(60_000 + RUNS * 2_000));
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 14 }), async (steps) => {
        const [shelf, elsewhere] = [await bin(here), await bin(here)];
        const goods = [(await item()).item_id, (await item()).item_id];
        for (const item_id of goods) {
          await stock(here, shelf, item_id, 8);
          await stock(here, elsewhere, item_id, 20, "A");
        }
        const open: Awaited<ReturnType<typeof countOf>>[] = [];
        for (const { does, item: which, lot, quantity } of steps) {
          const item_id = goods[which] as number;
          const adjust = (adjustment_type: "ADD" | "REMOVE") =>
            adjustDirectly(
              { item_id, bin_id: shelf, warehouse_id: here, quantity, adjustment_type, reason: "work" },
              by(),
            );
          const work = {
            in: () => move(item_id, elsewhere, shelf, quantity, lot),
            out: () => move(item_id, shelf, elsewhere, quantity, lot),
            add: () => adjust("ADD"),
            remove: () => adjust("REMOVE"),
            create: async () => open.push(await countOf(shelf)),
            submit: () => submitExactly(shelf, goods, open.shift()),
          };
          // Too little lies there: then nothing was done.
          await work[does]().catch((error) => {
            if (!(error instanceof DomainError)) throw error;
          });
        }
        for (const count of open) await submitExactly(shelf, goods, count);
      }),
      { numRuns: RUNS },
    );
  });

  /** Counts what lies there; then everything that waits for a decision is approved. */
  async function submitExactly(
    bin_id: number,
    goods: number[],
    count: Awaited<ReturnType<typeof countOf>> | undefined,
  ) {
    if (!count) return;
    const there = await Promise.all(goods.map((id) => unitsIn(bin_id, id)));
    const lines = goods.map((item_id, i) => ({
      count_line_id: count.lines.find((line: { item_id: number }) => line.item_id === item_id)?.count_line_id,
      ...{ item_id, counted_quantity: there[i] as number },
    }));
    const { count_id } = count;
    await submitCount(
      { count_id, lines: lines.map((line) => ({ ...line, unexpected: line.count_line_id === undefined })) },
      by(),
    );
    await approveCount({ count_id }, by());
    const after = await Promise.all(goods.map((id) => unitsIn(bin_id, id)));
    assert.deepEqual(after, there);
  }
});
