import assert from "node:assert/strict";
import { cancelCount } from "../../activities/counting/index.js";
import { decideOverdue } from "../../activities/sales-orders/decide-overdue.js";
import { temporalClient } from "../../api/http/workflow-updates.js";
import type { Caller } from "../support/caller.js";
import { db } from "../support/db.js";
import { bin, item, salesOrder, stock, stockOf, warehouse } from "../support/fixtures.js";
import { pickFloor } from "../support/pick-floor.js";
import { pluck } from "../support/pluck.js";
import { auditMark, auditSince } from "../support/records.js";
import { transferOrder, walk } from "../support/transfers.js";
import { unique } from "../support/unique.js";
import { until } from "../support/until.js";

describe("what a picker does not find", () => {
  const { at, shelved, startWave, next, confirm, complete, cancel, linesOf, pickAll, orderStatus } = pickFloor();
  let picker: Caller;
  let admin: Caller;
  let warehouse_id: number;
  beforeEach(() => {
    picker = at().picker;
    admin = at().service.admin;
    warehouse_id = at().warehouse_id;
  });

  const short = (pick_task_id: number, quantity_available = 0) =>
    picker.ok("POST", "/api/picking/short", { pick_task_id, quantity_available });
  const doubtedIn = async (inventory_id: number) =>
    (await db.row<{ units: number }>("select quantity_doubted as units from inventory where inventory_id = $1", [
      inventory_id,
    ])) as { units: number };
  const order = (item_id: number, quantity: number) => salesOrder(warehouse_id, [{ item_id, quantity }]);
  /** Makes an order as people do: it reserves what there is. */
  const reserving = (item_id: number, quantity_ordered: number): Promise<{ so_id: number }> =>
    admin
      .ok("POST", "/api/admin/sales-orders", {
        ...{ so_number: `SO-${unique()}`, warehouse_id, lines: [{ item_id, quantity_ordered }] },
      })
      .then((body) => body.sales_order);
  const review = (adjustment_id: number, action: "approve" | "reject") =>
    admin.ok("POST", "/api/admin/adjustments/review", { decisions: [{ adjustment_id, action }] });
  /** Counts the only item of the bin; gives the adjustment that waits for a decision. */
  async function count(count_id: number, counted_quantity: number): Promise<number> {
    const { lines } = await picker.ok("GET", `/api/inventory/cycle-count/${count_id}`);
    const { summary } = await picker.ok("POST", "/api/inventory/cycle-count/submit", {
      ...{ count_id, lines: [{ count_line_id: lines[0].count_line_id, counted_quantity }] },
    });
    return summary.adjustments[0]?.adjustment_id;
  }

  /** Five units are ordered and said to be in one bin; the picker finds two. */
  async function foundTwo(elsewhere: { units: number; type?: "Pickable" | "Staging" }[] = []) {
    const goods = await shelved(5, 1);
    const places = await Promise.all(
      elsewhere.map(async ({ units, type = "Pickable" }, i) => {
        const bin_id = await bin(warehouse_id, { pick_sequence: 10 + i, type });
        return { bin_id, inventory_id: await stock(warehouse_id, bin_id, goods.item_id, units) };
      }),
    );
    const { so_id } = await order(goods.item_id, 5);
    const { batch_id, first_pick } = await startWave(so_id);
    const answer = await short(first_pick.pick_task_id, 2);
    return { ...goods, so_id, batch_id, answer, places, task: first_pick.pick_task_id as number };
  }

  describe("is offered from other bins", () => {
    it("as tasks of the same wave, in walking order, until all of it is found", async () => {
      const w = await foundTwo([{ units: 1 }, { units: 9 }]);
      assert.deepEqual(pluck(w.answer.replacements, "quantity_to_pick"), [1, 2]);
      assert.equal(w.answer.task.shortage, 3);
      const first = await next(w.batch_id);
      assert.deepEqual(
        [first.pick_task_id, first.quantity_to_pick, first.contributing_orders.length],
        [w.answer.replacements[0].pick_task_id, 1, 1],
      );
      assert.equal((await complete(w.batch_id)).body.error, "2 pick task(s) are still pending");
      await pickAll(w.batch_id);
      const done = await complete(w.batch_id);
      assert.deepEqual([done.body.summary.total_items_picked, done.body.summary.total_shorts], [5, 0]);
      assert.deepEqual(await linesOf(w.so_id), [{ picked: 5, allocated: 5, status: "PICKED" }]);
      assert.equal((await admin.ok("GET", `/api/admin/sales-orders/${w.so_id}`)).sales_order.is_short, false);
    });

    it("never from a bin where this wave was short before, nor from one that nobody picks from", async () => {
      await admin.ok("PUT", "/api/admin/settings", { settings: { short_pick_creates_count: "false" } });
      try {
        const w = await foundTwo([{ units: 2 }, { units: 7, type: "Staging" }]);
        const [second] = w.answer.replacements;
        const again = await short(second.pick_task_id, 1);
        assert.deepEqual(again.replacements, []);
        assert.equal((await complete(w.batch_id)).body.summary.total_items_picked, 3);
      } finally {
        await admin.ok("PUT", "/api/admin/settings", { settings: { short_pick_creates_count: "true" } });
      }
    });

    it("to each order of the wave what it lacks, the first order first", async () => {
      const goods = await shelved(6, 1);
      const other = await bin(warehouse_id, { pick_sequence: 2 });
      await stock(warehouse_id, other, goods.item_id, 3);
      const [one, two] = [await order(goods.item_id, 3), await order(goods.item_id, 3)];
      const { batch_id, first_pick } = await startWave(one.so_id, two.so_id);
      const { replacements } = await short(first_pick.pick_task_id, 2);
      assert.deepEqual(pluck((await next(batch_id)).contributing_orders, "quantity"), [1, 2]);
      assert.equal((await confirm(replacements[0].pick_task_id, goods.sku, 3)).status, 200);
      assert.equal((await complete(batch_id)).body.summary.total_shorts, 1);
      assert.deepEqual(pluck((await Promise.all([linesOf(one.so_id), linesOf(two.so_id)])).flat(), "picked"), [3, 2]);
    });

    it("for one line alone in a batch of single orders, into the order's own tote", async () => {
      const goods = await shelved(4, 1);
      const other = await bin(warehouse_id, { pick_sequence: 2 });
      await stock(warehouse_id, other, goods.item_id, 4);
      const [one, two] = [await order(goods.item_id, 2), await order(goods.item_id, 2)];
      const { batch_id, tasks } = await picker.ok("POST", "/api/picking/create-batch", {
        so_identifiers: [one.so_number, two.so_number],
        warehouse_id,
      });
      await short(tasks[0].pick_task_id, 0);
      const batch = await picker.ok("GET", `/api/picking/batch/${batch_id}`);
      const replacement = batch.tasks.find(
        (task: Record<string, unknown>) => task.bin_code !== tasks[0].bin_code && task.status === "PENDING",
      );
      assert.deepEqual(
        [replacement.so_number, replacement.tote_number, replacement.quantity_to_pick],
        [tasks[0].so_number, tasks[0].tote_number, 2],
      );
      assert.equal((await cancel(batch_id)).status, 200);
    });
  });

  describe("puts its bin on the list of bins to count", () => {
    const open = async (bin_id: number) =>
      (await picker.ok("GET", `/api/inventory/cycle-counts/open?warehouse_id=${warehouse_id}`)).counts.filter(
        (count: { bin_id: number }) => count.bin_id === bin_id,
      );

    it("once, with a process of its own, for nobody in particular", async () => {
      const w = await foundTwo();
      const [count, ...others] = await open(w.bin_id);
      assert.deepEqual([count.count_id, count.assigned_to, others.length], [w.answer.count_id, null, 0]);
      const process = temporalClient().workflow.getHandle(`cycle-count-${count.count_id}`);
      await until(() =>
        process.describe().then(
          ({ status }) => status.name === "RUNNING",
          () => false,
        ),
      );
      const { so_id } = await order(w.item_id, 1);
      const { first_pick } = (await picker.post("/api/picking/wave-create", { so_ids: [so_id], warehouse_id })).body;
      assert.equal(first_pick, undefined, "nobody is sent there again");
    });

    it("not where the setting says so, and then the books are believed", async () => {
      await admin.ok("PUT", "/api/admin/settings", { settings: { short_pick_creates_count: "false" } });
      try {
        const w = await foundTwo();
        assert.equal(w.answer.count_id, null);
        assert.deepEqual(await open(w.bin_id), []);
        assert.deepEqual(await doubtedIn(w.inventory_id), { units: 0 });
      } finally {
        await admin.ok("PUT", "/api/admin/settings", { settings: { short_pick_creates_count: "true" } });
      }
    });

    it("not for a task that was found whole", async () => {
      const goods = await shelved(5);
      const { so_id } = await order(goods.item_id, 5);
      const { first_pick } = await startWave(so_id);
      const answer = await short(first_pick.pick_task_id, 5);
      assert.deepEqual([answer.count_id, answer.replacements], [null, []]);
      assert.deepEqual(await doubtedIn(goods.inventory_id), { units: 0 });
    });

    it("of a transfer order's walk too, whose picked units are not in doubt", async () => {
      const goods = await shelved(9, 1);
      const destination = await warehouse();
      const to = await transferOrder(admin, { source: warehouse_id, destination }, [
        { item_id: goods.item_id, quantity: 5 },
      ]);
      const { tasks } = await walk(admin, to.to_id);
      const answer = await admin.ok("POST", "/api/picking/short", {
        ...{ pick_task_id: tasks[0]?.pick_task_id, quantity_available: 2 },
      });
      assert.deepEqual(answer.replacements, []);
      assert.equal((await open(goods.bin_id)).length, 1);
      assert.deepEqual(await doubtedIn(goods.inventory_id), { units: 7 });
      const later = await reserving(goods.item_id, 1);
      assert.deepEqual(await linesOf(later.so_id), [{ picked: 0, allocated: 0, status: "PENDING" }]);
    });
  });

  describe("is promised to nobody", () => {
    it("until the bin is counted; what comes meanwhile is", async () => {
      const w = await foundTwo();
      assert.deepEqual(await doubtedIn(w.inventory_id), { units: 3 });
      const waits = await reserving(w.item_id, 4);
      const allocated = async () => (await linesOf(waits.so_id))[0]?.allocated;
      assert.equal(await allocated(), 0);
      const item = { item_id: w.item_id, bin_id: w.bin_id, warehouse_id };
      await admin.ok("POST", "/api/admin/adjustments/direct", {
        ...{ ...item, adjustment_type: "ADD", quantity: 1, reason: "found another one" },
      });
      assert.equal(await allocated(), 1);

      const adjustment_id = await count(w.answer.count_id, 3);
      assert.equal(await allocated(), 3, "three were counted, one more is on the books");
      assert.deepEqual(await doubtedIn(w.inventory_id), { units: 1 });
      await review(adjustment_id, "approve");
      assert.deepEqual(await stockOf(w.inventory_id), { on_hand: 3, allocated: 3 });
      assert.deepEqual(await doubtedIn(w.inventory_id), { units: 0 });
    });

    it("by reservations of others there either: they get units elsewhere, or wait", async () => {
      const goods = await shelved(8, 1);
      const holds = await reserving(goods.item_id, 3);
      const elsewhere = await stock(warehouse_id, await bin(warehouse_id, { pick_sequence: 2 }), goods.item_id, 2);
      const { so_id } = await order(goods.item_id, 1);
      const { first_pick } = await startWave(so_id);
      const { replacements } = await short(first_pick.pick_task_id, 0);
      assert.equal(replacements.length, 1);
      assert.deepEqual(await stockOf(elsewhere), { on_hand: 2, allocated: 2 });
      assert.equal((await linesOf(holds.so_id))[0]?.allocated, 1);
      assert.deepEqual(await stockOf(goods.inventory_id), { on_hand: 8, allocated: 0 });
    });

    it("after the wave is cancelled either: what was picked is back and believed, the rest is not", async () => {
      const w = await foundTwo();
      assert.equal((await cancel(w.batch_id)).status, 200);
      assert.deepEqual(await stockOf(w.inventory_id), { on_hand: 5, allocated: 2 });
      assert.deepEqual(await doubtedIn(w.inventory_id), { units: 3 });
      assert.equal((await linesOf(w.so_id))[0]?.allocated, 2);
    });

    it("but when the difference is rejected, or the count is ended, the books are believed again", async () => {
      for (const how of ["rejected", "ended"] as const) {
        const w = await foundTwo();
        const waits = await reserving(w.item_id, 3);
        const { count_id } = w.answer;
        if (how === "rejected") {
          const adjustment_id = await count(count_id, 0);
          assert.equal((await linesOf(waits.so_id))[0]?.allocated, 0);
          await review(adjustment_id, "reject");
        } else await cancelCount(count_id, `end ${count_id}`);
        assert.equal((await linesOf(waits.so_id))[0]?.allocated, 3, how);
        assert.deepEqual(await doubtedIn(w.inventory_id), { units: 0 });
      }
    });

    it("nor of anything else in the bin, once its count is ended", async () => {
      const w = await foundTwo();
      const later = await item();
      const inventory_id = await stock(warehouse_id, w.bin_id, later.item_id, 4);
      const { so_id } = await order(later.item_id, 4);
      const { first_pick } = await startWave(so_id);
      assert.equal((await short(first_pick.pick_task_id)).count_id, null);
      assert.deepEqual(await doubtedIn(inventory_id), { units: 4 });
      await cancelCount(w.answer.count_id, `end ${w.answer.count_id}`);
      for (const row of [w.inventory_id, inventory_id]) assert.deepEqual(await doubtedIn(row), { units: 0 });
    });

    it("and moves with nobody: what is found and moved out of the bin can be sold", async () => {
      const w = await foundTwo();
      const waits = await reserving(w.item_id, 2);
      const to = await bin(warehouse_id);
      await admin.ok("POST", "/api/transfers/move", {
        ...{ item_id: w.item_id, from_bin_id: w.bin_id, to_bin_id: to, quantity: 2, warehouse_id },
      });
      assert.equal((await linesOf(waits.so_id))[0]?.allocated, 2);
      assert.deepEqual(await doubtedIn(w.inventory_id), { units: 1 });
    });
  });

  describe("makes its order one that somebody decides about", () => {
    const decide = (so_id: number, decision: string, by = admin) =>
      by.post(`/api/admin/sales-orders/${so_id}/short-decision`, { decision });
    const isListed = async (so_id: number) => {
      const { sales_orders } = await admin.ok(
        "GET",
        `/api/admin/sales-orders?work=short&warehouse_id=${warehouse_id}&per_page=200`,
      );
      return sales_orders.some((row: { so_id: number }) => row.so_id === so_id);
    };
    const set = (settings: Record<string, string>) => admin.ok("PUT", "/api/admin/settings", { settings });
    const NEVER = { short_decision_hours: "0", short_decision_otherwise: "wait" };
    async function pickedShort() {
      const w = await foundTwo();
      assert.equal((await complete(w.batch_id)).status, 200);
      assert.equal(await orderStatus(w.so_id), "PICKED");
      assert.ok(await isListed(w.so_id));
      const { sales_order, lines } = await admin.ok("GET", `/api/admin/sales-orders/${w.so_id}`);
      assert.deepEqual([sales_order.is_short, lines[0].reported_missing], [true, 3]);
      return w;
    }

    it("to ship it as it is: nothing else changes, and it is asked about no more", async () => {
      const w = await pickedShort();
      const day = `/api/v1/dashboard/day?warehouse_id=${warehouse_id}`;
      const before = (await admin.ok("GET", day)).short;
      const { body } = await decide(w.so_id, "ship_short");
      assert.deepEqual([body.status, body.decision, body.backorder_so], ["PICKED", "ship_short", null]);
      assert.equal(await isListed(w.so_id), false);
      assert.equal((await admin.ok("GET", day)).short, before - 1);
      const again = await decide(w.so_id, "ship_short");
      assert.deepEqual([again.status, again.body.kind], [409, "not_short"]);
      assert.deepEqual(await doubtedIn(w.inventory_id), { units: 3 });
    });

    it("to let the rest wait: a backorder of it, and what was not found is off the books", async () => {
      const w = await pickedShort();
      const { body } = await decide(w.so_id, "wait");
      assert.equal(body.backorder_so.status, "WAITING_STOCK");
      assert.deepEqual(await stockOf(w.inventory_id), { on_hand: 0, allocated: 0 });
      const { lines } = await admin.ok("GET", `/api/admin/sales-orders/${body.backorder_so.so_id}`);
      assert.equal(lines[0].quantity_ordered, 3);
      assert.equal(await isListed(w.so_id), false);
    });

    it("to give the rest up: it is no longer ordered, and the books keep what is to be counted", async () => {
      const w = await pickedShort();
      const { body } = await decide(w.so_id, "cancel_rest");
      assert.deepEqual([body.decision, body.backorder_so], ["cancel_rest", null]);
      const { lines } = await admin.ok("GET", `/api/admin/sales-orders/${w.so_id}`);
      assert.deepEqual([lines[0].quantity_ordered, lines[0].quantity_picked], [2, 2]);
      assert.deepEqual(await stockOf(w.inventory_id), { on_hand: 3, allocated: 0 });
    });

    it("by the service when nobody did in time, as the settings say", async () => {
      const [late, early] = [await pickedShort(), await pickedShort()];
      await db.run("update sales_orders set picked_at = now() - interval '25 hours' where so_id = $1", [late.so_id]);
      await decideOverdue();
      assert.ok(await isListed(late.so_id), "by default nothing is decided");
      const mark = await auditMark();
      await set({ short_decision_hours: "24", short_decision_otherwise: "ship_short" });
      try {
        assert.equal(await decideOverdue(), 1);
        assert.equal(await decideOverdue(), 0);
      } finally {
        await set(NEVER);
      }
      assert.deepEqual([await isListed(late.so_id), await isListed(early.so_id)], [false, true]);
      const [row] = (await auditSince(mark)).filter(({ action_type }) => action_type === "SO_SHORT_DECIDED");
      assert.deepEqual(
        [row?.entity_id, row?.user_id, row?.details.decision, row?.details.reason],
        [late.so_id, "system", "ship_short", "nobody decided for 24 hours"],
      );
    });

    it("by somebody where the service cannot: an order of which nothing was found does not ship so", async () => {
      const goods = await shelved(5, 1);
      const { so_id } = await order(goods.item_id, 5);
      const { batch_id, first_pick } = await startWave(so_id);
      await short(first_pick.pick_task_id);
      assert.equal((await complete(batch_id)).status, 200);
      await db.run("update sales_orders set picked_at = now() - interval '25 hours' where so_id = $1", [so_id]);
      await set({ short_decision_hours: "24", short_decision_otherwise: "ship_short" });
      try {
        assert.equal(await decideOverdue(), 0);
      } finally {
        await set(NEVER);
      }
      assert.equal(await isListed(so_id), true);
    });

    it("anew when it is picked short again", async () => {
      const w = await pickedShort();
      await decide(w.so_id, "ship_short");
      const path = `/api/admin/sales-orders/${w.so_id}/revert-status`;
      await admin.ok("POST", path, { new_status: "OPEN" });
      await count(w.answer.count_id, 5);
      const { batch_id, first_pick } = await startWave(w.so_id);
      await short(first_pick.pick_task_id, 4);
      await complete(batch_id);
      assert.ok(await isListed(w.so_id));
    });

    it("but lets nothing wait of a backorder, nor of what is packed", async () => {
      const w = await pickedShort();
      const set = (values: string) => db.run(`update sales_orders set ${values} where so_id = $1`, [w.so_id]);
      await set("order_type = 'backorder'");
      const ofBackorder = await decide(w.so_id, "wait");
      assert.deepEqual([ofBackorder.status, ofBackorder.body.kind], [422, "not_eligible"]);
      await set("order_type = 'sale', status = 'PACKED'");
      const packed = await decide(w.so_id, "wait");
      assert.deepEqual([packed.status, packed.body.kind, packed.body.current_status], [409, "wrong_status", "PACKED"]);
      assert.equal((await decide(w.so_id, "cancel_rest")).status, 200);
    });

    it("but not who may not, about what is nobody's, or where nothing was picked", async () => {
      const w = await pickedShort();
      const missing = await decide(2_000_000_000, "wait");
      assert.deepEqual([missing.status, missing.body.kind], [404, "so_not_found"]);
      const stranger = await at().service.user({ warehouse_ids: [await warehouse()], page_keys: ["sales-orders"] });
      const clerk = await at().service.user({ warehouse_ids: [warehouse_id], page_keys: ["sales-orders"] });
      const denied = await decide(w.so_id, "wait", stranger);
      assert.deepEqual([denied.status, denied.code], [403, "warehouse_denied"]);
      for (const decision of ["wait", "cancel_rest"]) {
        const refused = await decide(w.so_id, decision, clerk);
        assert.deepEqual([refused.status, refused.code], [403, "edit_forbidden"]);
      }
      const goods = await shelved(1);
      const { so_id } = await order(goods.item_id, 1);
      const { batch_id, first_pick } = await startWave(so_id);
      await short(first_pick.pick_task_id, 0);
      await complete(batch_id);
      for (const decision of ["ship_short", "wait", "cancel_rest"]) {
        const refused = await decide(so_id, decision);
        assert.deepEqual([refused.status, refused.body.kind], [422, "nothing_left"], decision);
      }
    });
  });
});
