import assert from "node:assert/strict";
import { releaseIfIdle } from "../../activities/picking/index.js";
import { checkMove } from "../../activities/stock/transfer-status.js";
import { transferOrderStates } from "../../src/platform/states.js";
import type { Caller } from "../support/caller.js";
import { db } from "../support/db.js";
import * as fixtures from "../support/fixtures.js";
import { assertInvariants } from "../support/invariants.js";
import { auditMark, auditSince } from "../support/records.js";
import { testService } from "../support/service.js";
import { confirm, testSites, transferOrder, walk } from "../support/transfers.js";

describe("the walks and approvals of transfer orders", () => {
  const service = testService({ worker: true });
  const at = testSites();
  let ann: Caller;
  beforeEach(async () => {
    ann = await service.user({ role: "ADMIN" });
  });
  afterEach(() => assertInvariants());

  /** An order of 10 units, 4 of a lot and 6 of none, whose walk has a task for each. */
  async function walked() {
    const item = await at.goods(4, "LOT-A");
    const rest = await fixtures.stock(at.source, at.bin_id, item.item_id, 6);
    const order = await transferOrder(ann, at, [{ item_id: item.item_id, quantity: 10 }]);
    const { batch_id, tasks } = await walk(ann, order.to_id);
    const [four, six] = tasks.toSorted((a, b) => a.pick_task_id - b.pick_task_id) as [Task, Task];
    const submit = async (): Promise<number> =>
      (await ann.ok("POST", `/api/admin/picker/transfer-orders/${order.to_id}/submit`)).to_approval_id;
    return { ...item, ...order, rest, batch_id, four, six, submit };
  }
  type Task = Awaited<ReturnType<typeof walk>>["tasks"][0];
  type Walked = Awaited<ReturnType<typeof walked>>;

  /** Where an order stands: its status, its line's, and how much of that is picked. */
  async function standing({ read }: Walked) {
    const { transfer_order, lines } = await read();
    return [transfer_order.status, lines[0].status, lines[0].picked_qty];
  }
  const batchStatus = (batch_id: number) =>
    db.value<string>("select status from pick_batches where batch_id = $1", [batch_id]);

  /** What is picked is on the shelf again, and held for the order as before. */
  async function assertPutBack(order: Walked) {
    assert.deepEqual(await standing(order), ["OPEN", "PENDING", 0]);
    assert.equal(await batchStatus(order.batch_id), "CANCELLED");
    assert.deepEqual(await fixtures.stockOf(order.inventory_id), { on_hand: 4, allocated: 4 });
    assert.deepEqual(await fixtures.stockOf(order.rest), { on_hand: 6, allocated: 6 });
  }
  const endings: Record<string, (order: Walked) => Promise<unknown>> = {
    "its cancellation": ({ batch_id }) => ann.ok("POST", "/api/picking/cancel-batch", { batch_id }),
    "a new wave of its picker": async () => {
      const { item_id } = await at.goods(1);
      const { so_id } = await fixtures.salesOrder(at.source, [{ item_id, quantity: 1 }]);
      await ann.ok("POST", "/api/picking/wave-create", { so_ids: [so_id], warehouse_id: at.source });
    },
    "standing idle": async ({ batch_id }) => {
      await db.run("update pick_batches set started_at = now() - interval '13 hours' where batch_id = $1", [batch_id]);
      await db.run("update pick_tasks set picked_at = now() - interval '13 hours' where batch_id = $1", [batch_id]);
      assert.equal((await releaseIfIdle(batch_id, `look-${batch_id}`)).ended, "idle");
    },
  };

  for (const [what, end] of Object.entries(endings)) {
    it(`are undone by ${what}, as far as nothing is submitted; what is reserved stays so`, async () => {
      const order = await walked();
      await confirm(ann, order.four, 4);
      await ann.ok("POST", "/api/picking/short", { pick_task_id: order.six.pick_task_id, quantity_available: 2 });
      assert.deepEqual(await standing(order), ["PARTIALLY_PICKED", "PARTIALLY_PICKED", 6]);
      await end(order);
      await assertPutBack(order);
    });

    it(`keep what awaits approval after ${what}; the next walk is for the rest`, async () => {
      const order = await walked();
      await confirm(ann, order.four, 4);
      const approval = await order.submit();
      await confirm(ann, order.six, 6);
      assert.deepEqual(await standing(order), ["AWAITING_APPROVAL", "PICKED", 10]);
      await end(order);
      assert.deepEqual(await standing(order), ["PARTIALLY_PICKED", "PARTIALLY_PICKED", 4]);
      const again = await walk(ann, order.to_id);
      assert.equal(again.tasks.length, 1);
      await confirm(ann, again.tasks[0] as Task, 6);
      const { transfer } = await ann.ok("POST", "/api/picking/complete-batch", { batch_id: again.batch_id });
      const ben = await service.user({ role: "ADMIN" });
      for (const [id, closed] of [
        [transfer.to_approval_id, false],
        [approval, true],
      ]) {
        const { to_closed } = await ben.ok("POST", `${order.path}/approvals/${id}/approve`);
        assert.equal(to_closed, closed);
      }
      assert.deepEqual(await standing(order), ["CLOSED", "APPROVED", 10]);
    });
  }

  it("can be taken over by any picker, who goes on where the other one was", async () => {
    const order = await walked();
    await confirm(ann, order.four, 4);
    const ben = await service.user({ warehouse_ids: [at.source] });
    const scan = { barcode: order.to_number, warehouse_id: at.source };
    const refused = await ben.post("/api/picking/wave-validate", scan);
    assert.deepEqual([refused.status, refused.body.batch_id], [409, order.batch_id]);
    const take = () => ben.ok("POST", `/api/picking/batch/${order.batch_id}/take`);
    const since = await auditMark();
    assert.equal((await take()).assigned_to, ben.username);
    assert.equal((await take()).assigned_to, ben.username);
    const audited = await auditSince(since);
    assert.deepEqual(
      audited.map(({ details }) => details.assigned_to),
      [{ old: ann.username, new: ben.username }],
    );
    assert.equal((await ben.ok("POST", "/api/picking/wave-validate", scan)).batch_id, order.batch_id);
    assert.equal((await ben.ok("GET", "/api/picking/active-batch")).batch_id, order.batch_id);
    await confirm(ben, order.six, 6);
    const { transfer } = await ben.ok("POST", "/api/picking/complete-batch", { batch_id: order.batch_id });
    assert.equal(transfer.to_status, "AWAITING_APPROVAL");
    const { approvals } = await order.read();
    assert.deepEqual([approvals[0].submitted_by, approvals[0].lines.length], [ben.username, 2]);
    const ended = await ann.post(`/api/picking/batch/${order.batch_id}/take`);
    assert.deepEqual([ended.status, ended.code], [409, "batch_not_active"]);
  });

  it("are not taken over where they are waves, unknown, or of another warehouse", async () => {
    const { item_id } = await at.goods(1);
    const { so_id } = await fixtures.salesOrder(at.source, [{ item_id, quantity: 1 }]);
    const wave = await ann.ok("POST", "/api/picking/wave-create", { so_ids: [so_id], warehouse_id: at.source });
    const take = async (by: Caller, batch_id: number) => {
      const { status, code } = await by.post(`/api/picking/batch/${batch_id}/take`);
      return [status, code];
    };
    assert.deepEqual(await take(ann, wave.batch_id), [409, "not_a_transfer_batch"]);
    assert.deepEqual(await take(ann, 99_999_999), [404, "batch_not_found"]);
    const far = await service.user({ warehouse_ids: [at.destination] });
    assert.equal((await take(far, wave.batch_id))[0], 403);
  });

  it("begin again for the same picker: what was picked and not submitted is picked anew", async () => {
    const order = await walked();
    await confirm(ann, order.four, 4);
    const again = await walk(ann, order.to_id);
    assert.equal(await batchStatus(order.batch_id), "CANCELLED");
    assert.equal(again.tasks.length, 2);
    assert.deepEqual(await standing(order), ["OPEN", "PENDING", 0]);
  });

  it("end without an approval where nothing was found", async () => {
    const order = await walked();
    for (const { pick_task_id } of [order.four, order.six])
      await ann.ok("POST", "/api/picking/short", { pick_task_id, quantity_available: 0 });
    const { transfer } = await ann.ok("POST", "/api/picking/complete-batch", { batch_id: order.batch_id });
    assert.deepEqual([transfer.to_status, transfer.to_approval_id], ["OPEN", null]);
    assert.deepEqual((await order.read()).approvals, []);
    assert.equal((await walk(ann, order.to_id)).tasks.length, 2);
  });

  it("are not deleted from the desk: the order is what is cancelled", async () => {
    const order = await walked();
    await confirm(ann, order.four, 4);
    const refused = await service.admin.post(`/api/admin/pick-batches/${order.batch_id}/delete`);
    assert.deepEqual([refused.status, refused.code], [409, "transfer_batch"]);
    assert.deepEqual(await standing(order), ["PARTIALLY_PICKED", "PARTIALLY_PICKED", 4]);
    await ann.ok("POST", `${order.path}/cancel`);
    assert.equal(await batchStatus(order.batch_id), "CANCELLED");
    assert.deepEqual(await fixtures.stockOf(order.rest), { on_hand: 6, allocated: 0 });
  });

  it("go with an order that is deleted before anything is picked", async () => {
    const order = await walked();
    await ann.ok("DELETE", order.path);
    assert.equal(await batchStatus(order.batch_id), undefined);
    assert.deepEqual(await fixtures.stockOf(order.rest), { on_hand: 6, allocated: 0 });
  });

  it("are decided one by one: of several that are open, one may be rejected and submitted again", async () => {
    const order = await walked();
    const ben = await service.user({ role: "ADMIN" });
    await confirm(ann, order.four, 4);
    const first = await order.submit();
    await confirm(ann, order.six, 5);
    const second = await order.submit();
    const open = async () => (await order.read()).approvals.filter((a: { status: string }) => a.status === "PENDING");
    assert.equal((await open()).length, 2);
    const on = (id: number, decision: string) => ben.ok("POST", `${order.path}/approvals/${id}/${decision}`);
    await on(first, "reject");
    assert.equal((await on(second, "approve")).to_closed, false);
    assert.deepEqual(await fixtures.stockOf(order.rest), { on_hand: 1, allocated: 1 });
    const third = await order.submit();
    await on(third, "approve");
    assert.deepEqual(await fixtures.stockOf(order.inventory_id), { on_hand: 0, allocated: 0 });
    const { transfer_order, lines } = await order.read();
    assert.deepEqual(
      [transfer_order.status, lines[0].status, lines[0].approved_qty],
      ["PARTIALLY_PICKED", "PARTIALLY_PICKED", 9],
    );
    const line = `${order.path}/lines/${lines[0].to_line_id}/short-close`;
    assert.equal((await ann.ok("POST", line)).released_qty, 1);
    assert.equal((await order.read()).transfer_order.status, "CLOSED");
    assert.deepEqual(await fixtures.stockOf(order.rest), { on_hand: 1, allocated: 0 });
  });

  it("never take an order to a status that its table does not allow", () => {
    const states = Object.keys(transferOrderStates) as (keyof typeof transferOrderStates)[];
    for (const from of states)
      for (const to of states) {
        const order = {
          to_id: 1,
          to_number: "TO-1",
          source_warehouse_id: 1,
          destination_warehouse_id: 2,
          status: from,
        };
        const next: readonly string[] = transferOrderStates[from];
        if (from === to || next.includes(to)) checkMove(order, to);
        else assert.throws(() => checkMove(order, to), new Error(`TO-1 cannot go from ${from} to ${to}`));
      }
  });
});
