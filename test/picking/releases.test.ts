import assert from "node:assert/strict";
import { releaseIfIdle } from "../../activities/picking/end-wave.js";
import { releaseBatch } from "../../activities/picking/release-waves.js";
import { temporalClient } from "../../api/http/workflow-updates.js";
import { takeBatchId } from "../../src/picking/queries.js";
import { transaction } from "../../src/platform/db/db.js";
import { systemActor } from "../../src/platform/system-actor.js";
import { startMissing } from "../../workers/reconcile.js";
import type { Answer, Caller } from "../support/caller.js";
import { db } from "../support/db.js";
import { bin, item, salesOrder, stock, stockOf, warehouse } from "../support/fixtures.js";
import { orderActions } from "../support/order-actions.js";
import { waitingForLocks } from "../support/queued-behind-lock.js";
import { transferOrder, twoSites, walk as walkTransfer } from "../support/transfers.js";
import { unique } from "../support/unique.js";
import { until } from "../support/until.js";
import { unusableStock } from "../support/unusable-stock.js";
import { detailsOf } from "../support/workflow-environment.js";

const statusAndCode = ({ status, code }: Answer) => [status, code];
type Batch = { batch_id: number; so_ids: number[]; [field: string]: unknown };

describe("waves that are released", () => {
  const { at, act, shelved, endOf, isRunning, orderStatus } = orderActions();
  /** Each test has a house of its own, so that nothing else waits there. */
  let house: number;
  let desk: Caller;
  let picker: Caller;
  beforeEach(async () => {
    house = await warehouse();
    desk = at().service.admin;
    picker = await at().service.user({ warehouse_ids: [house] });
  });

  async function goods(quantity: number, pick_sequence = 100, weight?: string) {
    const made = await item(weight === undefined ? {} : { weight });
    const bin_id = await bin(house, { pick_sequence });
    return { ...made, bin_id, inventory_id: await stock(house, bin_id, made.item_id, quantity) };
  }
  /** An order as the desk creates it: with reservations. */
  async function order(lines: { item_id: number; quantity: number }[], more: object = {}) {
    const body = {
      so_number: `D-${unique()}`,
      warehouse_id: house,
      lines: lines.map(({ item_id, quantity }) => ({ item_id, quantity_ordered: quantity })),
      ...more,
    };
    const { sales_order } = await desk.ok("POST", "/api/admin/sales-orders", body);
    return sales_order as { so_id: number; so_number: string };
  }
  const orders = async (many: number, of: { item_id: number }, more: object = {}) => {
    const made = [];
    for (let i = 0; i < many; i++) made.push((await order([{ item_id: of.item_id, quantity: 1 }], more)).so_id);
    return made;
  };
  const plan = (more: object = {}) => desk.ok("POST", "/api/admin/waves/plan", { warehouse_id: house, ...more });
  const release = (more: object = {}) => desk.ok("POST", "/api/admin/waves/release", { warehouse_id: house, ...more });
  const take = (by = picker, more: object = {}) => by.post("/api/picking/next-batch", { warehouse_id: house, ...more });
  const taken = async (by = picker, more: object = {}) =>
    (await by.ok("POST", "/api/picking/next-batch", { warehouse_id: house, ...more })).batch_id as number;
  const giveBack = (batch_id: number, by = picker) => by.post("/api/picking/give-back", { batch_id });
  const idsOf = ({ batches }: { batches: Batch[] }) => batches.map((batch) => batch.so_ids);

  describe("a plan", () => {
    it("tells the batches and what they are, and changes nothing", async () => {
      const [near, far] = [await goods(10, 10, "1.25"), await goods(10, 90)];
      const both = await order([
        { item_id: near.item_id, quantity: 2 },
        { item_id: far.item_id, quantity: 1 },
      ]);
      const one = await order([{ item_id: near.item_id, quantity: 3 }]);
      const planned = await plan();
      assert.deepEqual(planned, {
        batches: [
          {
            ...{ group: null, so_ids: [both.so_id, one.so_id], so_numbers: [both.so_number, one.so_number] },
            ...{ total_orders: 2, total_lines: 3, total_picks: 2, stops: 2, total_units: 6, weight_lbs: 6.25 },
            walk: null,
          },
        ],
        coverage: { orders: 2, covered_orders: 2, units: 6, covered_units: 6 },
        uncovered: [],
        left_out: [],
        lacking: [],
      });
      assert.deepEqual(await plan({ combine: false }), {
        ...planned,
        batches: [{ ...planned.batches[0], total_picks: 3 }],
      });
      assert.equal((await take()).status, 404);
    });

    it("gives an order what is free and what is its own, and nothing that is another's", async () => {
      const mug = await goods(5);
      const mine = await order([{ item_id: mug.item_id, quantity: 4 }]);
      const later = await salesOrder(house, [{ item_id: mug.item_id, quantity: 2 }]);
      const { uncovered, coverage, ...planned } = await plan();
      assert.deepEqual(idsOf(planned), [[mine.so_id]]);
      const lines = [{ sku: mug.sku, item_name: `Item ${mug.sku}`, needed: 2, missing: 1 }];
      assert.deepEqual(uncovered, [{ ...later, lines }]);
      assert.deepEqual(coverage, { orders: 2, covered_orders: 1, units: 6, covered_units: 4 });
    });

    it("says of what it lacks which units lie there all the same, and why they are not for it", async () => {
      const { item_id, sku } = await item();
      const { bins } = await unusableStock(desk, house, item_id);
      await salesOrder(house, [{ item_id, quantity: 3 }]);
      const { lacking } = await plan();
      // Units that are too old for an order that asks for days are good enough for this one.
      await db.run("update inventory set quantity_on_hand = 0 where bin_id = any($1)", [
        bins.filter(([, reason]) => reason === "too_old").map(([bin_id]) => bin_id),
      ]);
      assert.deepEqual([lacking, (await plan()).lacking], [[], [{ sku, unusable: unitsOf(bins) }]]);
    });
    it("calls reserved for others only what is not reserved for the orders that lack units", async () => {
      const cup = await goods(5);
      await order([{ item_id: cup.item_id, quantity: 8 }]);
      assert.deepEqual((await plan()).lacking, []);
      const mug = await goods(5);
      await order([{ item_id: mug.item_id, quantity: 5 }]);
      await order([{ item_id: mug.item_id, quantity: 1 }]);
      const { lacking } = await plan();
      assert.deepEqual(lacking, [{ sku: mug.sku, unusable: [{ reason: "reserved", units: 5 }] }]);
    });
    const unitsOf = (bins: [bin_id: number, reason: string][]) =>
      [...new Set(bins.map(([, reason]) => reason))]
        .filter((reason) => reason !== "too_old")
        .map((reason) => ({ reason, units: 4 * bins.filter(([, one]) => one === reason).length }))
        .sort((a, b) => b.units - a.units || a.reason.localeCompare(b.reason));

    it("counts by reason the orders that are in no batch", async () => {
      const mug = await goods(20);
      const [held, open, away] = await orders(3, mug);
      await db.run("update sales_orders set hold_reason = 'on_hold_in_shop' where so_id = $1", [held]);
      await db.run("update sales_orders set status = 'WAITING_STOCK' where so_id = $1", [away]);
      await salesOrder(house, []);
      const [walked] = await orders(1, mug);
      await picker.ok("POST", "/api/picking/wave-create", { so_ids: [walked], warehouse_id: house });
      const planned = await plan();
      assert.deepEqual(idsOf(planned), [[open]]);
      assert.deepEqual(planned.left_out, [
        { reason: "held", orders: 1 },
        { reason: "in_batch", orders: 1 },
        { reason: "nothing_to_pick", orders: 1 },
        { reason: "waiting_stock", orders: 1 },
      ]);
    });

    it("selects by every field of the filter", async () => {
      const [mug, lot] = [await goods(50), await goods(50, 300)];
      await db.run("update items set lot_policy = 'required' where item_id = $1", [lot.item_id]);
      const plain = await order([{ item_id: mug.item_id, quantity: 1 }]);
      const other = await order([
        { item_id: mug.item_id, quantity: 1 },
        { item_id: lot.item_id, quantity: 1 },
      ]);
      await db.run(
        `update sales_orders set ship_by_date = '2026-03-01', priority = 5, ship_method = 'UPS Ground',
           order_source = 'phone', order_origin = 'shop-1', customer_id = 'C-1', order_type = 'replacement'
         where so_id = $1`,
        [other.so_id],
      );
      const only = async (filter: object) => idsOf(await plan({ filter })).flat();
      for (const filter of [
        { ship_by_until: "2026-03-01" },
        { min_priority: 5 },
        { ship_method: "UPS Ground" },
        { ship_method: "ups ground" },
        { order_type: "replacement" },
        { order_source: "phone" },
        { order_origin: "shop-1" },
        { customer_id: "C-1" },
        { lines: "multi" },
        { has_lot: true },
      ])
        assert.deepEqual(await only(filter), [other.so_id], JSON.stringify(filter));
      for (const filter of [{ lines: "single" }, { has_lot: false }])
        assert.deepEqual(await only(filter), [plain.so_id], JSON.stringify(filter));
      assert.deepEqual(await only({ ship_by_until: "2026-02-28" }), []);
      assert.deepEqual(await only({ min_priority: 6 }), []);
      const zone_id = await db.value<number>("select zone_id from bins where bin_id = $1", [mug.bin_id]);
      const inZone = await plan({ filter: { zone_id } });
      assert.deepEqual(idsOf(inZone), [[plain.so_id]]);
      assert.deepEqual(inZone.left_out, [{ reason: "other_zone", orders: 1 }]);
    });

    it("puts together what is alike, and no more than the limits say", async () => {
      const [mug, far] = [await goods(100, 10, "2"), await goods(100, 500, "2")];
      const [a, b, c] = await orders(3, mug);
      const [d] = await orders(1, far);
      const both = await order([
        { item_id: mug.item_id, quantity: 10 },
        { item_id: far.item_id, quantity: 10 },
      ]);
      const of = async (group: object) => idsOf(await plan({ group }));
      assert.deepEqual(await of({ max_orders: 2 }), [[a, b], [c, both.so_id], [d]]);
      assert.deepEqual(await of({ by: "single_line" }), [[a, b, c, d], [both.so_id]]);
      assert.deepEqual(await of({ by: "zone" }), [[a, b, c], [both.so_id], [d]]);
      await db.run("update sales_orders set ship_method = 'UPS' where so_id = any($1)", [[a, d]]);
      assert.deepEqual(await of({ by: "ship_method" }), [
        [a, d],
        [b, c, both.so_id],
      ]);
      await db.run("update sales_orders set ship_by_date = '2026-03-01' where so_id = any($1)", [[b, both.so_id]]);
      const byDay = await plan({ group: { by: "ship_by" } });
      assert.deepEqual(
        byDay.batches.map(({ group }: { group: string | null }) => group),
        ["2026-03-01", null],
      );
      assert.deepEqual(idsOf(byDay), [
        [b, both.so_id],
        [a, c, d],
      ]);
      await db.run("update sales_orders set ship_by_date = null where so_id = any($1)", [[b, both.so_id]]);
      // An order that is too much alone is one alone.
      assert.deepEqual(await of({ max_lines: 1 }), [[a], [b], [c], [both.so_id], [d]]);
      assert.deepEqual(await of({ max_units: 3 }), [[a, b, c], [both.so_id], [d]]);
      assert.deepEqual(await of({ max_weight_lbs: 4 }), [[a, b], [c, d], [both.so_id]]);
    });

    it("takes urgent orders first, and those together that begin near each other", async () => {
      const [near, far] = [await goods(100, 10), await goods(100, 500)];
      const [n1] = await orders(1, near);
      const [f1] = await orders(1, far);
      const [n2] = await orders(1, near);
      const [f2] = await orders(1, far);
      const [due] = await orders(1, far, { ship_by_date: "2026-03-01" });
      const [first] = await orders(1, far, { ship_by_date: "2026-03-02" });
      await db.run("update sales_orders set priority = 9 where so_id = $1", [first]);
      assert.deepEqual(idsOf(await plan({ group: { max_orders: 2 } })), [
        [first, due],
        [n1, n2],
        [f1, f2],
      ]);
    });

    it("is of the orders that are named alone, and of none of another warehouse", async () => {
      const [a, , c] = await orders(3, await goods(10));
      const elsewhere = await salesOrder(await warehouse(), [{ item_id: (await item()).item_id, quantity: 1 }]);
      const planned = await plan({ so_ids: [a, c, elsewhere.so_id] });
      assert.deepEqual(idsOf(planned), [[a, c]]);
      assert.deepEqual([planned.uncovered, planned.left_out], [[], []]);
      assert.deepEqual(idsOf(await release({ so_ids: [c] })), [[c]]);
      assert.equal((await desk.post("/api/admin/waves/plan", { warehouse_id: house, so_ids: [] })).status, 400);
    });

    it("is refused with fields that it does not know, and limits that make no sense", async () => {
      for (const more of [{ filter: { colour: "red" } }, { group: { max_orders: 0 } }, { group: { max_totes: 3 } }])
        assert.equal((await desk.post("/api/admin/waves/plan", { warehouse_id: house, ...more })).status, 400);
    });
  });

  describe("a release", () => {
    it("makes batches that are nobody's and have no process", async () => {
      const mug = await goods(10);
      const [a, b, c] = await orders(3, mug);
      const { batches, lost, ...rest } = await release({ group: { max_orders: 2 } });
      assert.deepEqual(idsOf({ batches }), [[a, b], [c]]);
      assert.deepEqual(lost, []);
      assert.deepEqual(rest.coverage, { orders: 3, covered_orders: 3, units: 3, covered_units: 3 });
      const ids = batches.map((batch: Batch) => batch.batch_id);
      const listed = (await desk.ok("GET", `/api/admin/pick-batches?warehouse_id=${house}`)).pick_batches;
      assert.deepEqual(
        listed.map(({ batch_id, assigned_to, status }: Batch) => [batch_id, assigned_to, status]),
        ids.map((id: number) => [id, null, "OPEN"]),
      );
      assert.deepEqual(await stockOf(mug.inventory_id), { on_hand: 10, allocated: 3 });
      const { started } = await startMissing(temporalClient(), at().service.config);
      assert.deepEqual(
        started.filter((id) => ids.some((batch: number) => id === `pick-wave-${batch}`)),
        [],
      );
      const step = (await desk.ok("GET", `/api/admin/sales-orders/${a}`)).next_step;
      assert.match(step.message, /^In wave WAVE-\d+$/);
      assert.deepEqual((await plan()).left_out, [{ reason: "in_batch", orders: 3 }]);
    });

    it("is done once, however often it is asked for", async () => {
      const mug = await goods(40);
      await orders(12, mug);
      const body = { warehouse_id: house, group: { max_orders: 3 }, combine: false };
      const keyed = desk.with({ "idempotency-key": unique() });
      const answers = await Promise.all(
        Array.from({ length: 8 }, () => keyed.ok("POST", "/api/admin/waves/release", body)),
      );
      for (const answer of answers) assert.deepEqual(answer, answers[0]);
      assert.equal(answers[0].batches.length, 4);
      assert.deepEqual(await keyed.ok("POST", "/api/admin/waves/release", body), answers[0]);
      const made = await db.value("select count(*)::int from pick_batches where warehouse_id = $1", [house]);
      assert.equal(made, 4);
      assert.match(answers[0].batches[0].batch_number, /^BATCH-/);
    });

    it("is of the batches alone that were chosen from a plan, each as it was planned", async () => {
      const [near, far] = [await goods(10, 10), await goods(2, 500)];
      const [a, b] = await orders(2, near);
      const [c, d, e] = [...(await orders(2, far)), ...(await orders(1, far))];
      const planned = await plan({ group: { max_orders: 1 } });
      assert.deepEqual(idsOf(planned), [[a], [b], [c], [d]]);
      const chosen = [{ so_ids: [b, c] }, { so_ids: [a] }];
      assert.deepEqual(idsOf(await plan({ batches: chosen, group: { max_orders: 1 } })), [[b, c], [a]]);
      assert.deepEqual(idsOf(await release({ batches: chosen, group: { max_orders: 1 } })), [[b, c], [a]]);
      // What has no stock any more is left out of its batch, and is named.
      const rest = await release({ batches: [{ so_ids: [e, d] }] });
      assert.deepEqual(idsOf(rest), [[d]]);
      assert.deepEqual(
        rest.uncovered.map(({ so_id }: { so_id: number }) => so_id),
        [e],
      );
      for (const batches of [[], [{ so_ids: [] }], [{ so_ids: [a] }, { so_ids: [a] }], [[a]]])
        assert.equal((await desk.post("/api/admin/waves/plan", { warehouse_id: house, batches })).status, 400);
    });

    it("gives its batches at once to the picker who is named, and begins their processes", async () => {
      const [a, b] = await orders(2, await goods(10));
      const { userId: user_id, username } = picker;
      await db.run("update users set allowed_functions = array['pick'] where user_id = $1", [user_id]);
      const made = await release({ group: { max_orders: 1 }, user_id });
      assert.deepEqual(idsOf(made), [[a], [b]]);
      for (const { batch_id, assigned_to } of made.batches) {
        assert.equal(assigned_to, username);
        await until(() => isRunning(batch_id).catch(() => false));
      }
      assert.equal(await taken(), made.batches[1].batch_id);
      const elsewhere = await at().service.user({ warehouse_ids: [await warehouse()] });
      const refused = async (id: number) =>
        statusAndCode(await desk.post("/api/admin/waves/release", { warehouse_id: house, user_id: id }));
      await orders(1, await goods(10));
      assert.deepEqual(await refused(elsewhere.userId), [400, "may_not_pick"]);
      assert.deepEqual(await refused(2_000_000_000), [400, "unknown_picker"]);
      assert.equal((await plan()).batches.length, 1);
    });

    it("leaves out what was lost since it was planned, and names it", async () => {
      const [mug, cup] = [await goods(10), await goods(3, 200)];
      const [good, held, shut, walked] = await orders(4, mug);
      const lacking = await salesOrder(house, [{ item_id: cup.item_id, quantity: 4 }]);
      const empty = await salesOrder(house, []);
      await db.run("update sales_orders set hold_reason = 'on_hold_in_shop' where so_id = $1", [held]);
      await act(shut as number, "cancel");
      await picker.ok("POST", "/api/picking/wave-create", { so_ids: [walked], warehouse_id: house });
      const soIds = [good, held, shut, walked, lacking.so_id, empty.so_id] as number[];
      const batch = { batchId: await takeBatchId(), warehouseId: house, combine: true, soIds };
      const made = await releaseBatch(batch, systemActor(unique()));
      assert.deepEqual(made.batch?.so_ids, [good]);
      assert.deepEqual(
        made.lost.map(({ so_id, reason }) => [so_id, reason]),
        [
          [held, "held"],
          [shut, "not_open"],
          [walked, "in_batch"],
          [lacking.so_id, "lacks_stock"],
          [empty.so_id, "not_open"],
        ],
      );
      const none = { ...batch, batchId: await takeBatchId() };
      assert.equal((await releaseBatch(none, systemActor(unique()))).batch, null);
    });

    it("keeps what is reserved for an order that cannot be covered", async () => {
      const [mug, cup] = [await goods(5), await goods(1, 200)];
      const both = await order([
        { item_id: mug.item_id, quantity: 5 },
        { item_id: cup.item_id, quantity: 3 },
      ]);
      const batch = { batchId: await takeBatchId(), warehouseId: house, combine: true, soIds: [both.so_id] };
      const made = await releaseBatch(batch, systemActor(unique()));
      assert.deepEqual(made.lost, [{ ...pickNumber(both), reason: "lacks_stock" }]);
      assert.deepEqual(await stockOf(mug.inventory_id), { on_hand: 5, allocated: 5 });
    });
    const pickNumber = ({ so_id, so_number }: { so_id: number; so_number: string }) => ({ so_id, so_number });

    it("is cancelled at the desk like any batch", async () => {
      const mug = await goods(5);
      const [so_id] = await orders(1, mug);
      const { batch_id } = (await release()).batches[0];
      await desk.ok("POST", `/api/admin/pick-batches/${batch_id}/delete`);
      assert.equal(await orderStatus(so_id as number), "OPEN");
      assert.deepEqual(await stockOf(mug.inventory_id), { on_hand: 5, allocated: 1 });
      assert.equal((await take()).status, 404);
    });

    it("waits for nobody once its last order is cancelled", async () => {
      const mug = await goods(5);
      const [a, b] = await orders(2, mug);
      const { batch_id } = (await release()).batches[0];
      await act(a as number, "cancel");
      assert.equal(await db.value("select status from pick_batches where batch_id = $1", [batch_id]), "OPEN");
      await act(b as number, "cancel");
      assert.equal(await db.value("select status from pick_batches where batch_id = $1", [batch_id]), "CANCELLED");
      assert.equal((await take()).status, 404);
    });
  });

  describe("the next batch", () => {
    it("is the one whose order became urgent at the desk while it waited", async () => {
      const mug = await goods(20);
      const [first, second, third] = await orders(3, mug, { ship_by_date: "2026-12-01" });
      const { batches } = await release({ group: { max_orders: 1 } });
      const batchOf = (so_id: number | undefined) =>
        batches.find(({ so_ids }: Batch) => so_ids[0] === so_id)?.batch_id as number;
      await desk.ok("PUT", `/api/admin/sales-orders/${third}`, { priority: 9 });
      await desk.ok("PUT", `/api/admin/sales-orders/${second}`, { ship_by_date: "2026-11-01" });
      const pickers = [picker, await at().service.user({ warehouse_ids: [house] })] as const;
      assert.deepEqual([await taken(pickers[0]), await taken(pickers[1])], [batchOf(second), batchOf(third)]);
      // What somebody picks stays with its picker.
      await desk.ok("PUT", `/api/admin/sales-orders/${third}`, { priority: 1 });
      assert.equal(await taken(pickers[1]), batchOf(third));
      assert.equal(await taken(await at().service.user({ warehouse_ids: [house] })), batchOf(first));
    });

    it("is the one that is due first, then the urgent one, then the nearest, then the oldest", async () => {
      const [near, far] = [await goods(20, 10), await goods(20, 500)];
      const make = async (of: { item_id: number }, more: object = {}, priority = 0) => {
        const [so_id] = await orders(1, of, more);
        await db.run("update sales_orders set priority = $2 where so_id = $1", [so_id, priority]);
        return (await release()).batches[0].batch_id as number;
      };
      const old = await make(near);
      const [distant, later] = [await make(far), await make(near)];
      const urgent = await make(near, {}, 3);
      const [due, sooner] = [
        await make(near, { ship_by_date: "2026-03-02" }),
        await make(near, { ship_by_date: "2026-03-01" }),
      ];
      const got: number[] = [];
      const somebody = () => at().service.user({ warehouse_ids: [house] });
      for (let i = 0; i < 3; i++) got.push(await taken(await somebody()));
      got.push(await taken(await somebody(), { near_bin_id: far.bin_id }));
      for (let i = 0; i < 2; i++) got.push(await taken(await somebody()));
      assert.deepEqual(got, [sooner, due, urgent, distant, old, later]);
    });

    it("is shown as the batch that the user is picking, and is the same until it is done", async () => {
      const mug = await goods(5);
      const [so_id] = await orders(1, mug);
      await release();
      const answer = await take();
      const active = await picker.ok("GET", "/api/picking/active-batch");
      assert.deepEqual(answer.body, active);
      const { batch_id } = active;
      assert.equal(answer.headers.get("x-service-workflow-id"), `pick-wave-${batch_id}`);
      assert.equal(await taken(), batch_id);
      assert.equal(await taken(picker.with({ "idempotency-key": unique() })), batch_id);
      await until(() => isRunning(batch_id).catch(() => false));
      const audit = await db.rows(
        "select details from audit_log where entity_type = 'PICK_BATCH' and entity_id = $1 and action_type = 'UPDATE'",
        [batch_id],
      );
      const { username } = picker;
      assert.deepEqual(audit, [
        { details: { batch_number: `WAVE-${batch_id}`, assigned_to: { old: null, new: username } } },
      ]);
      const task = await picker.ok("GET", `/api/picking/batch/${batch_id}/next`);
      const scan = { pick_task_id: task.pick_task_id, scanned_barcode: task.upc, quantity_picked: 1 };
      await picker.ok("POST", "/api/picking/confirm", scan);
      await picker.ok("POST", "/api/picking/complete-batch", { batch_id });
      assert.equal((await endOf(batch_id)).ended, "completed");
      assert.equal(await orderStatus(so_id as number), "PICKED");
    });

    it("is none where none waits, and near no bin of another house", async () => {
      assert.deepEqual(statusAndCode(await take()), [404, "no_batch_waits"]);
      const elsewhere = await shelved(1);
      assert.deepEqual(statusAndCode(await take(picker, { near_bin_id: elsewhere.bin_id })), [404, "bin_not_found"]);
    });

    it("is never the same for two pickers", async () => {
      const mug = await goods(100);
      await orders(9, mug);
      await release({ group: { max_orders: 1 } });
      const pickers = await Promise.all(
        Array.from({ length: 12 }, () => at().service.user({ warehouse_ids: [house] })),
      );
      const answers = await Promise.all(pickers.flatMap((one) => [take(one), take(one)]));
      const got = answers.filter(({ status }) => status === 200).map(({ body }) => body.batch_id);
      assert.equal(new Set(got).size, 9);
      const owners = await db.value(
        "select count(distinct assigned_user_id)::int from pick_batches where warehouse_id = $1 and status = 'OPEN'",
        [house],
      );
      assert.equal(owners, 9);
      for (const { status } of answers) assert.ok(status === 200 || status === 404, String(status));
    });

    it("is not picked by who has not taken it", async () => {
      const mug = await goods(5);
      await orders(1, mug);
      const { batch_id } = (await release()).batches[0];
      const { pick_task_id } = await picker.ok("GET", `/api/picking/batch/${batch_id}/next`);
      const scan = { pick_task_id, scanned_barcode: mug.upc, quantity_picked: 1 };
      const refused = [409, "batch_waits"];
      assert.deepEqual(statusAndCode(await picker.post("/api/picking/confirm", scan)), refused);
      assert.deepEqual(statusAndCode(await picker.post("/api/picking/short", { pick_task_id })), refused);
      assert.deepEqual(statusAndCode(await giveBack(batch_id)), refused);
    });
    it("is released when nobody scans, however long it had waited before", async () => {
      const mug = await goods(5);
      await orders(1, mug);
      const { batch_id } = (await release()).batches[0];
      await db.run("update pick_batches set created_at = now() - interval '9 days' where batch_id = $1", [batch_id]);
      await taken();
      const look = await releaseIfIdle(batch_id, unique());
      assert.equal(look.ended, undefined);
      await db.run("update pick_batches set started_at = now() - interval '9 days' where batch_id = $1", [batch_id]);
      assert.equal((await releaseIfIdle(batch_id, unique())).ended, "idle");
    });
  });

  describe("a batch that the desk cancels in the moment it is taken", () => {
    it("leaves no process behind", async () => {
      const mug = await goods(5);
      await orders(1, mug);
      const [{ batch_id }] = (await release()).batches;
      const cancelled = await transaction(async (stockTx) => {
        await stockTx.run("select from inventory where inventory_id = $1 for update", [mug.inventory_id]);
        const asked = await transaction(async (takeTx) => {
          await takeTx.run("update pick_batches set assigned_to = 'picker', started_at = now() where batch_id = $1", [
            batch_id,
          ]);
          const answer = desk.post(`/api/admin/pick-batches/${batch_id}/delete`);
          await until(async () => (await waitingForLocks()) === 1);
          return { answer };
        });
        // It has the batch, which is somebody's now, and waits for the units: the process of the batch begins.
        await until(async () => (await waitingForLocks()) === 1);
        const process = await temporalClient().workflow.start("pickWave", {
          ...{ workflowId: `pick-wave-${batch_id}`, taskQueue: at().service.config.temporalTaskQueue },
          args: [{ batchId: batch_id }, systemActor(unique())],
        });
        await until(async () => /picker scans on/.test(await detailsOf(process)));
        return asked;
      });
      assert.equal((await cancelled.answer).status, 200);
      assert.equal((await endOf(batch_id)).ended, "cancelled");
    });
  });

  describe("giving a batch back", () => {
    it("ends its process, and it waits for somebody else, for whom it begins anew", async () => {
      const mug = await goods(5);
      await orders(1, mug);
      await release();
      const batch_id = await taken();
      const answer = await giveBack(batch_id);
      assert.deepEqual([answer.status, answer.body], [200, { message: "Batch given back" }]);
      assert.equal((await endOf(batch_id)).ended, "given back");
      assert.deepEqual(await picker.ok("GET", "/api/picking/active-batch"), { active: false });
      const other = await at().service.user({ warehouse_ids: [house] });
      assert.equal(await taken(other), batch_id);
      await until(() => isRunning(batch_id).catch(() => false));
      await other.ok("POST", "/api/picking/cancel-batch", { batch_id });
    });

    it("works for a wave that the picker made from paper", async () => {
      const mug = await goods(5);
      const [so_id] = await orders(1, mug);
      const { batch_id } = await picker.ok("POST", "/api/picking/wave-create", {
        so_ids: [so_id],
        warehouse_id: house,
      });
      assert.equal((await giveBack(batch_id)).status, 200);
      const other = await at().service.user({ warehouse_ids: [house] });
      assert.equal(await taken(other), batch_id);
    });

    it("is refused once it was begun or has ended, and for what is no such batch", async () => {
      const mug = await goods(5);
      await orders(2, mug);
      await release();
      const batch_id = await taken();
      const task = await picker.ok("GET", `/api/picking/batch/${batch_id}/next`);
      const scan = { pick_task_id: task.pick_task_id, scanned_barcode: task.upc, quantity_picked: 2 };
      await picker.ok("POST", "/api/picking/confirm", scan);
      assert.deepEqual(statusAndCode(await giveBack(batch_id)), [409, "batch_has_picks"]);
      await picker.ok("POST", "/api/picking/complete-batch", { batch_id });
      assert.deepEqual(statusAndCode(await giveBack(batch_id)), [409, "batch_not_active"]);
      assert.deepEqual(statusAndCode(await giveBack(999_999_999)), [404, "batch_not_found"]);
    });

    it("is refused for the walk of a transfer order", async () => {
      const sites = await twoSites();
      const mug = await sites.goods(5);
      const { to_id } = await transferOrder(desk, sites, [{ item_id: mug.item_id, quantity: 5 }]);
      const { batch_id } = await walkTransfer(desk, to_id);
      assert.deepEqual(statusAndCode(await giveBack(batch_id, desk)), [409, "transfer_batch"]);
    });
  });
});
