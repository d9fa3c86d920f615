import assert from "node:assert/strict";
import type { Caller } from "../support/caller.js";
import { db } from "../support/db.js";
import { assertEventsMatchSchemas } from "../support/events.js";
import * as fixtures from "../support/fixtures.js";
import { assertInvariants } from "../support/invariants.js";
import { pluckAll } from "../support/pluck.js";
import { auditMark, auditSince } from "../support/records.js";
import { testService } from "../support/service.js";
import { confirm, submitted, TRANSFERS, testSites, transferOrder, walk } from "../support/transfers.js";

describe("what transfer orders leave behind", () => {
  const service = testService({ worker: true });
  const at = testSites();
  let ann: Caller;
  let ben: Caller;
  before(async () => {
    ann = await service.user({ role: "ADMIN", username: "ann" });
    ben = await service.user({ role: "ADMIN", username: "ben" });
  });
  afterEach(() => assertInvariants());

  /** What something writes into the audit log: action, entity, its id, who, and which of the warehouses. */
  async function written(act: () => Promise<unknown>): Promise<string[]> {
    const mark = await auditMark();
    await act();
    return (await auditSince(mark)).map(({ action_type, entity_type, entity_id, user_id, warehouse_id }) => {
      const where = warehouse_id === at.source ? "source" : warehouse_id === at.destination ? "destination" : "?";
      return `${action_type} ${entity_type} ${entity_id} by ${user_id} at ${where}`;
    });
  }

  async function ordered(quantity = 10) {
    const item = await at.goods(quantity);
    const order = await transferOrder(ann, at, [{ item_id: item.item_id, quantity }]);
    return { ...item, ...order, to_line_id: order.lines[0]?.to_line_id as number };
  }
  const submit = (to_id: number) => ann.ok("POST", `/api/admin/picker/transfer-orders/${to_id}/submit`);

  it("an audit row of each step: at the source until it is decided on, then at the destination", async () => {
    const goods = await at.goods(10);
    let order = {} as Awaited<ReturnType<typeof transferOrder>>;
    const created = await written(async () => {
      order = await transferOrder(ann, at, [{ item_id: goods.item_id, quantity: 10 }]);
    });
    const { to_id, path } = order;
    const line = order.lines[0]?.to_line_id as number;
    assert.deepEqual(created, [`TO_CREATED TO ${to_id} by ann at source`]);

    let walked = {} as Awaited<ReturnType<typeof walk>>;
    const begun = await written(async () => {
      walked = await walk(ann, to_id);
    });
    assert.deepEqual(begun, [`CREATE PICK_BATCH ${walked.batch_id} by ann at source`]);
    const task = walked.tasks[0] as (typeof walked.tasks)[0];
    assert.deepEqual(await written(() => confirm(ann, task, 6)), [`TO_LINE_PICKED TO_LINE ${line} by ann at source`]);

    let approval = 0;
    const sent = await written(async () => {
      approval = (await submit(to_id)).to_approval_id;
    });
    assert.deepEqual(sent, [`TO_SUBMITTED TO_APPROVAL ${approval} by ann at source`]);
    const rejected = await written(() => ben.ok("POST", `${path}/approvals/${approval}/reject`, {}));
    assert.deepEqual(rejected, [`TO_REJECTED TO_APPROVAL ${approval} by ben at destination`]);

    const completed = await written(async () => {
      const { transfer } = await ann.ok("POST", "/api/picking/complete-batch", { batch_id: walked.batch_id });
      approval = transfer.to_approval_id;
    });
    assert.deepEqual(completed.sort(), [
      `TO_SUBMITTED TO_APPROVAL ${approval} by ann at source`,
      `UPDATE PICK_BATCH ${walked.batch_id} by ann at source`,
    ]);
    const approved = await written(() => ben.ok("POST", `${path}/approvals/${approval}/approve`));
    assert.deepEqual(approved, [`TO_APPROVED TO_APPROVAL ${approval} by ben at destination`]);
    const closed = await written(() => ann.ok("POST", `${path}/lines/${line}/short-close`));
    assert.deepEqual(closed, [
      `TO_LINE_SHORT_CLOSED TO_LINE ${line} by ann at source`,
      `TO_CLOSED TO ${to_id} by ann at destination`,
    ]);
  });

  it("one that says so when the bin held less", async () => {
    const { to_id, to_line_id } = await ordered();
    const { tasks } = await walk(ann, to_id);
    const mark = await auditMark();
    const { pick_task_id } = tasks[0] as (typeof tasks)[0];
    await ann.ok("POST", "/api/picking/short", { pick_task_id, quantity_available: 7, reason: "damaged" });
    const [row] = await auditSince(mark);
    const { type, shortage, reason, quantity_picked } = row?.details ?? {};
    assert.deepEqual(
      [row?.action_type, row?.entity_id, type, shortage, reason, quantity_picked],
      ["TO_LINE_PICKED", to_line_id, "SHORT_PICK", 3, "damaged", 7],
    );
  });

  it("those of an approval that closes the order, of picks put back, units taken elsewhere, and an end", async () => {
    const { to_id, path, to_approval_id } = await submitted(service, at);
    const approved = await written(() => ben.ok("POST", `${path}/approvals/${to_approval_id}/approve`));
    assert.deepEqual(approved, [
      `TO_APPROVED TO_APPROVAL ${to_approval_id} by ben at destination`,
      `TO_CLOSED TO ${to_id} by ben at destination`,
    ]);

    const order = await ordered();
    const { batch_id, tasks } = await walk(ann, order.to_id);
    await confirm(ann, tasks[0] as (typeof tasks)[0], 4);
    const undone = await written(() => ann.ok("POST", "/api/picking/cancel-batch", { batch_id }));
    assert.deepEqual(undone, [
      `TO_PICK_RELEASED TO ${order.to_id} by ann at source`,
      `CANCEL PICK_BATCH ${batch_id} by ann at source`,
    ]);

    const taken = await written(() =>
      ann.ok("POST", "/api/admin/adjustments/direct", {
        ...{ item_id: order.item_id, bin_id: at.bin_id, warehouse_id: at.source },
        ...{ adjustment_type: "REMOVE", quantity: 3, reason: "broken" },
      }),
    );
    assert.ok(taken.includes(`TO_LINE_CUT TO_LINE ${order.to_line_id} by ann at source`), taken.join());

    const cancelled = await written(() => ann.ok("POST", `${order.path}/cancel`));
    assert.deepEqual(cancelled, [`TO_CANCELLED TO ${order.to_id} by ann at source`]);
    const deleted = await written(() => ann.ok("DELETE", order.path));
    assert.deepEqual(deleted, [`TO_DELETED TO ${order.to_id} by ann at source`]);
  });

  it("those of a cancellation with a walk and an open approval, in one", async () => {
    const { to_id, path, batch_id, to_approval_id } = await submitted(service, at, 6);
    const cancelled = await written(() => ben.ok("POST", `${path}/cancel`));
    assert.deepEqual(cancelled.sort(), [
      `CANCEL PICK_BATCH ${batch_id} by ben at source`,
      `TO_CANCELLED TO ${to_id} by ben at source`,
      `TO_PICK_RELEASED TO ${to_id} by ben at source`,
      `TO_REJECTED TO_APPROVAL ${to_approval_id} by ben at destination`,
    ]);
  });

  it("who approved the own picks, where that is allowed", async () => {
    const allow = (transfer_order_block_self_approval: string) =>
      service.admin.ok("PUT", "/api/admin/settings", { settings: { transfer_order_block_self_approval } });
    const { path, to_approval_id, picker } = await submitted(service, at);
    await allow("false");
    const mark = await auditMark();
    await picker.ok("POST", `${path}/approvals/${to_approval_id}/approve`);
    await allow("true");
    const row = (await auditSince(mark)).find(({ action_type }) => action_type === "TO_APPROVED");
    assert.deepEqual([row?.details.self_approved, row?.details.submitted_by], [true, picker.username]);
  });

  it("an event of an approval, at the destination, with one line for each item", async () => {
    const [mugs, cups] = [await at.goods(4, "LOT-A"), await at.goods(9)];
    await fixtures.stock(at.source, await fixtures.bin(at.source), mugs.item_id, 4);
    const order = await transferOrder(ann, at, [
      { item_id: mugs.item_id, quantity: 5 },
      { item_id: cups.item_id, quantity: 2 },
      { item_id: mugs.item_id, quantity: 3 },
    ]);
    const { batch_id, tasks } = await walk(ann, order.to_id);
    const units = await db.rows<{ units: number }>(
      "select quantity_to_pick as units from pick_tasks where batch_id = $1 order by pick_task_id",
      [batch_id],
    );
    const inOrder = tasks.toSorted((a, b) => a.pick_task_id - b.pick_task_id);
    for (const [i, task] of inOrder.entries()) await confirm(ann, task, units[i]?.units ?? 0);
    const { to_approval_id, line_count } = await submit(order.to_id);
    assert.equal(line_count, 3);
    const answer = await ben.ok("POST", `${TRANSFERS}/${order.to_id}/approvals/${to_approval_id}/approve`);
    assert.deepEqual([answer.line_count, answer.to_closed], [3, true]);

    const detail = await order.read();
    const events = await db.rows<{ payload: Record<string, unknown> }>(
      `select aggregate_type, aggregate_external_id, entity_type, warehouse_id,
         event_data(integration_events) as payload
       from integration_events where event_type = 'inventorytransfer.completed' and entity_id = $1
         and entity_type = 'transfer_order_approval'`,
      [to_approval_id],
    );
    assert.equal(events.length, 1);
    const { payload, ...envelope } = events[0] as (typeof events)[0];
    const aggregate_external_id = detail.approvals[0].external_id;
    assert.deepEqual(envelope, {
      ...{ aggregate_type: "transfer", aggregate_external_id, entity_type: "transfer_order_approval" },
      warehouse_id: at.destination,
    });
    const { lines, completed_at, ...rest } = payload;
    assert.ok(Date.parse(String(completed_at)) <= Date.now());
    assert.deepEqual(rest, {
      ...{ transfer_external_id: aggregate_external_id, to_number: order.to_number },
      ...{ from_warehouse_id: at.source, to_warehouse_id: at.destination },
    });
    assert.deepEqual(pluckAll(lines as { sku: string; quantity: number }[], "sku", "quantity"), [
      [mugs.sku, 8],
      [cups.sku, 2],
    ]);
    await assertEventsMatchSchemas();
  });

  it("no event of a rejection, a cancellation or a short-close", async () => {
    const { path, to_approval_id } = await submitted(service, at, 6);
    const count = () => db.row("select count(*) from integration_events");
    const earlier = await count();
    await ben.ok("POST", `${path}/approvals/${to_approval_id}/reject`, {});
    await ben.ok("POST", `${path}/cancel`);
    const { path: other, to_line_id } = await ordered();
    await ben.ok("POST", `${other}/lines/${to_line_id}/short-close`);
    assert.deepEqual(await count(), earlier);
  });
});
