import assert from "node:assert/strict";
import { db } from "../support/db.js";
import * as fixtures from "../support/fixtures.js";
import { assertInvariants } from "../support/invariants.js";
import { pluckAll } from "../support/pluck.js";
import { testService } from "../support/service.js";
import { confirm, submitted, TRANSFERS, testSites, transferOrder, walk } from "../support/transfers.js";

describe("transfer orders", () => {
  const service = testService({ worker: true });
  const at = testSites();
  afterEach(() => assertInvariants());

  it("are approved line by line: what is not chosen waits as an approval of its own", async () => {
    const picker = await service.user({ role: "ADMIN" });
    const [one, two] = [await at.goods(5, "LOT-B"), await at.goods(7)];
    const order = await transferOrder(picker, at, [
      { item_id: one.item_id, quantity: 5 },
      { item_id: two.item_id, quantity: 7 },
    ]);
    const { batch_id, tasks } = await walk(picker, order.to_id);
    for (const task of tasks) await confirm(picker, task, task.sku === one.sku ? 5 : 7);
    const { transfer } = await picker.ok("POST", "/api/picking/complete-batch", { batch_id });
    const before = (await order.read()).approvals;
    assert.deepEqual(pluckAll(before[0].lines, "sku", "quantity", "lot_number"), [
      [one.sku, 5, "LOT-B"],
      [two.sku, 7, null],
    ]);
    const [first, second] = order.lines.map(({ to_line_id }) => to_line_id);
    const approver = await service.user({ role: "ADMIN" });
    const approve = `${order.path}/approvals/${transfer.to_approval_id}/approve`;
    const unknown = await approver.post(approve, { to_line_ids: [first, 99_999_999] });
    assert.deepEqual([unknown.status, unknown.code], [404, "transfer_line_not_found"]);
    assert.deepEqual((await order.read()).approvals, before);

    const part = await approver.ok("POST", approve, { to_line_ids: [first] });
    assert.deepEqual([part.status, part.to_closed, part.line_count], ["APPROVED", false, 1]);
    const [approved, waiting] = (await order.read()).approvals;
    assert.deepEqual([approved.status, approved.lines.length], ["APPROVED", 1]);
    assert.deepEqual(
      [waiting.status, waiting.submitted_by, waiting.submitted_at],
      ["PENDING", picker.username, approved.submitted_at],
    );
    assert.deepEqual(pluckAll(waiting.lines, "to_line_id", "quantity"), [[second, 7]]);
    assert.deepEqual(await fixtures.stockOf(two.inventory_id), { on_hand: 7, allocated: 7 });
    const rest = await approver.ok("POST", `${order.path}/approvals/${waiting.to_approval_id}/approve`);
    assert.equal(rest.to_closed, true);
  });

  it("go from creation to closing: held, picked, submitted, approved, arrived by lot", async () => {
    const picker = await service.user({ role: "ADMIN" });
    const item = await at.goods(4, "LOT-A");
    const other = await fixtures.stock(at.source, at.bin_id, item.item_id, 8);
    const order = await transferOrder(picker, at, [{ item_id: item.item_id, quantity: 10 }]);
    assert.deepEqual(await fixtures.stockOf(item.inventory_id), { on_hand: 4, allocated: 4 });
    assert.deepEqual(await fixtures.stockOf(other), { on_hand: 8, allocated: 6 });

    const { batch_id, tasks } = await walk(picker, order.to_id);
    assert.equal(tasks.length, 2);
    for (const [i, task] of tasks.entries()) await confirm(picker, task, i === 0 ? 4 : 6);
    assert.deepEqual(await fixtures.stockOf(other), { on_hand: 8, allocated: 6 });
    assert.equal((await order.read()).transfer_order.status, "AWAITING_APPROVAL");

    const done = await picker.ok("POST", "/api/picking/complete-batch", { batch_id });
    assert.equal(done.transfer.to_status, "AWAITING_APPROVAL");
    const approver = await service.user({ role: "ADMIN" });
    const approved = await approver.ok("POST", `${order.path}/approvals/${done.transfer.to_approval_id}/approve`);
    assert.deepEqual(approved, {
      to_approval_id: done.transfer.to_approval_id,
      status: "APPROVED",
      to_closed: true,
      line_count: 1,
    });
    assert.deepEqual(await fixtures.stockOf(other), { on_hand: 2, allocated: 0 });
    const arrived = await db.rows(
      "select lot_number, quantity_on_hand from inventory where bin_id = $1 and item_id = $2 order by lot_number",
      [at.staging, item.item_id],
    );
    assert.deepEqual(arrived, [
      { lot_number: "LOT-A", quantity_on_hand: 4 },
      { lot_number: null, quantity_on_hand: 6 },
    ]);
    const detail = await order.read();
    assert.equal(detail.transfer_order.status, "CLOSED");
    const [{ started_at, completed_at, ...walked }] = detail.walks;
    assert.ok(completed_at > started_at);
    assert.deepEqual(walked, {
      ...{ batch_id, batch_number: `BATCH-TO-${batch_id}`, status: "COMPLETED" },
      ...{ assigned_to: picker.username, total_items: 10 },
    });
    assert.deepEqual(pluckAll(detail.lines, "status", "approved_qty"), [["APPROVED", 10]]);
  });

  it("are cancelled, short-closed, rejected and deleted", async () => {
    const { path, to_approval_id, item, picker, batch_id, lines } = await submitted(service, at, 6);
    await picker.ok("POST", `${path}/approvals/${to_approval_id}/reject`, { rejection_reason: "wet" });
    await picker.ok("POST", "/api/picking/cancel-batch", { batch_id });
    assert.deepEqual(await fixtures.stockOf(item.inventory_id), { on_hand: 20, allocated: 10 });
    const line = lines[0]?.to_line_id;
    const closed = await picker.ok("POST", `${path}/lines/${line}/short-close`);
    assert.deepEqual(closed, { to_line_id: line, status: "SHORT_CLOSED", released_qty: 10 });
    const gone = await transferOrder(picker, at, [{ item_id: item.item_id, quantity: 3 }]);
    assert.equal((await picker.delete(gone.path)).status, 204);
    assert.equal((await picker.get(gone.path)).status, 404);
    const ended = await transferOrder(picker, at, [{ item_id: item.item_id, quantity: 3 }]);
    await walk(picker, ended.to_id);
    assert.deepEqual(await picker.ok("POST", `${TRANSFERS}/${ended.to_id}/cancel`), {
      to_id: ended.to_id,
      status: "CANCELLED",
    });
    assert.deepEqual(await fixtures.stockOf(item.inventory_id), { on_hand: 20, allocated: 0 });
  });
});
