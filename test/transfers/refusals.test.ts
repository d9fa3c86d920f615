import assert from "node:assert/strict";
import { temporalClient } from "../../api/http/workflow-updates.js";
import { transferWorkflowId } from "../../src/transfers/workflow.js";
import type { Answer, Caller } from "../support/caller.js";
import { db } from "../support/db.js";
import * as fixtures from "../support/fixtures.js";
import { assertInvariants } from "../support/invariants.js";
import { testService } from "../support/service.js";
import { confirm, submitted, TRANSFERS, testSites, transferOrder, walk } from "../support/transfers.js";
import { detailsOf } from "../support/workflow-environment.js";

const TABLES = [
  ...["transfer_orders", "transfer_order_lines", "transfer_reservations", "transfer_order_approvals"],
  ...["to_approval_lines", "pick_batches", "pick_tasks", "inventory", "audit_log", "integration_events"],
];

describe("what transfer orders refuse", () => {
  const service = testService({ worker: true });
  const at = testSites();
  let ann: Caller;
  beforeEach(async () => {
    ann = await service.user({ role: "ADMIN" });
  });
  afterEach(() => assertInvariants());

  /** All rows that a refusal must leave as they are; the sequencer numbers and seals some of them later. */
  const rows = () =>
    Promise.all(
      TABLES.map((table) =>
        db.rows<{ row: string }>(
          `select (to_jsonb(t) - array['event_id', 'visible_at', 'seal_no', 'prev_hash', 'row_hash'])::text as row
           from ${table} t order by 1`,
        ),
      ),
    );

  /** Asks for something that is refused with this status and code; gives what else the answer says. */
  async function refused(ask: () => Promise<Answer>, status: number, code: string) {
    const earlier = await rows();
    const answer = await ask();
    assert.deepEqual([answer.status, answer.code], [status, code]);
    assert.deepEqual(await rows(), earlier);
    const { error: _, ...fields } = answer.body;
    return fields;
  }

  async function ordered(quantity = 10) {
    const item = await at.goods(quantity);
    return { ...item, ...(await transferOrder(ann, at, [{ item_id: item.item_id, quantity }])) };
  }
  const submit = (to_id: number) => ann.post(`/api/admin/picker/transfer-orders/${to_id}/submit`);
  const begin = (to_id: number, by = ann) => by.post(`${TRANSFERS}/${to_id}/start-picking`);
  const beginOnFloor = (to_id: number, by = ann) => by.post(`/api/picking/transfer-orders/${to_id}/start-picking`);
  async function cancelled() {
    const order = await ordered();
    await ann.ok("POST", `${order.path}/cancel`);
    return order;
  }

  it("a cancellation of what is cancelled, or awaits approval", async () => {
    const ended = await cancelled();
    const cancel = (path: string) => refused(() => ann.post(`${path}/cancel`), 409, "invalid_status_for_cancel");
    assert.equal((await cancel(ended.path)).current_status, "CANCELLED");
    const waiting = await submitted(service, at);
    assert.deepEqual(await cancel(waiting.path), {
      current_status: "AWAITING_APPROVAL",
      detail: "A transfer order that is AWAITING_APPROVAL cannot be cancelled",
    });
  });

  it("picking what is ended or all picked, has nothing to pick, or lies where nobody picks", async () => {
    const ended = await cancelled();
    const waiting = await submitted(service, at);
    for (const [to_id, by, current_status] of [
      [ended.to_id, ann, "CANCELLED"],
      [waiting.to_id, waiting.picker, "AWAITING_APPROVAL"],
    ] as const)
      for (const asked of [begin, beginOnFloor])
        assert.deepEqual(await refused(() => asked(to_id, by), 409, "invalid_status_for_start_picking"), {
          current_status,
        });

    const missing = await fixtures.item();
    const empty = await transferOrder(ann, at, [{ item_id: missing.item_id, quantity: 1 }]);
    for (const asked of [begin, beginOnFloor])
      assert.deepEqual(await refused(() => asked(empty.to_id), 409, "no_lines_to_pick"), {});
    const process = temporalClient().workflow.getHandle(transferWorkflowId(empty.to_id));
    assert.match(await detailsOf(process), /holds nothing to pick: somebody cancels or deletes it/);

    const item = await fixtures.item();
    const bin_id = await fixtures.bin(at.source);
    await fixtures.stock(at.source, bin_id, item.item_id, 3);
    const locked = await transferOrder(ann, at, [{ item_id: item.item_id, quantity: 3 }]);
    await db.run("update bins set is_active = false where bin_id = $1", [bin_id]);
    for (const asked of [begin, beginOnFloor])
      assert.deepEqual(await refused(() => asked(locked.to_id), 409, "no_pickable_inventory"), {
        ...{ to_line_id: locked.lines[0]?.to_line_id, item_id: item.item_id, remaining: 3 },
      });
  });

  it("a second walk of another user; the same user's begins again", async () => {
    const { to_id } = await ordered();
    const { batch_id } = await walk(ann, to_id);
    const bob = await service.user({ role: "ADMIN" });
    for (const asked of [begin, beginOnFloor])
      assert.deepEqual(await refused(() => asked(to_id, bob), 409, "picked_by_another"), {
        ...{ batch_id, assigned_to: ann.username },
      });
    await refused(() => beginOnFloor(99_999_999), 404, "transfer_order_not_found");
    const stranger = await service.user({ warehouse_ids: [await fixtures.warehouse()] });
    await refused(() => beginOnFloor(to_id, stranger), 403, "warehouse_denied");
    const again = await begin(to_id);
    assert.equal(again.status, 201);
    assert.notEqual(again.body.batch_id, batch_id);
  });

  it("a submission of what nobody picked, or is ended", async () => {
    const open = await ordered();
    const code = "invalid_status_for_submit";
    assert.deepEqual(await refused(() => submit(open.to_id), 409, code), { current_status: "OPEN" });
    const ended = await cancelled();
    assert.deepEqual(await refused(() => submit(ended.to_id), 409, code), { current_status: "CANCELLED" });
  });

  it("short-closing a line that is closed, approved, of an ended order, or not there", async () => {
    const code = "invalid_line_status_for_short_close";
    const close = (path: string, line?: number) => () => ann.post(`${path}/lines/${line}/short-close`);
    const [goods, other] = [await at.goods(2), await at.goods(2)];
    const lines = [goods, other].map(({ item_id }) => ({ item_id, quantity: 2 }));
    const order = await transferOrder(ann, at, lines);
    const line = order.lines[0]?.to_line_id;
    await close(order.path, line)();
    assert.deepEqual(await refused(close(order.path, line), 409, code), {
      ...{ current_status: "SHORT_CLOSED", detail: "A line that is SHORT_CLOSED holds nothing to release" },
    });

    const ended = await cancelled();
    assert.deepEqual(await refused(close(ended.path, ended.lines[0]?.to_line_id), 409, code), {
      ...{ current_status: "PENDING", detail: "The order is CANCELLED" },
    });
    await refused(close(order.path, ended.lines[0]?.to_line_id), 404, "transfer_line_not_found");

    const closed = await submitted(service, at);
    const bob = await service.user({ role: "ADMIN" });
    await bob.ok("POST", `${closed.path}/approvals/${closed.to_approval_id}/approve`);
    const { current_status } = await refused(close(closed.path, closed.lines[0]?.to_line_id), 409, code);
    assert.equal(current_status, "APPROVED");
  });

  it("deleting what is picked, submitted or closed", async () => {
    const remove = (path: string) => refused(() => ann.delete(path), 409, "to_not_deletable");
    const order = await ordered();
    const { tasks } = await walk(ann, order.to_id);
    await confirm(ann, tasks[0] as (typeof tasks)[0], 2);
    const { any_picks, any_approvals } = await remove(order.path);
    assert.deepEqual([any_picks, any_approvals], [true, false]);

    const sent = await submitted(service, at, 4);
    await ann.ok("POST", `${sent.path}/cancel`);
    assert.equal((await remove(sent.path)).any_approvals, true);

    const closed = await ordered();
    await ann.ok("POST", `${closed.path}/lines/${closed.lines[0]?.to_line_id}/short-close`);
    assert.deepEqual(await remove(closed.path), {
      ...{ any_picks: false, any_approvals: false },
      detail: "Only a transfer order that is OPEN or CANCELLED, without picks or approvals, is deleted; it is CLOSED",
    });
  });

  it("picking more than a task asks for, as found and as short", async () => {
    const { to_id } = await ordered();
    const { tasks } = await walk(ann, to_id);
    const { pick_task_id, sku } = tasks[0] as (typeof tasks)[0];
    await refused(
      () => ann.post("/api/picking/confirm", { pick_task_id, scanned_barcode: sku, quantity_picked: 11 }),
      409,
      "transfer_over_pick",
    );
    await refused(
      () => ann.post("/api/picking/short", { pick_task_id, quantity_available: 11 }),
      409,
      "transfer_over_pick",
    );
  });

  it("a scan into a wave of what is ended, not begun, or another's; the picker's own goes on", async () => {
    const scan = (barcode: string, by = ann) =>
      by.post("/api/picking/wave-validate", { barcode, warehouse_id: at.source });
    const ended = await cancelled();
    assert.deepEqual(await refused(() => scan(ended.to_number), 409, "scan_transfer_status"), {
      ...{ valid: false, to_number: ended.to_number, to_status: "CANCELLED" },
    });
    const { to_id, to_number } = await ordered();
    assert.deepEqual(await refused(() => scan(to_number), 409, "scan_transfer_not_started"), {
      ...{ valid: false, to_number, to_id },
    });
    const { batch_id } = await walk(ann, to_id);
    const bob = await service.user({ role: "ADMIN" });
    assert.deepEqual(await refused(() => scan(to_number, bob), 409, "scan_transfer_of_another"), {
      ...{ valid: false, to_number, batch_id, assigned_to: ann.username },
    });
    const { batch_number: _, ...own } = (await scan(to_number)).body;
    assert.deepEqual(own, { valid: true, kind: "TO", to_id, to_number, batch_id, line_count: 1, total_units: 10 });
    const elsewhere = { barcode: to_number, warehouse_id: at.destination };
    await refused(() => ann.post("/api/picking/wave-validate", elsewhere), 404, "scan_unknown");
  });

  it("an import within one warehouse", async () => {
    const code = await db.row<{ warehouse_code: string }>(
      "select warehouse_code from warehouses where warehouse_id = $1",
      [at.source],
    );
    const body = {
      ...{ source_warehouse_code: code?.warehouse_code, destination_warehouse_code: code?.warehouse_code },
      records: [{ sku: "ANY", quantity: 1 }],
    };
    await refused(() => ann.post(`${TRANSFERS}/import`, body), 422, "source_and_destination_must_differ");
  });

  it("what is not there, and what was decided before", async () => {
    const path = `/api/admin/picker/transfer-orders/2000000000`;
    await refused(() => ann.get(path), 404, "transfer_order_not_found");
    for (const decision of ["approve", "reject"])
      await refused(
        () => ann.post(`${TRANSFERS}/2000000000/approvals/1/${decision}`, {}),
        404,
        "transfer_order_not_found",
      );
    const { to_id, to_approval_id } = await submitted(service, at);
    const reject = `${TRANSFERS}/${to_id}/approvals/${to_approval_id}/reject`;
    assert.equal((await ann.post(reject, {})).status, 200);
    await refused(() => ann.post(reject, {}), 409, "approval_not_pending");
  });
});
