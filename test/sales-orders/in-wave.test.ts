import assert from "node:assert/strict";
import { db } from "../support/db.js";
import { stock, stockOf } from "../support/fixtures.js";
import { orderActions } from "../support/order-actions.js";
import { pluck } from "../support/pluck.js";

describe("an order on a walk", () => {
  const actions = orderActions();
  const { at, act, ordered, shelved, startWave, next, confirm } = actions;
  const { complete, cancel, pickAll, endOf, linesOf, tasksOf } = actions;
  const { orderStatus, eventsOf } = actions;

  /** Two orders for one item, 3 and 2 units of it in one task, and a second item for the first of them. */
  async function sharedWalk() {
    const shared = await shelved(9, 100);
    const own = await shelved(9, 200);
    const mine = await ordered({ item_id: shared.item_id, quantity: 3 }, { item_id: own.item_id, quantity: 1 });
    const theirs = await ordered({ item_id: shared.item_id, quantity: 2 });
    const wave = await startWave(mine.so_id, theirs.so_id);
    return { shared, own, mine, theirs, batch_id: wave.batch_id as number };
  }
  const batchOf = (batch_id: number) => at().service.admin.ok("GET", `/api/picking/batch/${batch_id}`);
  const walkOf = (by = at().picker) => by.ok("GET", "/api/picking/active-batch");

  describe("that is cancelled", () => {
    it("leaves a task that served others too to them, and the walk ends with what they asked for", async () => {
      const { shared, own, mine, theirs, batch_id } = await sharedWalk();
      assert.equal((await act(mine.so_id, "cancel")).status, 200);
      assert.deepEqual(await stockOf(shared.inventory_id), { on_hand: 9, allocated: 2 });
      assert.deepEqual(await stockOf(own.inventory_id), { on_hand: 9, allocated: 0 });
      const task = await next(batch_id);
      assert.deepEqual([task.quantity_to_pick, task.pick_number, task.total_picks], [2, 1, 1]);
      assert.deepEqual(task.contributing_orders, [{ so_number: theirs.so_number, quantity: 2 }]);
      const batch = await batchOf(batch_id);
      assert.deepEqual([batch.total_orders, batch.total_items, batch.orders.length], [1, 2, 1]);
      const walk = await walkOf();
      assert.deepEqual([walk.total_picks, walk.completed_picks, walk.total_orders], [1, 0, 1]);
      // What the scanner still shows from before.
      const stale = await confirm(task.pick_task_id, task.upc, 5);
      assert.deepEqual([stale.status, stale.body], [400, { error: "Only 2 to pick, 5 given" }]);
      await pickAll(batch_id);
      const done = await complete(batch_id);
      assert.deepEqual(done.body.summary, {
        ...{ total_orders: 1, total_items_picked: 2, total_shorts: 0 },
        orders: [{ so_number: theirs.so_number, status: "PICKED" }],
      });
      assert.equal((await endOf(batch_id)).ended, "completed");
      assert.equal(await orderStatus(mine.so_id), "CANCELLED");
      assert.equal(await orderStatus(theirs.so_id), "PICKED");
      assert.deepEqual(await eventsOf(mine.so_id), []);
      assert.deepEqual(await eventsOf(theirs.so_id), ["pick.confirmed"]);
    });

    it("after its units were picked puts them into receiving, and leaves those of others in the tote", async () => {
      const { shared, mine, theirs, batch_id } = await sharedWalk();
      const task = await next(batch_id);
      await confirm(task.pick_task_id, task.upc, 5);
      assert.equal((await act(mine.so_id, "cancel")).status, 200);
      assert.deepEqual(await linesOf(theirs.so_id), [{ picked: 2, allocated: 2, status: "PICKED" }]);
      const [put] = await db.rows<{ units: number }>(
        "select sum(quantity_on_hand)::int as units from inventory where item_id = $1",
        [shared.item_id],
      );
      assert.equal(put?.units, 7);
      assert.deepEqual(await next(batch_id), { message: "All tasks complete" });
      const walk = await walkOf();
      assert.deepEqual([walk.total_picks, walk.completed_picks], [1, 1]);
      const done = await complete(batch_id);
      assert.equal(done.body.summary.total_items_picked, 2);
    });

    it("alone on its walk answers the scanner, which can end the walk", async () => {
      const { item_id, upc } = await shelved(5);
      const order = await ordered({ item_id, quantity: 5 });
      const { batch_id, first_pick } = await startWave(order.so_id);
      await act(order.so_id, "cancel");
      const late = await confirm(first_pick.pick_task_id, upc ?? "", 5);
      assert.deepEqual(
        [late.status, late.body],
        [...[400, { error: "Pick task is already SKIPPED", status: "SKIPPED" }]],
      );
      assert.deepEqual(await next(batch_id), { message: "All tasks complete" });
      const done = await complete(batch_id);
      assert.deepEqual(
        [done.status, done.body.summary],
        [200, { total_orders: 0, total_items_picked: 0, total_shorts: 0, orders: [] }],
      );
      assert.equal((await endOf(batch_id)).ended, "completed");
      assert.deepEqual(await walkOf(), { active: false });
    });

    it("lets the walk be given up, which puts back what is left of it", async () => {
      const { shared, mine, theirs, batch_id } = await sharedWalk();
      await act(mine.so_id, "cancel");
      assert.equal((await cancel(batch_id)).status, 200);
      assert.deepEqual(await stockOf(shared.inventory_id), { on_hand: 9, allocated: 2 });
      assert.equal(await orderStatus(theirs.so_id), "OPEN");
      assert.equal(await orderStatus(mine.so_id), "CANCELLED");
    });

    it("in a batch with a tote for each order leaves the others' totes", async () => {
      const { item_id } = await shelved(9);
      const [mine, theirs] = [await ordered({ item_id, quantity: 3 }), await ordered({ item_id, quantity: 2 })];
      const { picker, warehouse_id } = at();
      const { batch_id } = await picker.ok("POST", "/api/picking/create-batch", {
        so_identifiers: [mine.so_number, theirs.so_number],
        warehouse_id,
      });
      await act(mine.so_id, "cancel");
      const { orders, tasks } = await batchOf(batch_id);
      assert.deepEqual(orders, [{ so_id: theirs.so_id, so_number: theirs.so_number, tote_number: "TOTE-2" }]);
      assert.deepEqual(pluck(tasks, "status"), ["SKIPPED", "PENDING"]);
      await pickAll(batch_id);
      assert.equal((await complete(batch_id)).status, 200);
    });
  });

  describe("whose picks are put back", () => {
    it("is picked again on the same walk, which then ends with the whole", async () => {
      const { shared, mine, theirs, batch_id } = await sharedWalk();
      const task = await next(batch_id);
      await confirm(task.pick_task_id, task.upc, 5);
      const { status, body } = await act(mine.so_id, "revert-status", {
        new_status: "OPEN",
        release_pick_task_ids: [task.pick_task_id],
      });
      assert.deepEqual(
        [status, body.released_pick_tasks],
        [
          200,
          [
            {
              pick_task_id: task.pick_task_id,
              so_line_id: mine.line_ids[0],
              ...{ item_id: shared.item_id, bin_id: shared.bin_id, quantity: 3 },
            },
          ],
        ],
      );
      assert.deepEqual(await stockOf(shared.inventory_id), { on_hand: 7, allocated: 3 });
      const again = await next(batch_id);
      assert.deepEqual([again.so_number, again.quantity_to_pick, again.bin_code], [mine.so_number, 3, task.bin_code]);
      assert.deepEqual([again.pick_number, again.total_picks], [2, 3]);
      await pickAll(batch_id);
      const done = await complete(batch_id);
      assert.equal(done.body.summary.total_items_picked, 6);
      for (const { so_id } of [mine, theirs]) assert.deepEqual(await eventsOf(so_id), ["pick.confirmed"]);
      const told = await db.rows<{ units: number }>(
        `select (line->>'quantity_picked')::int as units
         from integration_events, jsonb_array_elements(event_data(integration_events)->'lines') as line
         where entity_id = $1 and event_type = 'pick.confirmed' order by 1`,
        [mine.so_id],
      );
      assert.deepEqual(told, [{ units: 1 }, { units: 3 }]);
      assert.equal((await endOf(batch_id)).ended, "completed");
    });

    it("is picked again lot by lot, each from where it was put back", async () => {
      const goods = await shelved(2);
      const lot = await stock(at().warehouse_id, goods.bin_id, goods.item_id, 3, "A");
      const { so_id } = await ordered({ item_id: goods.item_id, quantity: 5 });
      const { batch_id } = await startWave(so_id);
      await pickAll(batch_id);
      const tasks = await tasksOf(so_id);
      assert.equal(tasks.length, 2);
      const { status } = await act(so_id, "revert-status", {
        new_status: "OPEN",
        release_pick_task_ids: tasks.map((task) => task.pick_task_id),
      });
      assert.equal(status, 200);
      assert.deepEqual(await stockOf(goods.inventory_id), { on_hand: 2, allocated: 2 });
      assert.deepEqual(await stockOf(lot), { on_hand: 3, allocated: 3 });
      await pickAll(batch_id);
      assert.equal((await complete(batch_id)).body.summary.total_items_picked, 5);
    });

    it("cannot have them put back that are still to be picked", async () => {
      const { mine, batch_id } = await sharedWalk();
      const { pick_task_id } = await next(batch_id);
      const { status, body } = await act(mine.so_id, "revert-status", {
        new_status: "OPEN",
        release_pick_task_ids: [pick_task_id],
      });
      assert.deepEqual([status, body.kind, body.wrong_state_ids], [400, "pick_task_wrong_state", [pick_task_id]]);
    });

    it("after the walk keeps the share of the other order where it is", async () => {
      const { shared, mine, theirs, batch_id } = await sharedWalk();
      const { pick_task_id } = await next(batch_id);
      await pickAll(batch_id);
      await complete(batch_id);
      const mineTasks = await tasksOf(mine.so_id);
      await act(mine.so_id, "revert-status", {
        new_status: "OPEN",
        release_pick_task_ids: mineTasks.map((task) => task.pick_task_id),
      });
      assert.deepEqual(await tasksOf(theirs.so_id), [{ pick_task_id, status: "PICKED", quantity: 2 }]);
      assert.equal(await orderStatus(theirs.so_id), "PICKED");
      assert.equal((await stockOf(shared.inventory_id)).on_hand, 7);
      await act(theirs.so_id, "revert-status", { new_status: "OPEN", release_pick_task_ids: [pick_task_id] });
      assert.equal((await stockOf(shared.inventory_id)).on_hand, 9);
      const again = await startWave(mine.so_id, theirs.so_id);
      assert.equal(again.total_picks, 2);
    });
  });
});
