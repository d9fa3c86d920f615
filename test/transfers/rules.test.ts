import assert from "node:assert/strict";
import fc from "fast-check";
import { db } from "../support/db.js";
import * as fixtures from "../support/fixtures.js";
import { assertInvariants } from "../support/invariants.js";
import { pluck, pluckAll } from "../support/pluck.js";
import { testService } from "../support/service.js";
import { confirm, submitted, TRANSFERS, testSites, transferOrder, twoSites, walk } from "../support/transfers.js";

describe("the rules of transfer orders", () => {
  const service = testService({ worker: true });
  const at = testSites();
  afterEach(() => assertInvariants());

  const codeOf = async (asked: Promise<{ status: number; code?: string }>) => {
    const { status, code } = await asked;
    return [status, code];
  };
  const admin = () => service.user({ role: "ADMIN" });

  it("refuse unknown or equal warehouses, unknown items, and rows that are wrong", async () => {
    const { item_id, sku } = await at.goods(5);
    const lines = [{ item_id, quantity: 1 }];
    const create = (source: number, destination: number, what = lines) =>
      codeOf(
        service.admin.post(TRANSFERS, {
          ...{ source_warehouse_id: source, destination_warehouse_id: destination, lines: what },
        }),
      );
    assert.deepEqual(await create(2_000_000_000, at.destination), [404, "unknown_warehouse"]);
    assert.deepEqual(await create(at.source, at.source), [422, "source_and_destination_must_differ"]);
    assert.deepEqual(await create(at.source, at.destination, [{ item_id: 2_000_000_000, quantity: 1 }]), [
      404,
      "item_not_found",
    ]);
    const codes = await db.rows<{ code: string }>(
      "select warehouse_code as code from warehouses where warehouse_id = any($1) order by warehouse_id",
      [[at.source, at.destination]],
    );
    const refused = await service.admin.post(`${TRANSFERS}/import`, {
      ...{ source_warehouse_code: codes[0]?.code, destination_warehouse_code: codes[1]?.code },
      records: [{ sku, quantity: 1 }, { sku: "NOBODY", quantity: 1 }, { sku }],
    });
    assert.equal(refused.status, 422);
    assert.deepEqual(pluckAll(refused.body.rows, "row_index", "error_kind"), [
      [1, "unknown_sku"],
      [2, "validation_error"],
    ]);
  });

  it("commit what is there, and say what is missing; a line without stock is short-closed", async () => {
    const [some, none] = [await at.goods(3), await fixtures.item()];
    const made = await service.admin.ok("POST", TRANSFERS, {
      ...{ source_warehouse_id: at.source, destination_warehouse_id: at.destination },
      lines: [
        { item_id: some.item_id, quantity: 2 },
        { item_id: some.item_id, quantity: 2 },
        { item_id: none.item_id, quantity: 4 },
      ],
    });
    assert.equal(made.line_count, 3);
    assert.deepEqual(pluckAll(made.shortages, "row_index", "available_qty", "committed_qty", "shortfall"), [
      [1, 1, 1, 1],
      [2, 0, 0, 4],
    ]);
    const { lines } = await service.admin.ok("GET", `${TRANSFERS}/${made.to_id}`);
    assert.deepEqual(pluck(lines, "status"), ["PENDING", "PENDING", "SHORT_CLOSED"]);
  });

  it("never submit a pick twice; rejected picks are submitted again", async () => {
    const { path, to_id, picker, to_approval_id } = await submitted(service, at, 6);
    const submit = `/api/admin/picker/transfer-orders/${to_id}/submit`;
    assert.deepEqual(await codeOf(picker.post(submit)), [422, "nothing_picked"]);
    await picker.ok("POST", `${path}/approvals/${to_approval_id}/reject`, {});
    const again = await picker.ok("POST", submit);
    assert.notEqual(again.to_approval_id, to_approval_id);
    const approver = await admin();
    await approver.ok("POST", `${path}/approvals/${again.to_approval_id}/approve`);
    const detail = await picker.ok("GET", path);
    assert.deepEqual([detail.lines[0].approved_qty, detail.lines[0].status], [6, "PARTIALLY_PICKED"]);
    assert.deepEqual(await codeOf(approver.post(`${path}/approvals/${to_approval_id}/approve`)), [
      409,
      "approval_not_pending",
    ]);
    assert.deepEqual(await codeOf(picker.post(`${path}/cancel`)), [409, "to_already_partially_approved"]);
  });

  it("block self-approval, and let one of two approvals win", async () => {
    const { path, to_approval_id, picker } = await submitted(service, at);
    const approve = `${path}/approvals/${to_approval_id}/approve`;
    assert.deepEqual(await codeOf(picker.post(approve)), [403, "self_approval_blocked"]);
    const [ann, ben] = [await admin(), await admin()];
    const answers = await Promise.all([ann.post(approve), ben.post(approve)]);
    assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 409]);
  });

  it("bring nothing into a warehouse or zone that is out of use meanwhile", async () => {
    const sites = await twoSites();
    const { path, to_approval_id } = await submitted(service, sites);
    const approver = await admin();
    const approve = `${path}/approvals/${to_approval_id}/approve`;
    for (const table of ["warehouses", "zones"]) {
      const set = (is_active: boolean) =>
        db.run(`update ${table} set is_active = $2 where warehouse_id = $1`, [sites.destination, is_active]);
      await set(false);
      assert.deepEqual(await codeOf(approver.post(approve)), [409, "no_destination_staging_bin"], table);
      await set(true);
    }
    await approver.ok("POST", approve);
  });

  it("need a Staging bin at the destination and units in the snapshot", async () => {
    const bare = { ...(await twoSites()), destination: await fixtures.warehouse() };
    const { path, to_approval_id, lines } = await submitted(service, bare);
    const approver = await admin();
    const approve = `${path}/approvals/${to_approval_id}/approve`;
    assert.deepEqual(await codeOf(approver.post(approve)), [409, "no_destination_staging_bin"]);
    await approver.ok("POST", `${path}/lines/${lines[0]?.to_line_id}/short-close`);
    assert.deepEqual(await codeOf(approver.post(approve)), [422, "approval_snapshot_empty"]);
    await approver.ok("POST", `${path}/approvals/${to_approval_id}/reject`, {});
    assert.equal((await approver.ok("GET", path)).transfer_order.status, "CLOSED");
  });

  it("let the source's users pick and the destination's decide", async () => {
    const { path, to_approval_id } = await submitted(service, at);
    const page_keys = ["transfer-orders"];
    const sender = await service.user({ warehouse_ids: [at.source], page_keys });
    const receiver = await service.user({ warehouse_ids: [at.destination], page_keys });
    const stranger = await service.user({ warehouse_ids: [await fixtures.warehouse()], page_keys });
    assert.equal((await sender.get(path)).status, 200);
    assert.equal((await receiver.get(path)).status, 200);
    assert.deepEqual(await codeOf(stranger.get(path)), [403, "warehouse_denied"]);
    const approve = `${path}/approvals/${to_approval_id}/approve`;
    assert.deepEqual(await codeOf(sender.post(approve)), [403, "warehouse_denied"]);
    assert.deepEqual(await codeOf(receiver.post(`${path}/start-picking`)), [403, "warehouse_denied"]);
    assert.equal((await receiver.post(approve)).status, 200);
  });

  it("give up what is reserved when it is taken elsewhere, but never what is picked", async () => {
    const picker = await admin();
    const { item_id, inventory_id } = await at.goods(10);
    const { to_id, read } = await transferOrder(picker, at, [{ item_id, quantity: 10 }]);
    const adjust = (quantity_change: number) =>
      picker.post("/api/admin/adjustments/direct", {
        ...{ item_id, bin_id: at.bin_id, warehouse_id: at.source },
        ...{ adjustment_type: quantity_change > 0 ? "ADD" : "REMOVE", quantity: Math.abs(quantity_change) },
        reason: "broken",
      });
    assert.ok((await adjust(-3)).status < 300);
    assert.equal((await read()).lines[0].committed_qty, 7);
    const { tasks } = await walk(picker, to_id);
    await confirm(picker, tasks[0] as (typeof tasks)[0], 5);
    assert.deepEqual(await codeOf(adjust(-3)), [400, "promised_to_picks"]);
    const to_bin_id = await fixtures.bin(at.source);
    const move = (quantity: number) =>
      picker.post("/api/transfers/move", { item_id, from_bin_id: at.bin_id, to_bin_id, quantity });
    assert.equal((await move(2)).status, 200);
    assert.deepEqual(await codeOf(move(5)), [400, "promised_to_picks"]);
    assert.deepEqual(await fixtures.stockOf(inventory_id), { on_hand: 5, allocated: 5 });
  });

  it("conserve stock whatever happens in which order", async () => {
    const picker = await admin();
    const approver = await admin();
    const step = fc.record({
      what: fc.constantFrom("start", "pick", "short", "submit", "complete", "approve", "reject", "close", "cancel"),
      n: fc.nat(5),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 4, maxLength: 10 }), async (steps) => {
        const goods = [await at.goods(6), await at.goods(3)];
        const wanted = goods.map(({ item_id }) => ({ item_id, quantity: 5 }));
        const { to_id, path, lines } = await transferOrder(picker, at, wanted);
        for (const { what, n } of steps) await act(what, n, to_id, path, lines);
        const sum = await db.row<{ units: number }>(
          "select sum(quantity_on_hand)::int as units from inventory where item_id = any($1)",
          [goods.map(({ item_id }) => item_id)],
        );
        assert.equal(sum?.units, 9);
        await assertInvariants();
      }),
      { numRuns: 12 },
    );

    async function act(what: string, n: number, to_id: number, path: string, lines: { to_line_id: number }[]) {
      const batch = await db.row<{ batch_id: number }>(
        "select batch_id from pick_batches where to_id = $1 and status in ('OPEN', 'IN_PROGRESS')",
        [to_id],
      );
      const task = await db.row<{ pick_task_id: number; sku: string; units: number }>(
        `select pick_task_id, sku, quantity_to_pick as units from pick_tasks join items using (item_id)
         where batch_id = $1 and status = 'PENDING' order by pick_task_id limit 1`,
        [batch?.batch_id ?? 0],
      );
      const approval = await db.row<{ id: number }>(
        "select max(to_approval_id) as id from transfer_order_approvals where to_id = $1",
        [to_id],
      );
      const ask = async (asked: Promise<{ status: number; body: unknown }>) => {
        const { status, body } = await asked;
        assert.ok(status < 500, JSON.stringify(body));
      };
      const units = task ? Math.min(task.units, n + 1) : 1;
      const on = `${path}/approvals/${approval?.id ?? 1}`;
      const pick_task_id = task?.pick_task_id;
      if (what === "start") await ask(picker.post(`${path}/start-picking`));
      if (what === "pick" && task) await confirm(picker, task, units);
      if (what === "short" && task)
        await ask(picker.post("/api/picking/short", { pick_task_id, quantity_available: units - 1 }));
      if (what === "submit") await ask(picker.post(`/api/admin/picker/transfer-orders/${to_id}/submit`));
      if (what === "complete" && batch)
        await ask(picker.post(`/api/picking/${n > 2 ? "cancel" : "complete"}-batch`, { batch_id: batch.batch_id }));
      if (what === "approve") await ask(approver.post(`${on}/approve`));
      if (what === "reject") await ask(approver.post(`${on}/reject`, {}));
      if (what === "close" && n > 3) await ask(picker.post(`${path}/lines/${lines[n % 2]?.to_line_id}/short-close`));
      if (what === "cancel" && n > 4) await ask(picker.post(`${path}/cancel`));
    }
  });
});
